"""The parts of an input file, as the bytes that a worker parses.

JSON Lines are cut line by line, and small files go as they are. What must be read in one go
(Parquet, large files) is read here, and its recipes travel one by one."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Literal

from npn.corpus.sharding.inputs import may_hold_recipes
from npn.corpus.sharding.opening import describing, open_input, unpacked
from npn.corpus.sharding.parquet_input import read_parquet_rows
from npn.errors import NpnError
from npn.formats import Found, Item, Note, Problem
from npn.formats.archive import Member, members
from npn.formats.base import Source, is_zip
from npn.formats.json_recipe import LONGEST_LINE, read_lines
from npn.formats.reading import find_format, is_json_lines, read_stream, stream_lines
from npn.recipe import Ingredient, Recipe, Yield

SMALL = 1 << 20  # bytes of a file that a worker reads whole
TAR = (".tar", ".tar.gz", ".tgz", ".tar.zst")
Kind = Literal["lines", "file", "item"]


@dataclass(frozen=True, slots=True)
class FilePart:
    """`kind` says what `data` is: lines of JSON, counted from `first`; a whole file; or one recipe
    or problem that has been found already (`pack_item`)."""

    path: str
    kind: Kind
    data: bytes
    first: int = 1

    @property
    def lines(self) -> str:
        """Which lines of the file it holds, in words; nothing where it does not hold lines."""
        if self.kind != "lines":
            return ""
        return f"lines {self.first} to {self.first + self.data.count(bytes([10])) - 1}"


@dataclass(frozen=True, slots=True)
class Lost:
    """A file, or the rest of one, that cannot be read."""

    where: str
    message: str


def read_parts(path: str) -> Iterator[tuple[FilePart, int]]:
    """The parts of a file, each with the bytes of the file read so far. A file that cannot be read,
    or not to its end, gives what can be read and then a part that says so."""
    last: FilePart | None = None
    try:
        if path.lower().endswith(".parquet"):
            with describing(path):
                for item, position in read_parquet_rows(path):
                    last = FilePart(path, "item", pack_item(item))
                    yield last, position
            return
        with open_input(path) as opened:
            read = _tar if path.lower().endswith(TAR) else _file
            for part in read(path, opened.file):
                last = part
                yield part, opened.position
    except NpnError as error:
        where = f"after line {last.first}" if last is not None and last.kind == "lines" else ""
        yield FilePart(path, "item", pack_item(Lost(where, str(error)))), 0


def part_items(part: FilePart) -> Iterator[Item | Lost]:
    """What is in a part. A file that cannot be used is Lost."""
    if part.kind == "item":
        yield unpack_item(part.data)
    elif part.kind == "lines":
        yield from read_lines(io.BytesIO(part.data), part.first)
    else:
        try:
            yield from read_stream(part.path, io.BytesIO(part.data))
        except NpnError as error:
            yield Lost("", str(error))


def _tar(path: str, stream: IO[bytes]) -> Iterator[FilePart]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            wanted = member.isfile() and may_hold_recipes(member.name)
            if wanted and (file := archive.extractfile(member)):
                name = f"{path}/{member.name}"
                yield from _file(name, unpacked(name, file))


def _file(path: str, file: IO[bytes]) -> Iterator[FilePart]:
    first = file.readline(LONGEST_LINE)
    if is_json_lines(path, first) and first:
        for number, line in enumerate(stream_lines(file, first), 1):
            yield FilePart(path, "lines", line if line.endswith(b"\n") else line + b"\n", number)
        return
    data = first + file.read(max(SMALL - len(first), 0) + 1)
    if len(data) <= SMALL and not data.startswith(b"PK"):
        yield FilePart(path, "file", data)
        return
    rest = _Joined(data, file)
    if data.startswith(b"PK"):
        source = Source(path, rest.read(-1), "")
        if is_zip(source) and find_format(source) is None:
            yield from _loose_members(source)
            return
        rest = _Joined(source.data, io.BytesIO())
    for item in read_stream(path, rest):
        yield FilePart(path, "item", pack_item(item))


def _loose_members(source: Source) -> Iterator[FilePart]:
    """The files of an archive that is no program's export."""
    try:
        for member in members(source, may_hold_recipes):
            if isinstance(member, Member):
                yield from _file(f"{source.name}/{member.name}", io.BytesIO(member.data))
            else:
                yield FilePart(source.name, "item", pack_item(Lost(member.where, member.message)))
    except NpnError as error:
        raise NpnError(f"{source.name}: {error}") from error


class _Joined(io.BytesIO):
    """Bytes that have been read already, followed by at most as many as a file may have."""

    def __init__(self, data: bytes, rest: IO[bytes]) -> None:
        from npn.formats.reading import LARGEST

        super().__init__(data + rest.read(LARGEST + 1 - min(len(data), LARGEST)))


def pack_item(item: Item | Lost) -> bytes:
    """An item as JSON, to be sent to another process."""
    data: dict[str, object]
    if isinstance(item, Found):
        recipe = item.recipe
        data = {
            "where": item.where,
            "title": recipe.title,
            "ingredients": [[one.text, one.name, one.section] for one in recipe.ingredients],
            "steps": recipe.steps,
            "sections": recipe.step_sections,
            "yields": recipe.yields.to_dict() if recipe.yields else None,
        }
    elif isinstance(item, Note):
        data = {"note": item.message}
    else:
        kind = "lost" if isinstance(item, Lost) else "problem"
        data = {kind: item.message, "where": item.where}
    return json.dumps(data).encode()


def unpack_item(data: bytes) -> Item | Lost:
    """What `pack_item` packed."""
    fields = json.loads(data)
    if "note" in fields:
        return Note(fields["note"])
    if "lost" in fields:
        return Lost(fields["where"], fields["lost"])
    if "problem" in fields:
        return Problem(fields["where"], fields["problem"])
    lines = (
        Ingredient(text, name, section=section) for text, name, section in fields["ingredients"]
    )
    recipe = Recipe(
        fields["title"],
        tuple(lines),
        tuple(fields["steps"]),
        tuple(fields["sections"]),
        yields=Yield.from_dict(fields["yields"]) if fields["yields"] else None,
    )
    return Found(recipe, fields["where"])
