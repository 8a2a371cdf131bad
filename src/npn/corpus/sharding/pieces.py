"""From files to pieces of work: bounded, numbered, and cut the same way every time.

A piece holds raw bytes: whoever tracks it also parses it, so that one reader keeps many workers
busy. What is known of a recipe is where it stands ("line 12" of a file).
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import IO, Any, Literal

from npn.corpus.sharding.filesystem import (
    describing,
    is_address,
    open_input,
    pyarrow_module,
    remote_filesystem,
    unpacked,
)
from npn.corpus.sharding.inputs import Input, may_hold_recipes
from npn.errors import NpnError
from npn.formats import Found, Item, Note, Problem
from npn.formats.archive import members
from npn.formats.json_recipe import read_lines
from npn.formats.reading import (
    LARGEST,
    LONGEST_LINE,
    Source,
    find_format,
    is_json_lines,
    is_zip,
    read_stream,
    stream_lines,
)
from npn.recipe import Ingredient, Recipe, Yield

RECIPES = 1_000  # in a piece, unless told
MOST_BYTES = 4 << 20  # of a piece; one line or file may go beyond it


@dataclass(frozen=True, slots=True)
class Piece:
    """`number` counts the pieces of a corpus from 0. `progress` is the share of all input bytes
    that has been read when the piece ends."""

    number: int
    parts: tuple[FilePart, ...]
    progress: float = field(default=0.0, compare=False)

    @property
    def place(self) -> str:
        """Where it stands, in words: "a.jsonl, lines 1 to 1000", and its other files if any."""
        return "; ".join(", ".join(filter(None, (p.path, p.lines))) for p in self.parts)

    @property
    def hash(self) -> str:
        """Of all that the result depends on, but for the tracker."""
        digest = hashlib.sha256()
        for part in self.parts:
            digest.update(f"{part.path}\0{part.kind}\0{part.first}\0{len(part.data)}\0".encode())
            digest.update(part.data)
        return digest.hexdigest()


def cut(inputs: Iterable[Input], recipes: int = RECIPES) -> Iterator[Piece]:
    """The pieces of all inputs. Only one is in memory at a time."""
    inputs = list(inputs)
    total = sum(one.size for one in inputs) or 1
    number = size = 0
    waiting: list[FilePart] = []
    before = 0
    progress = 0.0
    for one in inputs:
        for part, position in read_parts(one.path):
            progress = max(progress, min((before + position) / total, 1.0))
            waiting.append(part)
            size += len(part.data)
            if len(waiting) == recipes or size >= MOST_BYTES:
                yield Piece(number, _joined(waiting), progress)
                number, size, waiting = number + 1, 0, []
        before += one.size
    if waiting:
        yield Piece(number, _joined(waiting), 1.0)


def _joined(parts: list[FilePart]) -> tuple[FilePart, ...]:
    """The same parts, with lines that follow each other in a file put into one."""
    joined: list[FilePart] = []
    for (path, kind), group in groupby(parts, key=lambda part: (part.path, part.kind)):
        if kind == "lines":
            lines = list(group)
            joined.append(FilePart(path, kind, b"".join(x.data for x in lines), lines[0].first))
        else:
            joined.extend(group)
    return tuple(joined)


# -- The parts of an input file, as the bytes that a worker parses.
#
# JSON Lines are cut line by line, and small files go as they are. What must be read in one go
# (Parquet, large files) is read here, and its recipes travel one by one.

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
    data += file.read(LARGEST + 1 - min(len(data), LARGEST))  # more is refused by its reader
    source = Source(path, data, "")
    if data.startswith(b"PK") and is_zip(source) and find_format(source) is None:
        yield from _loose_members(source)
        return
    for item in read_stream(path, io.BytesIO(data)):
        yield FilePart(path, "item", pack_item(item))


def _loose_members(source: Source) -> Iterator[FilePart]:
    """The files of an archive that is no program's export."""
    try:
        for member in members(source, may_hold_recipes):
            if isinstance(member, Source):
                yield from _file(f"{source.name}/{member.name}", io.BytesIO(member.data))
            else:
                yield FilePart(source.name, "item", pack_item(Lost(member.where, member.message)))
    except NpnError as error:
        raise NpnError(f"{source.name}: {error}") from error


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


# -- Recipes from Parquet: a row each, with the columns `title`, `ingredients` and `steps` (lists of
# strings), and `ingredient_sections` and `step_sections` where there are headings.

ROWS = 1_000  # in memory at a time
NEEDED = ("ingredients", "steps")
USED = ("title", *NEEDED, "ingredient_sections", "step_sections")


def read_parquet_rows(path: str) -> Iterator[tuple[Item, int]]:
    """The recipes of a Parquet file, each with the bytes of the file that lie behind it, as far as
    its row groups tell."""
    parquet = pyarrow_module("parquet")
    with _open(path) as opened, parquet.ParquetFile(opened) as file:
        names = set(file.schema_arrow.names)
        if not names.issuperset(NEEDED):
            raise NpnError(
                f"{path} holds no recipes: it needs the columns ingredients and steps, two lists "
                f"of strings, and has {', '.join(sorted(names))}"
            )
        sizes = _sizes(file.metadata)
        total = max(file.metadata.num_rows, 1)
        number = 0
        for batch in file.iter_batches(ROWS, columns=[name for name in USED if name in names]):
            for row in batch.to_pylist():
                number += 1
                yield _item(row, number), int(sizes * number / total)


def _item(row: dict[str, Any], number: int) -> Item:
    where = f"row {number}"
    data = {key: value for key, value in row.items() if value is not None}
    try:
        return Found(Recipe.from_dict(data).check(), where)
    except NpnError as error:
        return Problem(where, str(error))


def _sizes(metadata: Any) -> int:
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    return sum(g.column(c).total_compressed_size for g in groups for c in range(g.num_columns))


def _open(path: str) -> Any:
    if not is_address(path):
        return open(path, "rb")
    files, inside = remote_filesystem(path)
    return files.open_input_file(inside)
