"""Cooklang: recipes in which the steps mark their ingredients.

The list of ingredients is made from the marks, as Cooklang's own tools make it: a line for each
name, in the order of first mention, however often it is marked. Amounts in the same unit are added
up; others stand side by side ("1 cup + 2 sprigs parsley"). Sections (== Dough ==) are those of the
steps and of the ingredients marked in them; a name with an amount in two sections has a line in
each, unless it was first marked as divided ("@oil{1%tbsp}(divided)"). A step reads as a person
would read it: "Add @salt{1%tsp} and cook for ~{5%minutes}" is "Add salt and cook for 5 minutes". A
list of marks in brackets behind a step is no part of its text. A step is linked to the lines that
it marks.

A name to show in the step (@white wine|wine{}) and other recipes (@./sauces/Pesto{}) are read too;
what an earlier step made (@&(~1)dough{}) is no ingredient.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import PurePath

from npn.formats.cooklang_syntax import (
    CooklangText,
    Cookware,
    Document,
    IngredientMention,
    MentionedAmount,
    Piece,
    Timer,
    parse,
)
from npn.formats.reading import DATA_FILES, Format, Found, Item, Source
from npn.formats.sections import SectionLine, to_recipe
from npn.language.amounts import parse_yield

MARKED = re.compile(r"@[^\s@#~{}][^@#~{}\n]*\{[^{}\n%]*%[^{}\n]*\}")
SPACE = re.compile(r"\s+")
EXTENSION = ".cook"
YIELD = ("servings", "serves", "yield", "yields", "makes")


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
    steps = [
        SectionLine(_step_text(step), section)
        for step, section in zip(document.steps, document.sections, strict=True)
    ]
    made = next((value for key in YIELD if (value := document.metadata.get(key))), "")
    listed = _listed(document)
    lines, links = listed.lines(), listed.links()
    stood = lines_as_they_stood(source.text, lines)
    if stood is not None:
        lines = [line for _, line in stood]
        places = {before: place for place, (before, _) in enumerate(stood)}
        links = tuple(tuple(sorted(places[i] for i in linked)) for linked in links)
    recipe = to_recipe(title, lines, steps, parse_yield(made), as_given=stood is not None)
    yield Found(replace(recipe, links=links))


def listed_lines(text: str) -> list[SectionLine]:
    """The lines that the marks of a file make, without its remarks."""
    return _listed(parse(text)).lines()


def _step_text(step: tuple[Piece, ...]) -> str:
    return SPACE.sub(" ", "".join(map(_shown, without_list(step)))).strip()


Key = tuple[str, str | None]  # the name and the section of a line


@dataclass(slots=True)
class _Listed:
    """The lines so far, with all that marks them, and the lines that each step marks."""

    mentions: dict[Key, list[IngredientMention]] = field(default_factory=dict)
    marked: list[set[Key]] = field(default_factory=list)

    def lines(self) -> list[SectionLine]:
        lines = []
        for (_, section), same in self.mentions.items():
            name = _names(same[0].name)[0]
            line = " ".join(part for part in (_sum(one.amount for one in same), name) if part)
            preparations = dict.fromkeys(one.preparation for one in same if one.preparation)
            lines.append(SectionLine(", ".join([line, *preparations]), section, name))
        return lines

    def links(self) -> tuple[tuple[int, ...], ...]:
        """For each step the lines that it marks, by number; nothing where no step marks any."""
        places = {key: place for place, key in enumerate(self.mentions)}
        links = tuple(tuple(sorted(places[key] for key in marked)) for marked in self.marked)
        return links if any(links) else ()


def _listed(document: Document) -> _Listed:
    listed = _Listed()
    sections: dict[str, str | None] = {}  # where each name was listed last
    divided: set[str] = set()
    for step, section in zip(document.steps, document.sections, strict=True):
        used = len(without_unused(step))
        listed.marked.append(set())
        for place, piece in enumerate(step):
            if isinstance(piece, IngredientMention) and not piece.made:
                name = _names(piece.name)[0].casefold()
                if name not in sections or (piece.amount.written and name not in divided):
                    sections[name] = section
                if "divided" in piece.preparation:
                    divided.add(name)
                key = name, sections[name]
                listed.mentions.setdefault(key, []).append(piece)
                if place < used:
                    listed.marked[-1].add(key)
    return listed


def _names(name: str) -> tuple[str, str]:
    """The name for the list, and the name that the step shows."""
    listed, _, shown = name.partition("|")
    if name.startswith(("./", "../", ".\\", "..\\")):
        listed = shown = PurePath(listed.replace("\\", "/")).name
    return listed.strip(), (shown or listed).strip()


def _sum(amounts: Iterable[MentionedAmount]) -> str:
    """The amounts together, each unit once; an amount that stands alone is kept as written."""
    by_unit: dict[str, list[MentionedAmount]] = {}
    for amount in amounts:
        if amount.written:
            by_unit.setdefault(amount.units, []).append(amount)
    return " + ".join(
        f"{total} {unit}".strip() for unit, parts in by_unit.items() for total in _totals(parts)
    )


def _totals(parts: list[MentionedAmount]) -> list[str]:
    numbers = [part.quantity for part in parts if isinstance(part.quantity, Fraction)]
    if len(parts) == 1 or len(numbers) < len(parts):
        return list(dict.fromkeys(part.written for part in parts))
    return [f"{float(sum(numbers)):g}"]


def _shown(piece: Piece) -> str:
    match piece:
        case CooklangText(value):
            return value
        case IngredientMention(name):
            return _names(name)[1]
        case Cookware(name):
            return name
        case Timer(name, amount):
            return f"{amount.written} {amount.units}".strip() or name


# -- Lists of marks in brackets behind a step: "Mix everything. (@salt{1%tsp}, @flour{1%cup})".
#
# We write them so where a step uses what it does not name; they are no words of the step.

NOT_USED = "Not used above: "
OPENING = re.compile(rf" ?\((?:{NOT_USED})?$")


def without_list(step: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """A step without the lists behind it; a step that is nothing else stays as it is."""
    shorter = _without_last_list(step)
    while shorter is not None:
        step, shorter = shorter, _without_last_list(shorter)
    return step


def without_unused(step: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """A step without the list of what no step uses: "Serve. (Not used above: @parsley{})"."""
    for n, piece in enumerate(step):
        if isinstance(piece, CooklangText) and piece.value.endswith(f"({NOT_USED}"):
            return step[:n] if _without_last_list(step) is not None else step
    return step


def _without_last_list(step: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
    last = step[-1]
    if not isinstance(last, CooklangText) or last.value.strip() != ")":
        return None
    for n in range(len(step) - 2, 0, -2):
        before = step[n - 1]
        if not isinstance(step[n], IngredientMention) or not isinstance(before, CooklangText):
            return None
        if opening := OPENING.search(before.value):
            text = before.value[: opening.start()]
            left = (*step[: n - 1], *([CooklangText(text)] if text else []))
            return left or None
        if before.value.strip() != ",":
            return None
    return None


# -- The lines of a recipe's list, as they stood, in remarks at the end of a Cooklang file.
#
# Marks have a name, an amount and a preparation, from which a line can be put together ("1.5 cup
# flour"), but no line as somebody wrote it. We write that down as a comment, which no program
# minds:
#
#     -- "1.5 cup flour" was "1 1/2 cups flour, sifted" in "Dough"
#
# A remark counts for a line that is just as the remark has it. Where somebody has changed the marks
# since, the line is what the marks say.

STRING = r'"(?:[^"\\]|\\.)*"'
REMARK = re.compile(rf"-- ({STRING})(?: in ({STRING}))? was ({STRING})(?: in ({STRING}))?")


def remark(read: SectionLine, stood: SectionLine) -> str:
    """The remark that a line which is `read` from the marks stood so in the list."""
    return f"-- {_quoted(read)} was {_quoted(stood)}"


def _quoted(line: SectionLine) -> str:
    texts = [line.text, *([line.section] if line.section else [])]
    return " in ".join(json.dumps(text, ensure_ascii=False) for text in texts)


def lines_as_they_stood(
    text: str, read: Iterable[SectionLine]
) -> list[tuple[int, SectionLine]] | None:
    """The lines in the order of the list, each with its place among those `read`. Lines that have
    no remark come last; None where there are no remarks."""
    remarks: dict[tuple[str, str | None], SectionLine] = {}
    for found in map(REMARK.fullmatch, text.splitlines()):
        if found is not None:
            with suppress(ValueError):
                line, section, stood, in_section = (
                    json.loads(one or "null") for one in found.groups()
                )
                remarks[line, section] = SectionLine(stood, in_section)
    if not remarks:
        return None
    order = {key: place for place, key in enumerate(remarks)}
    lines = []
    for place, line in enumerate(read):
        key = line.text, line.section
        stood = remarks.get(key)
        rank = order.get(key, len(order))
        lines.append((rank, place, line if stood is None else _named(stood, line.name)))
    return [(place, line) for _, place, line in sorted(lines, key=lambda one: one[:2])]


def _named(line: SectionLine, name: str) -> SectionLine:
    return SectionLine(line.text, line.section, name)


FORMAT = Format("cooklang", "Cooklang, recipes with marked ingredients", (EXTENSION,), sniff, read)
