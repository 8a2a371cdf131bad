"""What is named on the command line becomes a list of files: globs and folders are looked into, in
an order that does not depend on the machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import glob, has_magic
from pathlib import Path

from npn.corpus.sharding.filesystem import is_address, pyarrow_module, remote_filesystem
from npn.errors import NpnError
from npn.formats import formats

PACKED = (".gz", ".zst")
CONTAINERS = (".parquet", ".tar", ".tgz", ".zip")


@dataclass(frozen=True, slots=True)
class Input:
    """A file or the address of one, and its size in bytes, 0 where nobody knows it."""

    path: str
    size: int


def find_inputs(given: Sequence[str], output: str = "") -> list[Input]:
    """The files that `given` names: each once, in the order given; those of a folder or glob by
    name. A folder is looked into for files that may hold recipes, but not into `output`. A file
    that does not exist stays in the list: whoever reads it says so, and goes on."""
    found: dict[str, Input] = {}
    for path in given:
        for one in _remote(path) if is_address(path) else _local(path, output):
            found.setdefault(one.path, one)
    if not found:
        raise NpnError(f"no file with recipes in {', '.join(given)}: see `npn formats`")
    return list(found.values())


def _local(path: str, output: str) -> Iterator[Input]:
    names = [path]
    if has_magic(path) and not os.path.exists(path):
        names = sorted(glob(path, recursive=True))
        if not names:
            raise NpnError(f"no file matches {path}: check the pattern")
    for name in names:
        if not os.path.isdir(name):
            yield Input(name, _size(name))
            continue
        left_out = Path(output).resolve() if output and not is_address(output) else None
        for file in sorted(Path(name).rglob("*")):
            if left_out is not None and left_out in file.resolve().parents:
                continue
            if file.is_file() and may_hold_recipes(str(file.relative_to(name))):
                yield Input(str(file), _size(str(file)))


def _remote(address: str) -> Iterator[Input]:
    files, path = remote_filesystem(address)
    fs = pyarrow_module("fs")
    start = address.split("://")[0] + "://"
    try:
        if has_magic(path):
            base = path[: path.index(next(c for c in path if c in "*?["))].rpartition("/")[0]
            listed = files.get_file_info(fs.FileSelector(base, recursive=True))
            wanted = [one for one in listed if one.is_file and fnmatchcase(one.path, path)]
        elif files.get_file_info(path).type == fs.FileType.Directory:
            listed = files.get_file_info(fs.FileSelector(path, recursive=True))
            inside = len(path.rstrip("/")) + 1
            wanted = [x for x in listed if x.is_file and may_hold_recipes(x.path[inside:])]
        else:
            wanted = [files.get_file_info(path)]
            if not wanted[0].is_file:
                raise NpnError(f"{address} does not exist: check the address")
    except OSError as error:
        raise NpnError(f"{address} cannot be listed: {error}") from error
    for one in sorted(wanted, key=lambda one: str(one.path)):
        yield Input(start + one.path, one.size or 0)


def may_hold_recipes(name: str) -> bool:
    """Whether a file found in a folder is worth opening: no hidden file, and an extension that is
    read."""
    if any(part.startswith(".") for part in name.replace(os.sep, "/").split("/")):
        return False
    plain = name.lower()
    for suffix in PACKED:
        plain = plain.removesuffix(suffix)
    known = {extension for format in formats() for extension in format.extensions}
    return plain.endswith((*CONTAINERS, *known))


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except (OSError, ValueError):
        return 0
