"""What a format is, and from a path, standard input or a text to recipes. Bytes become text as
UTF-8, UTF-16 with its mark, or the likeliest legacy encoding."""

from __future__ import annotations

import codecs
import gzip
import json
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from itertools import islice
from typing import IO, TypeAlias, cast

from npn.errors import NpnError
from npn.recipe import Recipe

DATA_FILES = (".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml")  # text, but not a recipe's
ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
GZIP_SIGNATURE = b"\x1f\x8b"
LONGEST_LINE = 16 << 20  # bytes of JSON Lines; a recipe of 5,000 long lines stays far below
LARGEST = 256 << 20  # bytes of a file that is not JSON Lines, which alone is read piece by piece
ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{0,30}://")  # of a page, not the path of a file
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it came: its name (for messages and for sniffing), its bytes, and its text, which
    is empty for binary data such as a zip archive."""

    name: str
    data: bytes
    text: str


def is_zip(source: Source) -> bool:
    return source.data.startswith(ZIP_SIGNATURES)


def is_object(text: str, marks: tuple[str, ...]) -> bool:
    """Whether a text begins as a JSON object does and holds all of the marks."""
    begins = text[:100].lstrip("\ufeff \t\r\n").startswith("{")
    return begins and all(mark in text for mark in marks)


@dataclass(frozen=True, slots=True)
class Found:
    recipe: Recipe
    where: str = ""  # "line 12", "recipe 3", "soup.json": empty where a file is one recipe


@dataclass(frozen=True, slots=True)
class Problem:
    """One recipe among many that cannot be used; `message` is one sentence for a person."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Note:
    """What a person should know about how a file was read ("not UTF-8, read as CP437"). Nothing
    is lost by it."""

    message: str


Item: TypeAlias = Found | Problem | Note


@dataclass(frozen=True, slots=True)
class Format:
    """`sniff` is cheap, total and sure: it says yes only to its own. `read` yields what it finds
    and raises NpnError when the whole source cannot be used; its messages need not name the file,
    and it need not check that a recipe has ingredients and steps: the caller does both."""

    name: str
    about: str
    extensions: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Item]]


# -- From a path, standard input or a text to recipes.


def read_text(text: str, name: str = "") -> Recipe:
    """The one recipe in `text`, in whatever text format. None, or several, is an error. `name`
    is for messages, and its extension helps to find the format."""
    if "\0" in text:
        raise NpnError(f"{name or 'the text'} is binary, not the text of a recipe")
    data = text.encode(errors="replace")  # half a surrogate pair could never be printed
    source = Source(name, data, data.decode())
    items = list(_read_source(source))
    recipes = [item.recipe for item in items if isinstance(item, Found)]
    if len(recipes) > 1:
        raise NpnError(f"{name or 'the text'} holds several recipes, where one is wanted")
    if recipes:
        return recipes[0]
    problem = next(item for item in items if isinstance(item, Problem))
    raise NpnError(_with_name(name, f"{problem.where}: {problem.message}"))


def read_file(path: str, stdin: IO[bytes] | None = None) -> Iterator[Item]:
    """The recipes of a file, of a page on the web, or of standard input for "-", as they come: each
    Found can be tracked; a Problem is one recipe of several that cannot; a Note is for the user. A
    file that cannot be used at all raises NpnError, which names it. JSON Lines are streamed."""
    name = "standard input" if path == "-" else path
    if ADDRESS.match(path):
        from npn.formats.http_request import fetch_page  # only pages pay for it

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

        yield from _never_empty(called, read_lines(stream_lines(file, first)))
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
        for item in _never_empty(source.name or "the text", format.read(source)):
            yield _checked(item) if isinstance(item, Found) else item
    except NpnError as error:
        raise NpnError(_with_name(source.name, str(error))) from error


def _checked(found: Found) -> Item:
    """What was found, if it can be tracked. If not, it is one problem among several recipes, and an
    error where the file is that one recipe."""
    try:
        found.recipe.check()
    except NpnError as error:
        if not found.where:
            raise
        return Problem(found.where, str(error))
    return found


def _never_empty(name: str, items: Iterator[Item]) -> Iterator[Item]:
    """The items of a source. It is an error when none of them is a recipe or a problem with one."""
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


def _with_name(name: str, message: str) -> str:
    """A message that says which source it is about."""
    return message if not name or name in message else f"{name}: {message}"


# -- The formats we read, in the order in which they are asked whether a file is theirs.

# Formats with a sure mark of their own come first; our JSON explains what is wrong with any other
# JSON, and plain text takes what nobody else wants.
_MODULES = (
    *("paprika", "nextcloud", "mealie", "tandoor", "kitchenowl", "schema_org", "json_recipe"),
    *("meal_master", "cooklang", "plain_text"),
)


def formats() -> tuple[Format, ...]:
    """Every format, as `npn formats` lists them."""
    return tuple(map(_format, _MODULES))


def find_format(source: Source) -> Format | None:
    """The first format whose own `source` is. Only modules of formats that it may be are loaded."""
    return next((one for one in map(_format, _candidates(source)) if one.sniff(source)), None)


