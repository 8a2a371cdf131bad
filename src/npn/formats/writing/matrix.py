"""Ingredients by steps in marks: the life of each ingredient on one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.formats.writing.wording import end_state
from npn.trace import STATE_TYPES, StateChange, Trace

MOST_CELLS = 4_000  # a larger matrix is no longer something to look at


@dataclass(frozen=True, slots=True)
class CellMark:
    """One sign in a cell; `type` is the kind of state that changed, or empty."""

    sign: str
    meaning: str
    type: str = ""


TOUCHED = CellMark("•", "acted on")
MOVED = CellMark(">", "moved", "location")
CHANGES = {
    mark.meaning: mark
    for mark in (
        CellMark("c", "cooked", "cookedness"),
        CellMark("r", "raw", "cookedness"),
        CellMark("^", "hot", "temperature"),
        CellMark("v", "cold", "temperature"),
        CellMark("=", "room temperature", "temperature"),
        CellMark("+", "composed", "composition"),
        CellMark("-", "not composed", "composition"),
        CellMark("/", "separated", "shape"),
        CellMark("o", "molded", "shape"),
        CellMark("!", "hit", "shape"),
        CellMark("~", "deformed", "shape"),
        CellMark("w", "clean", "cleanliness"),
        CellMark("d", "dirty", "cleanliness"),
        CellMark("y", "dry", "cleanliness"),
    )
}

Row = Sequence[tuple[CellMark, ...]]


def matrix(trace: Trace) -> list[Row] | None:
    """For each ingredient, for each step: what happened to it there. None where there is too much
    to look at."""
    if len(trace.ingredients) * len(trace.steps) > MOST_CELLS:
        return None
    rows: list[list[tuple[CellMark, ...]]] = [[()] * len(trace.steps) for _ in trace.ingredients]
    for number, step in enumerate(trace.steps):
        for i in step.entities:
            rows[i][number] = (TOUCHED,)
        marks: dict[int, dict[str, CellMark]] = {}
        for change in sorted(step.changes, key=place):
            for i in change.ingredients:
                one = mark(change)
                marks.setdefault(i, {})[one.sign] = one
        for i, several in marks.items():
            rows[i][number] = tuple(several.values())
    return [*rows]


def place(change: StateChange) -> int:
    """Marks in a cell stand in the order of the state types."""
    return STATE_TYPES.index(change.type) if change.type in STATE_TYPES else len(STATE_TYPES)


def mark(change: StateChange) -> CellMark:
    """A lexicon of one's own may have other types and end states: those are all one mark."""
    if change.type == "location":
        return MOVED
    meaning = end_state(change.type, change.end_state)
    return CHANGES.get(meaning, CellMark("*", "another change", change.type))


def legend(rows: Sequence[Row]) -> list[CellMark]:
    """Each mark in the matrix once."""
    return list({mark.sign: mark for row in rows for cell in row for mark in cell}.values())


def blocks(steps: int, at_once: int) -> list[range]:
    """Columns to show side by side, `at_once` at a time."""
    return [range(first, min(first + at_once, steps)) for first in range(0, steps, at_once)]
