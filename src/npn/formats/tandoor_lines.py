"""Rows of ingredients in Tandoor's steps, and the lines of an ingredient list that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from npn.formats.manager_files import number, one_line, value
from npn.formats.sections import SectionLine
from npn.language.amounts import format_amount, fraction_of, simple_fraction
from npn.language.parsed_lines import parse_line
from npn.language.quantities import plural
from npn.recipe import Amount

# -- Amounts as Tandoor keeps them: one number, one unit, and the rest in a note.

PLACES = 4  # decimals
MUCH = 1_000_000.0


@dataclass(frozen=True, slots=True)
class Measured:
    """`quantity` is None where there is no number: Tandoor's "no amount"."""

    quantity: float | None
    unit: str | None
    note: str


def measure(amount: Amount | None, optional: bool = False) -> Measured:
    """An amount in one number and one unit. "1/2 cup plus 2 tablespoons" is 0.625 cups; a range
    counts as its least and is told in the note, like the size of a package, which has no place."""
    amount = amount or Amount()
    quantity, notes, last = amount.quantity, [], "optional" if optional else ""
    if quantity is None:
        units = plural(amount.unit) if amount.unit else ""
        return Measured(None, None, _joined([f"{amount.note or ''} {units}".strip(), last]))
    if amount.plus is not None:
        more = fraction_of(amount.plus, Amount(MUCH, unit=amount.unit))
        if more is None:
            notes.append(f"plus {format_amount(amount.plus)}")
        else:
            quantity += more * MUCH
    if amount.most is not None:
        notes.append(format_amount(replace(amount, plus=None, package=None)))
    if amount.package is not None:
        notes.append(f"{format_amount(amount.package)} each")
    notes += [amount.note or "", last]
    return Measured(round(quantity, PLACES), amount.unit, _joined(notes))


def share(whole: float, fraction: float) -> float:
    """A part of an amount, as it is kept."""
    return round(whole * simple_fraction(fraction), PLACES)


def _joined(notes: list[str]) -> str:
    return ", ".join(note for note in notes if note)


NEARLY = 1.001
LINE_KEY = "line"  # of a row in a file of ours: the place of its line in the list


@dataclass(frozen=True, slots=True)
class TandoorRow:
    """`original` is the whole line that a row is a part of, where the source has it; `line` is the
    place of that line in the list, which our own files give."""

    food: str
    food_plural: str
    unit: str
    unit_plural: str
    amount: float
    note: str
    is_header: bool
    original: str
    line: int | None = None

    @property
    def heading(self) -> str | None:
        return self.note or self.food or None

    def text(self, amount: float) -> RowText:
        """The row with this amount as Tandoor shows it; more than one is many."""
        many = amount > 1
        return RowText(
            f"{amount:.10g}" if amount else "",
            (self.unit_plural if many else "") or self.unit,
            (self.food_plural if many else "") or self.food,
            self.note,
        )


@dataclass(slots=True)
class TandoorLine:
    """Rows of one line, each of another step."""

    place: int  # in the list
    rows: list[TandoorRow]
    section: str | None
    step: int  # of the last row

    @property
    def amount(self) -> float:
        return round(sum(row.amount for row in self.rows), PLACES)

    def takes(self, row: TandoorRow, section: str | None, step: int) -> bool:
        """Whether a row of a later step, of the same food and the same whole line, is more of this
        line."""
        first = self.rows[0]
        if self.step == step or self.section != section:
            return False
        if row.line is not None or first.line is not None:
            return row.line == first.line
        if row.original:
            whole = measure(parse_line(row.original).amount).quantity
            return whole is None or self.amount + row.amount <= whole * NEARLY
        return (
            bool(row.food)
            and (first.unit == row.unit or not row.amount or not self.amount)
            and (first.note == row.note or not first.note or not row.note)
        )

    def listed(self) -> SectionLine:
        """The line as it stands in a list."""
        first = next((row for row in self.rows if row.amount), self.rows[0])
        if first.original:
            return SectionLine(first.original, self.section, place=self.place)
        note = next((row.note for row in self.rows if row.note), "")
        text = _joined([first.text(self.amount).whole, note])
        return SectionLine(text, self.section, first.food, self.place)


