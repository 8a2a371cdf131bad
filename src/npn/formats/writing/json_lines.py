"""JSON Lines: one trace a line, in input order, by the schema in npn/trace.schema.json."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from npn.formats.writing import Writer
from npn.trace import Trace


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for trace in traces:
        out.write(trace.to_json() + "\n")


WRITER = Writer("json", "JSON Lines, one trace a line, for programs", ".jsonl", write)
