"""Small zip archives for the tests of formats that are one."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping

from npn.formats.reading import Source


def zip_source(members: Mapping[str, bytes | str | object], name: str = "export.zip") -> Source:
    """An archive of bytes, texts, or anything else as JSON."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            data = content if isinstance(content, bytes | str) else json.dumps(content)
            archive.writestr(member, data)
    return Source(name, file.getvalue(), "")