def _candidates(source: Source) -> Iterator[str]:
    """The modules of the formats that a source may be of, by how it begins and what is in it."""
    if is_zip(source) or source.data.startswith(GZIP_SIGNATURE):
        yield from ("paprika", "nextcloud", "mealie", "tandoor")
        return
    text, name = source.text, source.name.lower()
    beginning = text[:2000].lstrip("\ufeff \t\r\n")[:1]
    if beginning in ("{", "["):
        yield from ("paprika", "mealie", "tandoor", "kitchenowl")
    if beginning in ("{", "[", "<"):
        yield "schema_org"
    if text.lstrip().startswith(("{", "[")) or name.endswith((".json", ".jsonl")):
        yield "json_recipe"
    if "Title:" in text:
        yield "meal_master"
    if "@" in text or name.endswith(".cook"):
        yield "cooklang"
    yield "plain_text"


def _format(module: str) -> Format:
    format = import_module(f"npn.formats.{module}").FORMAT
    assert isinstance(format, Format)
    return format


# -- From bytes to text.

# Tab, line ends, form feed; 0x14 (a paragraph sign in CP437), 0x1A (end of a DOS file), escape.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x14\x1a\x1b"))
# Other characters, with those beside them.
_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]{1,200}[\x00-\x7f]?")
_EVIDENCE = 20_000  # runs of them to weigh: more would not change the verdict
# Those that fit where they stand in a recipe, and how much that says for an encoding. "½" after a
# space fits; inside a word it is probably another character of another encoding.
_SMALL = "a-zß-öø-ÿœ"
_FITTING = (
    (re.compile(r"(?<![^\W\d_])[½¼¾⅓⅔⅛]|(?<=\d)[°º]|[°º](?=[FC])"), 4),
    (re.compile(r"’|[‘“”–—…•™®](?![^\W\d_])|(?<![^\W\d_])[‘“”–—…•™®]"), 3),
    (re.compile(rf"(?<=[{_SMALL}])[ß-öø-ÿœ]|[ß-öø-ÿœ](?=[{_SMALL}])"), 2),
    (re.compile(rf"(?<![{_SMALL}])([À-ÖØ-ÞŒ])(?!\1)(?=[{_SMALL}A-ZÀ-Þ])"), 2),
    (re.compile(r"([─-╿])(?=\1)|(?<=([─-╿]))\2"), 2),  # a box is drawn in runs
    (re.compile("\xa0"), 1),
    (re.compile("\ufffd"), -2),
)

# The first of the equally plausible is taken. Windows-1252 is Latin-1 with printable characters
# where Latin-1 has control codes.
_LEGACY = (("cp1252", "Windows-1252 (Latin-1)"), ("cp437", "CP437 (DOS)"))
_BROKEN = "UTF-8 with broken characters"


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str = ""  # empty for UTF-8 and UTF-16, else the legacy encoding that was guessed


def decode(data: bytes) -> Decoded | None:
    """The text of `data`, or None where it is binary."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
        return None if "\0" in text else Decoded(text)
    if _is_binary(data):
        return None
    data = data.rstrip(b"\x1a")
    try:
        return Decoded(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _likeliest(data)


def _is_binary(data: bytes) -> bool:
    head = data[:65_536]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return b"\0" in data or controls * 50 > len(head)


def _likeliest(data: bytes) -> Decoded:
    guesses = [Decoded(data.decode(codec, errors="replace"), name) for codec, name in _LEGACY]
    guesses.append(Decoded(data.decode("utf-8-sig", errors="replace"), _BROKEN))
    return max(guesses, key=lambda guess: _plausibility(guess.text))


def _plausibility(text: str) -> int:
    """How well the characters beyond ASCII fit where they stand in a recipe."""
    around = "\n".join(found[0] for found in islice(_BEYOND_ASCII.finditer(text), _EVIDENCE))
    fitting = sum(weight * len(pattern.findall(around)) for pattern, weight in _FITTING)
    return fitting - sum(not character.isascii() for character in around)


# -- JSON from outside: whatever is wrong with it becomes one sentence.

_DECODER = json.JSONDecoder(strict=False)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(data: str | bytes) -> object:
    """The value that a text holds. Line breaks inside strings are forgiven, as many sites write
    them, and halves of a surrogate pair, which no one could print, are replaced."""
    text = data if isinstance(data, str) else data.decode("utf-8-sig", "replace")
    try:
        value: object = _DECODER.decode(text)
        if "\\" in text and "\\u" in text and HALF_CHARACTER.search(text):
            rewritten = json.dumps(value, ensure_ascii=False).encode(errors="replace")
            value = json.loads(rewritten)
    except RecursionError:
        raise NpnError("the JSON is nested too deeply to be a recipe") from None
    except json.JSONDecodeError as error:
        raise NpnError(f"the JSON is broken at line {error.lineno}: {error.msg}") from None
    except ValueError:
        raise NpnError("the JSON holds a number of thousands of digits") from None
    return value
