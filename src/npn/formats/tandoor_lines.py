"""Rows of ingredients in Tandoor's steps, and the lines of an ingredient list that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from npn.formats.tandoor_amounts import PLACES, measure
from npn.formats.tandoor_text import RowText
from npn.language.parsed_lines import parse_line
from npn.recipe import Ingredient

NEARLY = 1.001


@dataclass(frozen=True, slots=True)
class TandoorRow:
    """`original` is the whole line that a row is a part of, where the source has it."""

    food: str
    food_plural: str
    unit: str
    unit_plural: str
    amount: float
    note: str
    is_header: bool
    original: str

    @property
    def heading(self) -> str | None:
        return self.note or self.food or None

    @property
    def text(self) -> RowText:
        return _row_text(self, self.amount)


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
        """Whether a row of a later step is more of this line."""
        first = self.rows[0]
        if self.step == step or self.section != section or first.original != row.original:
            return False
        if row.original:
            whole = measure(parse_line(row.original).amount).quantity
            return whole is None or self.amount + row.amount <= whole * NEARLY
        return (
            bool(row.food)
            and first.food.casefold() == row.food.casefold()
            and (first.unit == row.unit or not row.amount or not self.amount)
            and (first.note == row.note or not first.note or not row.note)
        )

    def ingredient(self) -> Ingredient:
        first = next((row for row in self.rows if row.amount), self.rows[0])
        if first.original:
            return Ingredient(first.original, section=self.section)
        note = next((row.note for row in self.rows if row.note), "")
        shown = _row_text(first, self.amount).whole()
        text = ", ".join(part for part in (shown, note) if part)
        return Ingredient(text, first.food, section=self.section)


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

    def ingredients(self) -> tuple[Ingredient, ...]:
        return tuple(line.ingredient() for line in self.found)

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
    amount = entry.get("amount")
    number = isinstance(amount, int | float) and not isinstance(amount, bool)
    stated = number and entry.get("no_amount") is not True
    return TandoorRow(
        _name(entry.get("food"), "name"),
        _name(entry.get("food"), "plural_name"),
        _name(entry.get("unit"), "name"),
        _name(entry.get("unit"), "plural_name"),
        float(amount) if stated and isinstance(amount, int | float) else 0.0,
        _string(entry.get("note")),
        entry.get("is_header") is True,
        _string(entry.get("original_text")),
    )


def _row_text(row: TandoorRow, amount: float) -> RowText:
    """A row as Tandoor shows it; more than one is many."""
    many = amount > 1
    return RowText(
        f"{amount:.10g}" if amount else "",
        (row.unit_plural if many else "") or row.unit,
        (row.food_plural if many else "") or row.food,
        row.note,
    )


def _name(node: object, key: str) -> str:
    if isinstance(node, str):
        return node.strip() if key == "name" else ""
    return _string(node.get(key)) if isinstance(node, Mapping) else ""


def _string(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
