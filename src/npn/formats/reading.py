"""From a path, standard input or a text to recipes."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from io import BytesIO
from typing import IO, cast

from npn.errors import NpnError
from npn.formats.base import (
    GZIP_SIGNATURE,
    LONGEST_LINE,
    Format,
    Found,
    Item,
    Note,
    Problem,
    Source,
    decode,
    is_zip,
)
from npn.recipe import Recipe

LARGEST = 256 << 20  # bytes of a file that is not JSON Lines, which alone is read piece by piece
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(text: str, name: str = "") -> Recipe:
    """The one recipe in `text`, in whatever text format. None, or several, is an error. `name`
    is for messages, and its extension helps to find the format."""
    if "\0" in text:
        raise NpnError(f"{name or 'the text'} is binary, not the text of a recipe")
    data = text.encode(errors="replace")  # half a surrogate pair could never be printed
    source = Source(name, data, data.decode())
    recipe: Recipe | None = None
    problem: Problem | None = None
    for item in _read_source(source):
        if isinstance(item, Problem):
            problem = problem or item
        elif isinstance(item, Found):
            if recipe is not None:
                raise NpnError(f"{name or 'the text'} holds several recipes, where one is wanted")
            recipe = item.recipe
    if recipe is None and problem is not None:
        raise NpnError(_about(name, f"{problem.where}: {problem.message}"))
    if recipe is None:
        raise NpnError(f"{name or 'the text'} holds no recipe")
    return recipe


def read_file(path: str, stdin: IO[bytes] | None = None) -> Iterator[Item]:
    """The recipes of a file, of a page on the web, or of standard input for "-", as they come: each
    Found can be tracked; a Problem is one recipe of several that cannot; a Note is for the user. A
    file that cannot be used at all raises NpnError, which names it. JSON Lines are streamed."""
    name = "standard input" if path == "-" else path
    if "://" in path:
        from npn.formats.http_request import fetch_page, is_address  # only pages pay for it

        if is_address(path):
            yield from read_stream(name, BytesIO(fetch_page(path)))
            return
    try:
        with _open(path, stdin) as file:
            unpacked = gzip.GzipFile(fileobj=file) if path.lower().endswith(".gz") else file
            yield from read_stream(name, cast(IO[bytes], unpacked))
    except FileNotFoundError:
        raise NpnError(f"{name} does not exist: check the path") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise NpnError(f"{name} is not a whole gzip file: get it again") from None
    except OSError as error:
        raise NpnError(f"{name} cannot be read: {error.strerror or error}") from error


def _open(path: str, stdin: IO[bytes] | None) -> AbstractContextManager[IO[bytes]]:
    if path == "-":
        return nullcontext(stdin or sys.stdin.buffer)
    if os.path.isdir(path):
        raise NpnError(f"{path} is a directory: name the files in it")
    try:
        return open(path, "rb")
    except ValueError:  # a null character
        raise NpnError(f"{path!r} is not the name of a file") from None


def read_stream(name: str, file: IO[bytes]) -> Iterator[Item]:
    """The recipes of an open file, as `read_file` gives them. `name` is for messages, and its
    extension helps to find the format."""
    called = name or "the text"
    first = file.readline(LONGEST_LINE)
    if not first:
        raise NpnError(f"{called} is empty: there is no recipe in it")
    if is_json_lines(name, first):
        from npn.formats.json_recipe import read_lines  # only JSON Lines pay for it

        yield from _beginning(called, read_lines(stream_lines(file, first)))
        return
    data = first + file.read(LARGEST)
    if len(data) > LARGEST:
        raise NpnError(
            f"{called} is larger than {LARGEST >> 20} MB: give it as JSON Lines (.jsonl)"
        )
    decoded = decode(data)
    if decoded and decoded.encoding:
        yield Note(f"{called} is not UTF-8; read as {decoded.encoding}")
    yield from _read_source(Source(name, data, decoded.text if decoded else ""))


def is_json_lines(name: str, first: bytes) -> bool:
    """Whether a file with this name and first line holds one recipe a line."""
    if first.startswith(_UTF_16):
        return False
    if name.lower().removesuffix(".gz").removesuffix(".zst").endswith(".jsonl"):
        return True
    line = first.decode("utf-8-sig", "replace")
    if not line.startswith("{"):
        return False
    from npn.formats.json_recipe import is_recipe_line  # only JSON pays for it

    return is_recipe_line(line)


def stream_lines(file: IO[bytes], first: bytes) -> Iterator[bytes]:
    """The lines of a file whose `first` line has been read. What goes beyond the longest line is
    passed over, so that no line can fill the memory."""
    yield first.removeprefix(_BOM)
    line = first
    while line:
        while len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        line = file.readline(LONGEST_LINE)
        if line:
            yield line


def _read_source(source: Source) -> Iterator[Item]:
    format = find_format(source)
    if format is None:
        raise NpnError(_not_a_recipe(source))
    try:
        for item in _beginning(source.name or "the text", format.read(source)):
            yield _checked(item) if isinstance(item, Found) else item
    except NpnError as error:
        raise NpnError(_about(source.name, str(error))) from error


def _checked(found: Found) -> Item:
    """What was found, if it can be tracked: else a problem, or an error where it is all there
    is."""
    try:
        found.recipe.check()
    except NpnError as error:
        if not found.where:
            raise
        return Problem(found.where, str(error))
    return found


def _beginning(name: str, items: Iterator[Item]) -> Iterator[Item]:
    """The items, of which one at least must be a recipe or say why it is none."""
    found = False
    for item in items:
        found = found or not isinstance(item, Note)
        yield item
    if not found:
        raise NpnError(f"{name} holds no recipe")


def _not_a_recipe(source: Source) -> str:
    name = source.name or "the text"
    if is_zip(source):
        from npn.formats.archive import no_recipes_because  # only archives pay for it

        return f"{name}: {no_recipes_because(source)}"
    if source.text.strip():
        return f"{name} holds no recipe in a format that is read: see `npn formats`"
    if source.text or not source.data.strip():
        return f"{name} is empty: there is no recipe in it"
    return f"{name} is binary, not a recipe: give its text, or one of `npn formats`"


def _about(name: str, message: str) -> str:
    return message if not name or name in message else f"{name}: {message}"


# -- The formats we read, in the order in which they are asked whether a file is theirs.

# Formats with a sure mark of their own come first; our JSON explains what is wrong with any other
# JSON, and plain text takes what nobody else wants. A module is loaded when it is asked.
_PACKED = ("paprika", "nextcloud", "mealie", "tandoor")
_JSON = ("paprika", "mealie", "tandoor", "kitchenowl", "schema_org")
_PAGES = ("schema_org",)
_OUR_JSON = ("json_recipe",)
_TEXT = ("meal_master", "cooklang", "plain_text")
_MARKS = {
    "meal_master": "Title:",
    "cooklang": "@",
}  # in every text of the format, whatever its name


def formats() -> tuple[Format, ...]:
    """Every format, as `npn formats` lists them."""
    return tuple(map(_format, dict.fromkeys((*_PACKED, *_JSON, *_PAGES, *_OUR_JSON, *_TEXT))))


def find_format(source: Source) -> Format | None:
    """The first format whose own `source` is."""
    return next((one for one in map(_format, _candidates(source)) if one.sniff(source)), None)


def _candidates(source: Source) -> tuple[str, ...]:
    """The modules of the formats that a source can be of, by how it begins."""
    if is_zip(source) or source.data.startswith(GZIP_SIGNATURE):
        return _PACKED
    name = source.name.lower()
    texts = tuple(
        one for one in _TEXT if name.endswith(".cook") or _MARKS.get(one, "") in source.text
    )
    if source.text.lstrip().startswith(("{", "[")) or name.endswith((".json", ".jsonl")):
        texts = (*_OUR_JSON, *texts)
    beginning = source.text[:2000].lstrip("\ufeff \t\r\n")[:1]
    if beginning in ("{", "["):
        return (*_JSON, *texts)
    return (*_PAGES, *texts) if beginning == "<" else texts


def _format(module: str) -> Format:
    format = import_module(f"npn.formats.{module}").FORMAT
    assert isinstance(format, Format)
    return format
