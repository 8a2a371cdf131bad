"""What linking would make of one recipe."""

from __future__ import annotations

from dataclasses import dataclass

from npn.formats.writing.portions import TakenPart, parts_by_step
from npn.language.amounts import format_amount
from npn.linking.manager import Listed, Parts, Steps
from npn.trace import Trace


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a recipe as they are and as they would be; `parts` is what each would take."""

    listed: Listed
    before: Steps
    after: Steps
    trace: Trace
    parts: Parts

    def takes(self) -> list[list[str]]:
        """What each step would take, for people: "2 cups flour", "1 tablespoon of the oil"."""
        return [[_in_words(self.trace, part) for part in taken] for taken in self.parts]

    def unused(self) -> list[str]:
        """The lines that no step would take."""
        used = {part.ingredient for taken in self.parts for part in taken}
        return [one.text for i, one in enumerate(self.trace.ingredients) if i not in used]


def parts_of(trace: Trace, every: bool) -> Parts:
    """What each step takes of each line. With `every` also the steps that only touch an
    ingredient, without an amount."""
    parts = []
    for step, taken in zip(trace.steps, parts_by_step(trace), strict=True):
        known = {part.ingredient for part in taken}
        touched = [i for i in step.entities if i not in known] if every else []
        parts.append([*taken, *(TakenPart(i, None) for i in touched)])
    return parts


def _in_words(trace: Trace, part: TakenPart) -> str:
    """The whole line where all of it is taken, "1 tablespoon of the olive oil" for less."""
    one = trace.ingredients[part.ingredient]
    if part.fraction is not None and part.fraction < 1:
        text = format_amount(part.amount) if part.amount else ""
        return f"{text or 'some'} of the {one.food or one.name}"
    return one.text if part.fraction else one.food or one.name
