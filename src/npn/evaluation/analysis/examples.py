"""Good and bad selections with their context: the paper's table 3, for any tracker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from npn.evaluation.gold import GoldRecipe
from npn.trace import Trace

GOOD = 0.75  # an F1 from which on a selection is called good


@dataclass(frozen=True, slots=True)
class SelectionExample:
    """`context` are up to three steps before; `hidden` is how many of the correct ingredients were
    part of a mixture already."""

    recipe: str
    context: tuple[str, ...]
    step: str
    selected: tuple[str, ...]
    correct: tuple[str, ...]
    f1: float
    hidden: int = 0


def hard_steps(gold: Sequence[GoldRecipe], traces: Sequence[Trace]) -> Iterator[SelectionExample]:
    """The steps that act on ingredients they do not name: those already part of a mixture."""
    for one, trace in zip(gold, traces, strict=True):
        names = [ingredient.name or ingredient.text for ingredient in trace.ingredients]
        for t, (labels, step) in enumerate(zip(one.steps, trace.steps, strict=True)):
            hidden = labels.combined if labels.combined is not None else labels.entities
            if not labels.labelled or len(labels.entities) < 2 or not hidden & labels.entities:
                continue
            chosen = frozenset(step.entities)
            right = len(chosen & labels.entities)
            yield SelectionExample(
                one.recipe.title,
                one.recipe.steps[max(t - 3, 0) : t],
                one.recipe.steps[t],
                tuple(names[i] for i in sorted(chosen)),
                tuple(names[i] for i in sorted(labels.entities)),
                2 * right / (len(chosen) + len(labels.entities)),
                len(hidden & labels.entities),
            )


def good_and_bad(
    examples: Sequence[SelectionExample], count: int = 3
) -> tuple[list[SelectionExample], list[SelectionExample]]:
    """The best and the worst, at most one of each a recipe; of equals, those with more hidden."""
    best = sorted(examples, key=lambda one: (-one.f1, -one.hidden))
    worst = sorted(examples, key=lambda one: (one.f1, -one.hidden))
    good = _one_a_recipe([one for one in best if one.f1 >= GOOD], count)
    bad = _one_a_recipe([one for one in worst if one.f1 < GOOD], count)
    return good, bad


def _one_a_recipe(examples: Sequence[SelectionExample], count: int) -> list[SelectionExample]:
    chosen: dict[str, SelectionExample] = {}
    for one in examples:
        chosen.setdefault(one.recipe, one)
    return list(chosen.values())[:count]
