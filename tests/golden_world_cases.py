"""The golden worlds: recipes of today's kind, each with the world a careful cook sees after every
step (see golden/README.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.evaluation.gold import read_world
from npn.evaluation.world_metrics import vessel
from npn.recipe import Recipe
from npn.trace import Pile, Portion, StepTrace, Trace

FOLDER = Path(__file__).with_name("golden") / "worlds"


@dataclass(frozen=True, slots=True)
class WorldCase:
    """A recipe and its world, one entry a step. `labels` is that world as it stands in the file,
    with the words that each use is taken from."""

    name: str
    recipe: Recipe
    world: tuple[StepTrace, ...]
    labels: tuple[Mapping[str, Any], ...]


def read_world_cases() -> list[WorldCase]:
    """Every case of the folder, by name."""
    return [_read_case(path) for path in sorted(FOLDER.glob("*.json"))]


def differences(case: WorldCase, trace: Trace) -> list[str]:
    """What makes a trace wrong, a line each; none if it is right. It is right if every step takes
    exactly the expected ingredients from the list, and if the piles after the last step are exactly
    the expected ones: the same portions, in the same kind of place where the label names one.
    Amounts, and the piles after earlier steps, are not judged."""
    lines = []
    for number, (labels, step) in enumerate(zip(case.world, trace.steps, strict=True)):
        expected = {use.ingredient for use in labels.uses}
        found = {use.ingredient for use in step.uses}
        for sign, wrong in (("-", expected - found), ("+", found - expected)):
            lines += [f"step {number}: {sign} takes {_name(trace, i)}" for i in sorted(wrong)]
    last = len(case.world) - 1
    return lines + pile_differences(trace, last, case.world[last].piles)


def pile_differences(trace: Trace, number: int, expected: Iterable[Pile]) -> list[str]:
    """The piles after a step that are missing (-) or too many (+), and those in a wrong place."""
    gold, found = tuple(expected), trace.steps[number].piles
    wanted, present = _by_members(gold), _by_members(found)
    lines = []
    for members in sorted(wanted.keys() | present.keys(), key=sorted):
        missing = len(wanted.get(members, ())) - len(present.get(members, ()))
        sign = "-" if missing > 0 else "+"
        pile = f"[{', '.join(_portion(trace, one, gold, found) for one in sorted(members))}]"
        lines += [f"step {number}: {sign} pile {pile}"] * abs(missing)
        if not missing:
            found_in = ", ".join(str(place) for place in present[members])
            astray = _kinds(wanted[members]) - _kinds(present[members])
            lines += [f"step {number}: {pile} is in {found_in}, not {kind}" for kind in astray]
    return lines


def _kinds(places: Iterable[str | None]) -> Counter[str]:
    """How often each kind of place is named."""
    return Counter(kind for place in places if (kind := vessel(place)) is not None)


def _by_members(
    piles: Iterable[Pile],
) -> dict[frozenset[Portion], list[str | None]]:
    """The places of the piles with the same members: two, if a mixture was divided."""
    places: dict[frozenset[Portion], list[str | None]] = {}
    for pile in piles:
        places.setdefault(frozenset(pile.of), []).append(pile.place)
    return places


def _portion(trace: Trace, portion: Portion, *worlds: Iterable[Pile]) -> str:
    """The name of an ingredient, with the portion's letter where any world has two of it."""
    every = {one for world in worlds for pile in world for one in pile.of}
    letters = any(one.ingredient == portion.ingredient and one.portion for one in every)
    letter = f" ({chr(ord('a') + portion.portion)})" if letters else ""
    return f"{_name(trace, portion.ingredient)}{letter}"


def _name(trace: Trace, ingredient: int) -> str:
    return trace.ingredients[ingredient].name or trace.ingredients[ingredient].text


def _read_case(path: Path) -> WorldCase:
    data = json.loads(path.read_text(encoding="utf-8"))
    recipe = Recipe.from_dict(data)
    world = read_world(data["world"], len(recipe.ingredients), recipe.steps)
    return WorldCase(path.stem, recipe, world, tuple(data["world"]))
