"""What linking would make of one recipe."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from npn.errors import NpnError
from npn.formats.writing.portions import TakenPart, part_of, portions
from npn.language.amount_text import format_amount
from npn.linking.manager import Data, Listed, Manager, Parts, Steps
from npn.trace import Trace
from npn.tracker import Tracker


@dataclass(frozen=True, slots=True)
class LinkChoice:
    """`every` links each step that touches an ingredient, not only those that take it from the
    list; `relink` also replaces links that somebody has set."""

    every: bool = False
    relink: bool = False


@dataclass(frozen=True, slots=True)
class PlannedStep:
    text: str
    takes: tuple[str, ...]  # "2 cups flour", "1 tablespoon of the olive oil"


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a recipe as they are and as they would be, and the latter for people."""

    key: str
    title: str
    before: Steps
    after: Steps
    steps: tuple[PlannedStep, ...]
    unused: tuple[str, ...]


class SkipKind(Enum):
    """Why a recipe is left as it is: somebody has linked it, its links are what they would become,
    or it cannot be linked."""

    LINKED = "linked"
    SAME = "same"
    UNFIT = "unfit"


@dataclass(frozen=True, slots=True)
class Skipped:
    key: str
    title: str
    kind: SkipKind
    reason: str = ""


def make_plan(
    manager: Manager, listed: Listed, data: Data, tracker: Tracker, choice: LinkChoice
) -> Plan | Skipped:
    if manager.is_linked(data) and not choice.relink:
        return Skipped(*listed, SkipKind.LINKED)
    try:
        recipe = manager.recipe(data)
    except NpnError as error:
        return Skipped(*listed, SkipKind.UNFIT, str(error))
    obstacle = manager.obstacle(data)
    if obstacle:
        return Skipped(*listed, SkipKind.UNFIT, obstacle)
    try:
        trace = tracker.track(recipe)
    except NpnError as error:  # too large for this tracker
        return Skipped(*listed, SkipKind.UNFIT, str(error))
    parts = parts_of(trace, choice.every)
    before = manager.steps(data)
    after = manager.linked(data, recipe, parts)
    if manager.signature(before) == manager.signature(after):
        return Skipped(*listed, SkipKind.SAME)
    return Plan(
        listed.key, listed.title, before, after, _planned(trace, parts), _unused(trace, parts)
    )


def parts_of(trace: Trace, every: bool) -> Parts:
    """What each step takes of each line. With `every` also the steps that only touch an
    ingredient, without an amount."""
    found = portions(trace)
    if not every:
        return found.steps
    return [
        [
            *taken,
            *(
                TakenPart(i, None)
                for i in step.entities
                if i not in {one.ingredient for one in taken}
            ),
        ]
        for step, taken in zip(trace.steps, found.steps, strict=True)
    ]


def _planned(trace: Trace, parts: Parts) -> tuple[PlannedStep, ...]:
    return tuple(
        PlannedStep(step.text, tuple(_taken_words(trace, part) for part in taken))
        for step, taken in zip(trace.steps, parts, strict=True)
    )


def _taken_words(trace: Trace, part: TakenPart) -> str:
    """A part for people: the line for all of it, "1 tablespoon of the olive oil" for less."""
    one = trace.ingredients[part.ingredient]
    if part.fraction is not None and part.fraction < 1:
        amount = part_of(one.amount, part)
        text = format_amount(amount) if amount else ""
        return f"{text or 'some'} of the {one.food or one.name}"
    return one.text if part.fraction else one.food or one.name


def _unused(trace: Trace, parts: Parts) -> tuple[str, ...]:
    used = {part.ingredient for taken in parts for part in taken}
    return tuple(one.text for i, one in enumerate(trace.ingredients) if i not in used)
