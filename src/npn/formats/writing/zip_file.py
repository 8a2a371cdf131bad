"""Zip archives that are the same, byte for byte, whenever and wherever they are written."""

from __future__ import annotations

import json
from io import BytesIO
from typing import IO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip archive can tell
UNIX = 3
READABLE = 0o644 << 16


def add_member(archive: ZipFile, name: str, data: bytes) -> None:
    """Add a file without compressing it: compressors differ from one machine to the next."""
    info = ZipInfo(name, TIME)
    info.compress_type = ZIP_STORED
    info.create_system = UNIX
    info.external_attr = READABLE
    archive.writestr(info, data)


def zip_of(name: str, data: bytes) -> bytes:
    """An archive of one file."""
    file = BytesIO()
    with new_archive(file) as archive:
        add_member(archive, name, data)
    return file.getvalue()


def new_archive(out: IO[bytes]) -> ZipFile:
    return ZipFile(out, "w", ZIP_STORED)


def json_bytes(value: object) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which UTF-8 has no place for, becomes "?"."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode(errors="replace")
