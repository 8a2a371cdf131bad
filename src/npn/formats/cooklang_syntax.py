"""The Cooklang language: from its text to metadata and steps of text and marks.

A sign (@ ingredient, # cookware, ~ timer) is followed by one word, or by several that end with
braces: "@salt", "@sea salt{}", "@flour{125%g}", "~{5%minutes}". Lines of a paragraph are one step.
Comments are read away; sections (= Dough), notes (> ...) and metadata are no steps. Modifiers that
many files have before a name (@&dough, @?parsley) are no part of it. A backslash makes a character
of the sign after it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

COMMENT = re.compile(r"(?<!-)--(?!-)[^\n]*")
SIGN = re.compile(r"\\.|[@#~]")  # what a backslash stands before is only a character
ESCAPED = re.compile(r"\\(.)")
MODIFIERS = re.compile(r"[@&?+-]{0,9}(\(~?=?\d{1,3}\))?")
IN_BRACES = re.compile(r"([^@#~{\n]*)\{([^{}]*)\}(?:\(([^()]*)\))?")  # name, amount, preparation
FRACTION = re.compile(r"([1-9]\d{0,8})\s{0,9}/\s{0,9}([1-9]\d{0,8})")
DECIMAL = re.compile(r"(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class MarkedAmount:
    """What stands in braces: the amount as it was written, and its unit."""

    written: str = ""
    units: str = ""

    @property
    def number(self) -> Fraction | None:
        """The amount where it is a number: "1/2" and "1.5" are, "few" and "01/2" are not."""
        if found := FRACTION.fullmatch(self.written):
            return Fraction(int(found[1]), int(found[2]))
        return Fraction(self.written) if DECIMAL.fullmatch(self.written) else None


@dataclass(frozen=True, slots=True)
class CooklangMark:
    """What a step marks by a sign: an ingredient (@), cookware (#) or a timer (~). Of ingredients,
    `preparation` is what stands in brackets, "@onion{1}(diced)", and those that an earlier step
    has `made` are none of the list: "@&(~1)dough{}"."""

    sign: str
    name: str
    amount: MarkedAmount = MarkedAmount()
    preparation: str = ""
    made: bool = False


Piece = str | CooklangMark  # a string is text


@dataclass(frozen=True, slots=True)
class MarkedStep:
    """A step in pieces, and the last section named above it."""

    pieces: tuple[Piece, ...]
    section: str | None


@dataclass(frozen=True, slots=True)
class Document:
    metadata: dict[str, str]
    steps: list[MarkedStep]


def parse(text: str) -> Document:
    text = "\n".join(text.removeprefix("\ufeff").splitlines())
    metadata, body = _front_matter(text)
    paragraphs = _paragraphs(_without_block_comments(body), metadata)
    steps = [MarkedStep(_pieces(paragraph), section) for section, paragraph in paragraphs]
    return Document(metadata, [step for step in steps if any(map(_is_seen, step.pieces))])


def _is_seen(piece: Piece) -> bool:
    return not isinstance(piece, str) or bool(piece.strip())


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """The metadata between two lines of dashes at the very top, and what follows."""
    lines = text.lstrip().split("\n")
    if lines[0].rstrip() != "---":
        return {}, text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            metadata: dict[str, str] = {}
            for entry in lines[1:number]:
                if not entry[:1].isspace():  # what is indented belongs to the key above
                    _add_metadata(metadata, entry)
            return metadata, "\n".join(lines[number + 1 :])
    return {}, text


def _add_metadata(metadata: dict[str, str], entry: str) -> None:
    key, colon, value = entry.partition(":")
    if colon and key.strip():
        metadata[key.strip()] = _unquoted(value.strip())


def _unquoted(value: str) -> str:
    if value.startswith('"'):
        with suppress(ValueError, RecursionError):
            text = json.loads(value)
            return text if isinstance(text, str) else value
    return value.strip("\"'")


def _without_block_comments(text: str) -> str:
    """The text less everything from "[-" to "-]"."""
    pieces = []
    at = 0
    while (start := text.find("[-", at)) >= 0 and (end := text.find("-]", start + 2)) >= 0:
        pieces.append(text[at:start])
        at = end + 2
    return "".join([*pieces, text[at:]])


def _paragraphs(body: str, metadata: dict[str, str]) -> list[tuple[str | None, str]]:
    """The steps, each with the section it stands in; metadata among them is added to the rest."""
    paragraphs = []
    section: str | None = None
    lines: list[str] = []
    note = False

    def close() -> None:
        if lines:
            paragraphs.append((section, " ".join(lines)))
            lines.clear()

    for raw in body.split("\n"):
        line = COMMENT.sub("", raw)
        if not line.strip():
            if not raw.strip():  # a line that only held a comment does not end a step
                close()
                note = False
        elif line.startswith(">>"):
            close()
            _add_metadata(metadata, line[2:])
        elif line.startswith("="):
            close()
            section = line.strip("= \t") or None
        elif line.startswith(">") or note:
            close()
            note = True
        else:
            lines.append(line)
    close()
    return paragraphs


def _pieces(paragraph: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    done = look = 0
    while found := SIGN.search(paragraph, look):
        start, look = found.span()
        marked = None if found[0][0] == "\\" else _marked(paragraph, start)
        if marked is None:
            continue
        if start > done:
            pieces.append(ESCAPED.sub(r"\1", paragraph[done:start]))
        pieces.append(marked[0])
        done = look = marked[1]
    if done < len(paragraph):
        pieces.append(ESCAPED.sub(r"\1", paragraph[done:]))
    return tuple(pieces)


def _marked(text: str, start: int) -> tuple[CooklangMark, int] | None:
    """What the sign at `start` marks and where the text goes on; None if it is only a character."""
    sign = text[start]
    modifiers = MODIFIERS.match(text, start + 1) if sign != "~" else None
    begin = modifiers.end() if modifiers else start + 1
    if not text[begin : begin + 1].strip():
        return None
    found = IN_BRACES.match(text, begin)
    if found is None:
        word = _word(text, begin)
        return (CooklangMark(sign, word), begin + len(word)) if word else None
    name, amount, end = found[1].strip(), _amount(found[2]), found.end(2) + 1
    if not name and sign != "~":
        return None
    if sign != "@":
        return CooklangMark(sign, name, amount), end
    made = bool(modifiers and modifiers[1])
    return CooklangMark(sign, name, amount, (found[3] or "").strip(), made), found.end()


def _word(text: str, start: int) -> str:
    """One word. A hyphen or an apostrophe inside it does not end it."""
    end = start
    while end < len(text) and (_is_letter(text[end]) or _joins(text, end, start)):
        end += 1
    return text[start:end]


def _is_letter(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character)[0] not in "PC"


def _joins(text: str, at: int, start: int) -> bool:
    between = start < at < len(text) - 1
    return between and text[at] in "-'’" and text[at - 1].isalnum() and text[at + 1].isalnum()


def _amount(inside: str) -> MarkedAmount:
    written, _, units = inside.partition("%")
    written = written.strip().removeprefix("=").strip()  # "=" says: do not scale
    return MarkedAmount(written, units.strip())
