"""Do ingredients that are put together become alike? The paper's figure 3.

For every step and every pair of ingredients: how much the cosine of their states rises. Pairs are
`combined` (put together in this step), `touched` (the step acts on one or both of them without
putting them together) or `apart` (it acts on neither). Pairs that were together before are left
out: they are alike already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.bootstrap import Difference, Score, interval, resample, two_sided
from npn.evaluation.gold import GoldRecipe, GoldStep

Array = NDArray[np.float64]
Pair = tuple[int, int]
GROUPS = ("combined", "touched", "apart")


@dataclass(frozen=True, slots=True)
class Compositions:
    """The mean rise of the cosine for each group, how many pairs it is the mean of, and how far
    that of the combined lies above the others'."""

    rise: Mapping[str, Score]
    pairs: Mapping[str, int]
    above: Mapping[str, Difference]


def compositions(
    gold: Sequence[GoldRecipe], similarities: Sequence[Sequence[NDArray[np.float32]]]
) -> Compositions:
    """`similarities` holds, for each of several runs and each recipe, the cosines (T + 1, I, I)
    before the first step and after each. Intervals are over recipes."""
    grouped = [pair_groups(one) for one in gold]
    counts = np.array([[sum(len(g[group]) for g in one) for group in GROUPS] for one in grouped])
    sums = np.mean(
        [
            [_rises(steps, cosines) for steps, cosines in zip(grouped, run, strict=True)]
            for run in similarities
        ],
        axis=0,
    )
    drawn = resample(len(gold))
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums.sum(0) / counts.sum(0)
        spread = (drawn @ sums) / (drawn @ counts)
    return Compositions(
        {
            group: Score(float(means[i]), *interval(spread[:, i]))
            for i, group in enumerate(GROUPS)
            if counts[:, i].any()
        },
        {group: int(counts[:, i].sum()) for i, group in enumerate(GROUPS)},
        {
            group: Difference(
                float(means[0] - means[i]),
                *interval(spread[:, 0] - spread[:, i]),
                two_sided(spread[:, 0] - spread[:, i]),
            )
            for i, group in enumerate(GROUPS)
            if i and counts[:, i].any() and counts[:, 0].any()
        },
    )


def pair_groups(gold: GoldRecipe) -> list[dict[str, list[Pair]]]:
    """The pairs of each group, step by step."""
    together: set[Pair] = set()
    found = []
    everyone = list(combinations(range(len(gold.recipe.ingredients)), 2))
    for t, step in enumerate(gold.steps):
        groups: dict[str, list[Pair]] = {group: [] for group in GROUPS}
        if step.labelled:
            combined = {pair for pair in _combined(gold, t) if pair not in together}
            for pair in everyone:
                if pair in combined:
                    groups["combined"].append(pair)
                elif pair not in together:
                    acted = pair[0] in step.entities or pair[1] in step.entities
                    groups["touched" if acted else "apart"].append(pair)
            together |= combined
        found.append(groups)
    return found


def _combined(gold: GoldRecipe, t: int) -> set[Pair]:
    """The pairs that step `t` puts together: as the labels of composition say, or else those it
    acts on of which one at least was free, and both are part of a mixture when next acted on."""
    step = gold.steps[t]
    if step.changes is not None:
        return {
            pair
            for change in step.changes
            if change.end_state == "composed"
            for pair in combinations(sorted(change.ingredients), 2)
        }
    free = step.entities - (step.combined or frozenset())
    mixed = {i for i in step.entities if i not in free or _mixed_next(gold.steps[t + 1 :], i)}
    return {pair for pair in combinations(sorted(mixed), 2) if pair[0] in free or pair[1] in free}


def _mixed_next(later: Sequence[GoldStep], ingredient: int) -> bool:
    for step in later:
        if step.labelled and ingredient in step.entities:
            return step.combined is not None and ingredient in step.combined
    return False


def _rises(steps: Sequence[Mapping[str, Sequence[Pair]]], cosines: NDArray[np.float32]) -> Array:
    """The sum of the rises in each group."""
    rise = np.diff(cosines.astype(np.float64), axis=0)
    sums = np.zeros(len(GROUPS))
    for t, groups in enumerate(steps):
        for g, group in enumerate(GROUPS):
            if groups[group]:
                first, second = np.array(groups[group]).T
                sums[g] += rise[t, first, second].sum()
    return sums
