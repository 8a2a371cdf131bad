"""Traces written to a string."""

from __future__ import annotations

import io

from npn.formats.writing import writers
from npn.trace import Trace


def written(form: str, *traces: Trace, **options: bool) -> str:
    out = io.StringIO()
    writers()[form].write(traces, out, **options)
    return out.getvalue()
