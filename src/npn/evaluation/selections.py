"""Which entities are selected: too early, in examples to read, and whether rows of a table come in
the same order as the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.bootstrap import SEED
from npn.evaluation.gold import GoldRecipe
from npn.trace import Trace


def early_share(golds: Sequence[GoldRecipe], traces: Iterable[Trace]) -> float:
    """The share of selected (step, ingredient) pairs whose ingredient no step has acted on so far,
    this one included, by the gold; steps without labels are passed over."""
    early = selected = 0
    for gold, trace in zip(golds, traces, strict=True):
        met: set[int] = set()
        for labels, step in zip(gold.steps, trace.steps, strict=True):
            if labels.labelled:
                met |= labels.entities
                selected += len(step.entities)
                early += len(set(step.entities) - met)
    return early / selected if selected else 0.0


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


SHUFFLES = 20_000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kendall's tau: 1 for the same order, -1 for the reverse. `p` is one-sided: how often an order
    by chance agrees as well."""

    tau: float
    p: float


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement:
    ours, values = _signs(np.array(first)), np.array(second)
    random = np.random.default_rng(SEED)
    shuffled = (random.permutation(values) for _ in range(SHUFFLES))
    taus = np.array([_tau(ours, _signs(one)) for one in (values, *shuffled)])
    return Agreement(float(taus[0]), float(np.mean(taus >= taus[0] - 1e-9)))


def _signs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each pair, which of the two is larger."""
    rows, columns = np.triu_indices(len(values), 1)
    return np.sign(values[rows] - values[columns])


def _tau(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """With ties, as Kendall's tau-b."""
    whole = np.sqrt((first**2).sum() * (second**2).sum())
    return float((first * second).sum() / whole) if whole else float("nan")


def sign_test(below: int, above: int) -> float:
    """How often chance alone would split so unevenly (two-sided); ties are not counted."""
    whole = below + above
    tail = sum(comb(whole, k) for k in range(min(below, above) + 1))
    return min(1.0, float(2 * tail / 2**whole))
