"""The Cooklang language: from its text to metadata and steps of text, ingredients, cookware and
timers.

A marker (@ ingredient, # cookware, ~ timer) is followed by one word, or by several that end with
braces: "@salt", "@sea salt{}", "@flour{125%g}", "~{5%minutes}". Lines of a paragraph are one step.
Comments are read away; sections (= Dough), notes (> ...) and metadata are no steps. Modifiers that
many files have before a name (@&dough, @?parsley) are no part of it. A backslash makes a character
of the marker after it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

COMMENT = re.compile(r"(?<!-)--(?!-)[^\n]*")
MARKER = re.compile(r"\\.|[@#~]")  # what a backslash stands before is only a character
ESCAPED = re.compile(r"\\(.)")
BRACES = re.compile(r"\{([^{}]*)\}")
PARENTHESES = re.compile(r"\(([^()]*)\)")
MODIFIERS = re.compile(r"[@&?+-]{0,9}(\(~?=?\d{1,3}\))?")
NAME_END = re.compile(r"[@#~{\n]")
FRACTION = re.compile(r"([1-9]\d{0,8})\s{0,9}/\s{0,9}([1-9]\d{0,8})")
DECIMAL = re.compile(r"(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class MentionedAmount:
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
class IngredientMention:
    name: str
    amount: MentionedAmount = MentionedAmount()
    preparation: str = ""  # "@onion{1}(peeled and diced)"
    made: bool = False  # by an earlier step: "@&(~1)dough{}"


@dataclass(frozen=True, slots=True)
class Cookware:
    name: str
    amount: MentionedAmount


@dataclass(frozen=True, slots=True)
class Timer:
    name: str
    amount: MentionedAmount


Piece = str | IngredientMention | Cookware | Timer  # a string is text


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
    while found := MARKER.search(paragraph, look):
        start = found.start()
        look = found.end()
        parsed = _marked(paragraph, start) if paragraph[start] != "\\" else None
        if parsed is None:
            continue
        piece, end = parsed
        if start > done:
            pieces.append(ESCAPED.sub(r"\1", paragraph[done:start]))
        pieces.append(piece)
        done = look = end
    if done < len(paragraph):
        pieces.append(ESCAPED.sub(r"\1", paragraph[done:]))
    return tuple(pieces)


def _marked(text: str, start: int) -> tuple[Piece, int] | None:
    """What a marker at `start` marks and where the text goes on; None if it is only a character."""
    marker = text[start]
    modifiers = MODIFIERS.match(text, start + 1) if marker != "~" else None
    begin = modifiers.end() if modifiers else start + 1
    if not text[begin : begin + 1].strip():
        return None
    if braces := _braces(text, begin):
        name, inside, end = braces
    else:
        name, inside = _word(text, begin), ""
        end = begin + len(name)
    if not name and (marker != "~" or not braces):
        return None
    match marker:
        case "@":
            preparation, end = _preparation(text, end)
            made = bool(modifiers and modifiers[1])
            return IngredientMention(name, _amount(inside), preparation, made), end
        case "#":
            return Cookware(name, _amount(inside)), end
    return Timer(name, _amount(inside)), end


def _braces(text: str, start: int) -> tuple[str, str, int] | None:
    """A name up to braces, what they hold, and where they end."""
    found = NAME_END.search(text, start)
    if found is None or found[0] != "{":
        return None
    inside = BRACES.match(text, found.start())
    if inside is None:
        return None
    return text[start : found.start()].strip(), inside[1], inside.end()


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


def _preparation(text: str, at: int) -> tuple[str, int]:
    found = PARENTHESES.match(text, at) if text[at - 1] == "}" else None
    return (found[1].strip(), found.end()) if found else ("", at)


def _amount(inside: str) -> MentionedAmount:
    written, _, units = inside.partition("%")
    written = written.strip().removeprefix("=").strip()  # "=" says: do not scale
    return MentionedAmount(written, units.strip())
