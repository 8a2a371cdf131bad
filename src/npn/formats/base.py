"""What every reader gets and gives, and how bytes become text: UTF-8, UTF-16 with its mark, or the
likeliest legacy encoding."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from npn.errors import NpnError
from npn.recipe import Recipe

DATA_FILES = (".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml")  # text, but not a recipe's
ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
GZIP_SIGNATURE = b"\x1f\x8b"
LONGEST_LINE = 16 << 20  # bytes of JSON Lines; a recipe of 5,000 long lines stays far below


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it came: its name (for messages and for sniffing), its bytes, and its text, which
    is empty for binary data such as a zip archive."""

    name: str
    data: bytes
    text: str


def is_zip(source: Source) -> bool:
    return source.data.startswith(ZIP_SIGNATURES)


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


# -- From bytes to text.

# Tab, line ends, form feed; 0x14 (a paragraph sign in CP437), 0x1A (end of a DOS file), escape.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x14\x1a\x1b"))
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_EVIDENCE = 20_000  # runs of other characters to weigh: more would not change the verdict

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
    score = 0
    for run in islice(_BEYOND_ASCII.finditer(text), _EVIDENCE):
        around = text[max(run.start() - 1, 0) : run.start()] or " "
        characters = around + run.group() + (text[run.end() : run.end() + 1] or " ")
        for before, this, after in zip(characters, characters[1:], characters[2:], strict=False):
            score += _fit(before, this, after)
    return score


def _fit(before: str, this: str, after: str) -> int:
    if this == "\ufffd":
        return -3
    if this in "½¼¾⅓⅔⅛":
        return -1 if before.isalpha() else 3
    if this in "°º":
        return 3 if before.isdigit() or after in "FC" else -1
    if "\u2500" <= this <= "\u257f":  # a box is drawn in runs
        return 1 if this in (before, after) else -2
    if this in "‘’“”–—…•™®":
        return 2 if before.isalpha() else 1
    if this == "\xa0":
        return 0
    if not this.isalpha() or this > "\u024f":
        return -2 if this.isalpha() else -1
    if this == before or before.isdigit():
        return -2
    if this.isupper():
        return -2 if before.islower() else 1 if after.isalpha() else -1
    return 1 if before.isalpha() or after.isalpha() else -1


# -- JSON from outside: whatever is wrong with it becomes one sentence.

_DECODER = json.JSONDecoder(strict=False)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str) -> object:
    """The value that `text` holds. Line breaks inside strings are forgiven, as many sites write
    them, and halves of a surrogate pair, which no one could print, are replaced."""
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


def parse_json_bytes(data: bytes) -> object:
    return parse_json(data.decode("utf-8-sig", "replace"))