@dataclass(slots=True)
class Lines:
    """All lines so far, in the order of their first rows."""

    found: list[TandoorLine] = field(default_factory=list)
    by_food: dict[tuple[str, str], list[TandoorLine]] = field(default_factory=dict)

    def take(self, step: int, rows: Sequence[TandoorRow]) -> list[TandoorLine | None]:
        """The line that each row of a step belongs to, None for a row that is a header or empty. A
        header is the section of those below."""
        taken: list[TandoorLine | None] = []
        section: str | None = None
        for row in rows:
            section = row.heading if row.is_header else section
            empty = row.is_header or not (row.food or row.note or row.original)
            taken.append(None if empty else self._line(row, section, step))
        return taken

    def listed(self) -> list[SectionLine]:
        """The lines, in the order of the list where the rows say what that was."""
        return [
            line.listed() for line in sorted(self.found, key=lambda line: line.rows[0].line or 0)
        ]

    def _line(self, row: TandoorRow, section: str | None, step: int) -> TandoorLine:
        same = self.by_food.setdefault((row.original, row.food.casefold()), [])
        for line in same:
            if line.takes(row, section, step):
                line.rows.append(row)
                line.step = step
                return line
        line = TandoorLine(len(self.found), [row], section, step)
        same.append(line)
        self.found.append(line)
        return line


def read_row(entry: Mapping[str, object]) -> TandoorRow:
    food, unit, line = value(entry, "food"), value(entry, "unit"), number(entry, LINE_KEY)
    amount = None if entry.get("no_amount") is True else number(entry, "amount")
    return TandoorRow(
        one_line(entry, "food") or one_line(food, "name"),
        one_line(food, "plural_name"),
        one_line(entry, "unit") or one_line(unit, "name"),
        one_line(unit, "plural_name"),
        float(amount or 0),
        one_line(entry, "note"),
        entry.get("is_header") is True,
        one_line(entry, "original_text"),
        line if isinstance(line, int) else None,
    )


# -- Tandoor's instructions, which are templates, and the limits of its fields.
#
# In an instruction `{{ ingredients[0] }}` stands for the amount and the name of the step's first
# row, `{{ ingredients[0].unit }}` for its unit, `{{ scale(3) }}` for a number that grows with the
# servings. A text that happens to hold the signs of a template has to be escaped.

LONGEST_NAME = 128  # of a recipe, a food, a unit, a step
LONGEST_SERVINGS = 32
LONGEST_NOTE = 256
LONGEST_ORIGINAL = 512

SIGNS = re.compile(r"\{[{%#]")
ESCAPED = re.compile(r"""\{\{\s{0,9}(?:'(\{[{%#])'|"(\{[{%#])")\s{0,9}\}\}""")
INGREDIENT = re.compile(
    r"\{\{\s{0,9}ingredients\[(\d{1,4})\](?:\.(amount|unit|food|note))?\s{0,9}\}\}"
)
SCALED = re.compile(r"\{\{\s{0,9}scale\(\s{0,9}([\d.,]{1,20})\s{0,9}\)\s{0,9}\}\}")


@dataclass(frozen=True, slots=True)
class RowText:
    """What a template may ask of a row of ingredients."""

    amount: str = ""
    unit: str = ""
    food: str = ""
    note: str = ""

    @property
    def whole(self) -> str:
        return " ".join(part for part in (self.amount, self.unit, self.food) if part)


def escape(text: str) -> str:
    """A text as an instruction that shows just that."""
    return SIGNS.sub(lambda sign: f"{{{{ '{sign[0]}' }}}}", text)


def render(instruction: str, rows: Sequence[RowText]) -> str:
    """An instruction as a cook reads it. What is no template of Tandoor's stays as it is."""

    def of_row(found: re.Match[str]) -> str:
        place, part = int(found[1]), found[2] or "whole"
        return str(getattr(rows[place], part)) if place < len(rows) else ""

    text = INGREDIENT.sub(of_row, instruction)
    text = SCALED.sub(lambda found: found[1], text)
    return ESCAPED.sub(lambda found: found[1] or found[2], text)


def has_templates(instruction: str) -> bool:
    """Whether an instruction speaks of its rows by their places."""
    return INGREDIENT.search(instruction) is not None
