"""Cooklang: recipes in which the steps mark their ingredients.

The list of ingredients is made from the marks, as Cooklang's own tools make it: a line for each
name, in the order of first mention. Amounts in the same unit are added up; others stand side by
side ("1 cup + 2 sprigs parsley"). Sections (== Dough ==) are those of the steps and of what they
mark; a name with an amount in two sections has a line in each, unless it was first marked as
divided ("@oil{1%tbsp}(divided)"). A step is linked to the lines that it marks, and reads as a cook
would read it: "Add @salt{1%tsp} and cook for ~{5%minutes}" is "Add salt and cook for 5 minutes".

A name to show in the step (@white wine|wine{}) and other recipes (@./sauces/Pesto{}) are read too;
what an earlier step made (@&(~1)dough{}) is no ingredient.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath

from npn.formats.cooklang_syntax import CooklangMark, Document, MarkedAmount, Piece, parse
from npn.formats.reading import DATA_FILES, Format, Found, Item, Source
from npn.formats.sections import SectionLine, to_recipe
from npn.language.amounts import parse_yield

MARKED = re.compile(r"@[^\s@#~{}][^@#~{}\n]*\{[^{}\n%]*%[^{}\n]*\}")
SPACE = re.compile(r"\s+")
EXTENSION = ".cook"
YIELD = ("servings", "serves", "yield", "yields", "makes")

LineKey = tuple[str, str | None]  # of a line: its name or text, and its section


def sniff(source: Source) -> bool:
    name = source.name.lower()
    if name.endswith(EXTENSION):
        return bool(source.text.strip())
    return (
        not name.endswith(DATA_FILES)
        and source.text.lstrip()[:1] not in ("{", "<")
        and MARKED.search(source.text) is not None
    )


def read(source: Source) -> Iterator[Item]:
    document = parse(source.text)
    title = document.metadata.get("title", "")
    if not title and source.name.lower().endswith(EXTENSION):
        title = PurePath(source.name).stem  # a Cooklang file is called like its dish
    made = next((value for key in YIELD if (value := document.metadata.get(key))), "")
    lines, steps = _lines_and_steps(document)
    stood = lines_as_they_stood(source.text, lines)
    as_given = stood is not None
    yield Found(to_recipe(title, stood or lines, steps, parse_yield(made), as_given))


def listed_lines(text: str) -> list[SectionLine]:
    """The lines that the marks of a file make, without its remarks."""
    return _lines_and_steps(parse(text))[0]


def _lines_and_steps(document: Document) -> tuple[list[SectionLine], list[SectionLine]]:
    """A line for each name in a section, and the steps, linked to the lines that they mark."""
    lines: dict[LineKey, tuple[int, list[CooklangMark]]] = {}  # the place and marks of each
    sections: dict[str, str | None] = {}  # where each name was listed last
    divided: set[str] = set()
    steps = []
    for step in document.steps:
        pieces, used = _split_lists(step.pieces)
        uses = set()
        for n, piece in enumerate(step.pieces):
            if isinstance(piece, str) or piece.sign != "@" or piece.made:
                continue
            name = _names(piece.name)[0].casefold()
            if name not in sections or (piece.amount.written and name not in divided):
                sections[name] = step.section
            if "divided" in piece.preparation:
                divided.add(name)
            place, marks = lines.setdefault((name, sections[name]), (len(lines), []))
            marks.append(piece)
            uses.update([place] if n < used else [])
        text = SPACE.sub(" ", "".join(map(_shown, pieces))).strip()
        steps.append(SectionLine(text, step.section, uses=frozenset(uses)))
    return [_line(same, section, at) for (_, section), (at, same) in lines.items()], steps


def _line(marks: Sequence[CooklangMark], section: str | None, place: int) -> SectionLine:
    name = _names(marks[0].name)[0]
    line = " ".join(part for part in (_sum(one.amount for one in marks), name) if part)
    preparations = dict.fromkeys(one.preparation for one in marks if one.preparation)
    return SectionLine(", ".join([line, *preparations]), section, name, place)


def _names(name: str) -> tuple[str, str]:
    """The name for the list, and the name that the step shows."""
    listed, _, shown = name.partition("|")
    if name.startswith(("./", "../", ".\\", "..\\")):
        listed = shown = PurePath(listed.replace("\\", "/")).name
    return listed.strip(), (shown or listed).strip()


def _sum(amounts: Iterable[MarkedAmount]) -> str:
    """The amounts together, each unit once; an amount that stands alone is kept as written."""
    by_unit: dict[str, list[MarkedAmount]] = {}
    for amount in amounts:
        if amount.written:
            by_unit.setdefault(amount.units, []).append(amount)
    return " + ".join(
        f"{total} {unit}".strip() for unit, parts in by_unit.items() for total in _totals(parts)
    )


def _totals(parts: list[MarkedAmount]) -> list[str]:
    numbers = [part.number for part in parts if part.number is not None]
    if len(parts) == 1 or len(numbers) < len(parts):
        return list(dict.fromkeys(part.written for part in parts))
    return [f"{float(sum(numbers)):g}"]


def _shown(piece: Piece) -> str:
    """A piece as a cook reads it."""
    if isinstance(piece, str):
        return piece
    if piece.sign == "~":
        return f"{piece.amount.written} {piece.amount.units}".strip() or piece.name
    return _names(piece.name)[1] if piece.sign == "@" else piece.name


# -- Lists of marks in brackets behind a step: "Mix everything. (@salt{1%tsp}, @flour{1%cup})".
#
# We write them so where a step uses what it does not name; they are no words of the step.

NOT_USED = "Not used above: "
OPENING = re.compile(rf" ?\((?:{NOT_USED})?$")


def _split_lists(step: Sequence[Piece]) -> tuple[list[Piece], int]:
    """A step without the lists behind it, unless it is nothing else, and how many of its pieces
    stand before the list of what no step uses: "Serve. (Not used above: @parsley{})"."""
    pieces, used = list(step), len(step)
    while found := _last_list(pieces):
        place, opening = found
        text = opening.string[: opening.start()]
        if not (place or text):
            break
        used = place if NOT_USED in opening[0] else used
        pieces[place:] = [text] if text else []
    return pieces, used


def _last_list(pieces: Sequence[Piece]) -> tuple[int, re.Match[str]] | None:
    """The place of the text that opens the last list, and its opening bracket. From the back, a
    list is a bracket, and by turns marks and commas."""
    last = pieces[-1]
    if not isinstance(last, str) or last.strip() != ")":
        return None
    for n in range(len(pieces) - 2, 0, -2):
        mark, before = pieces[n], pieces[n - 1]
        if isinstance(mark, str) or mark.sign != "@" or not isinstance(before, str):
            return None
        if opening := OPENING.search(before):
            return n - 1, opening
        if before.strip() != ",":
            return None
    return None


# -- The lines of a recipe's list, as they stood, in remarks at the end of a Cooklang file.
#
# From marks a line can be put together ("1.5 cup flour"), but not as somebody wrote it. We write
# that down as a comment, which no program minds:
#
#     -- "1.5 cup flour" was "1 1/2 cups flour, sifted" in "Dough"
#
# It counts for a line that is just as the remark has it, and no more where marks were changed.

STRING = r'"(?:[^"\\]|\\.)*"'
REMARK = re.compile(rf"-- ({STRING})(?: in ({STRING}))? was ({STRING})(?: in ({STRING}))?")


def remark(read: SectionLine, stood: SectionLine) -> str:
    """The remark that a line which is `read` from the marks stood so in the list."""
    return f"-- {_quoted(read)} was {_quoted(stood)}"


def _quoted(line: SectionLine) -> str:
    texts = [line.text, *([line.section] if line.section else [])]
    return " in ".join(json.dumps(text, ensure_ascii=False) for text in texts)


def lines_as_they_stood(text: str, read: Sequence[SectionLine]) -> list[SectionLine] | None:
    """The lines `read` from the marks, as they stood and in the order of the list. Lines that have
    no remark come last; None where there are no remarks."""
    remarks: dict[LineKey, SectionLine] = {}
    for found in map(REMARK.fullmatch, text.splitlines()):
        if found is not None:
            with suppress(ValueError):
                line, section, stood, heading = (
                    json.loads(one or "null") for one in found.groups()
                )
                remarks[line, section] = SectionLine(stood, heading)
    if not remarks:
        return None
    order = {key: n for n, key in enumerate(remarks)}
    in_order = sorted(read, key=lambda line: order.get((line.text, line.section), len(order)))
    return [
        replace(remarks.get((line.text, line.section), line), name=line.name, place=line.place)
        for line in in_order
    ]


FORMAT = Format("cooklang", "Cooklang, recipes with marked ingredients", (EXTENSION,), sniff, read)
