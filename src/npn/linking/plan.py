"""What linking would make of one recipe."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from npn.errors import NpnError
from npn.formats.writing.portions import TakenPart, parts_by_step
from npn.language.amounts import format_amount
from npn.linking.manager import Data, Listed, Manager, Parts, Steps
from npn.recipe import Recipe
from npn.trace import Trace


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
    it cannot be linked, or the server does not let it be changed."""

    LINKED = "linked"
    SAME = "same"
    UNFIT = "unfit"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Skipped:
    key: str
    title: str
    kind: SkipKind
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Linkable:
    """A recipe that can be linked, as its server has it and as a tracker reads it."""

    listed: Listed
    data: Data
    recipe: Recipe


def look_at(manager: Manager, listed: Listed, data: Data, choice: LinkChoice) -> Linkable | Skipped:
    """Whether a recipe is to be linked."""
    if manager.is_linked(data) and not choice.relink:
        return Skipped(*listed, SkipKind.LINKED)
    try:
        recipe = manager.recipe(data)
    except NpnError as error:
        return Skipped(*listed, SkipKind.UNFIT, str(error))
    obstacle = manager.obstacle(data)
    if obstacle:
        return Skipped(*listed, SkipKind.UNFIT, obstacle)
    return Linkable(listed, data, recipe)


def make_plan(
    manager: Manager, one: Linkable, trace: Trace | NpnError, choice: LinkChoice
) -> Plan | Skipped:
    """What becomes of a recipe with this trace, or with the error of the tracker that could not
    make one."""
    if isinstance(trace, NpnError):
        return Skipped(*one.listed, SkipKind.UNFIT, str(trace))
    parts = parts_of(trace, choice.every)
    before = manager.steps(one.data)
    after = manager.linked(one.data, one.recipe, parts)
    if manager.signature(before) == manager.signature(after):
        return Skipped(*one.listed, SkipKind.SAME)
    return Plan(*one.listed, before, after, _planned(trace, parts), _unused(trace, parts))


def parts_of(trace: Trace, every: bool) -> Parts:
    """What each step takes of each line. With `every` also the steps that only touch an
    ingredient, without an amount."""
    found = parts_by_step(trace)
    if not every:
        return found
    return [
        [
            *taken,
            *(
                TakenPart(i, None)
                for i in step.entities
                if i not in {one.ingredient for one in taken}
            ),
        ]
        for step, taken in zip(trace.steps, found, strict=True)
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
        text = format_amount(part.amount) if part.amount else ""
        return f"{text or 'some'} of the {one.food or one.name}"
    return one.text if part.fraction else one.food or one.name


def _unused(trace: Trace, parts: Parts) -> tuple[str, ...]:
    used = {part.ingredient for taken in parts for part in taken}
    return tuple(one.text for i, one in enumerate(trace.ingredients) if i not in used)
