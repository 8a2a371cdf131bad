"""What embeddings know: which actions are alike (the paper's table 4), and whether ingredients that
are put together become alike (its figure 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.bootstrap import (
    RESAMPLES,
    SEED,
    Array,
    Difference,
    Score,
    difference,
    resampled_sums,
    value_and_interval,
)
from npn.evaluation.gold import GoldRecipe, GoldStep

# The neighbours that the paper lists for eleven actions.
PRINTED = {
    "cut": ("slice", "split", "snap", "slash", "carve", "slit", "chop"),
    "boil": ("cook", "microwave", "fry", "steam", "simmer"),
    "add": ("sprinkle", "mix", "reduce", "splash", "stir", "dust"),
    "wash": ("rinse", "scrub", "refresh", "soak", "wipe", "scale"),
    "mash": ("spread", "puree", "squeeze", "liquefy", "blend"),
    "place": ("ease", "put", "lace", "arrange", "leave"),
    "rinse": ("wash", "refresh", "soak", "wipe", "scrub", "clean"),
    "warm": ("reheat", "ignite", "heat", "light", "crisp", "preheat"),
    "steam": ("microwave", "crisp", "boil", "parboil", "heat"),
    "sprinkle": ("top", "pat", "add", "dip", "salt", "season"),
    "grease": ("coat", "rub", "dribble", "spray", "smear", "line"),
}


@dataclass(frozen=True, slots=True)
class Rank:
    """1 is the nearest. Equally near actions share the ranks from `first` to `last`."""

    first: int
    last: int

    @property
    def mean(self) -> float:
        return (self.first + self.last) / 2

    def chance_within(self, count: int) -> float:
        """How likely it is among the nearest `count`, if equals are put in any order."""
        share = (count - self.first + 1) / (self.last - self.first + 1)
        return min(max(share, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Of one action: its nearest, and the rank of each listed one among `others` actions."""

    action: str
    nearest: tuple[str, ...]
    ranks: Mapping[str, Rank]
    others: int


def neighbours(
    embeddings: Array,
    names: Sequence[str],
    listed: Mapping[str, Sequence[str]] = PRINTED,
    count: int = 7,
) -> list[Neighbours]:
    """For each action of `listed` that is among `names`. An action that is listed as a neighbour
    but not among the names has no rank."""
    row = {name: i for i, name in enumerate(names)}
    unit = embeddings / np.maximum(np.linalg.norm(embeddings, axis=1, keepdims=True), 1e-12)
    found = []
    for action, wanted in listed.items():
        if action not in row:
            continue
        near = np.round(unit @ unit[row[action]], 6)
        others = np.delete(np.arange(len(names)), row[action])
        order = others[np.argsort(-near[others], kind="stable")]
        ranks = {
            name: Rank(
                int((near[others] > near[row[name]]).sum()) + 1,
                int((near[others] >= near[row[name]]).sum()),
            )
            for name in wanted
            if name in row and name != action
        }
        found.append(Neighbours(action, tuple(names[i] for i in order[:count]), ranks, len(others)))
    return found


def median_rank(found: Sequence[Neighbours]) -> Score:
    """The median, over all listed neighbours, of their mean rank as a share of all actions; the
    interval is over the actions that they are listed for."""
    shares = [[rank.mean / one.others for rank in one.ranks.values()] for one in found if one.ranks]
    if not shares:
        return Score(*[float("nan")] * 3)
    actions = np.random.default_rng(SEED).integers(len(shares), size=(RESAMPLES, len(shares)))
    draws = [range(len(shares)), *actions]
    medians = [np.median([share for i in draw for share in shares[i]]) for draw in draws]
    return Score(*value_and_interval(np.array(medians)))


def median_last_rank(found: Sequence[Neighbours]) -> float:
    """The median rank with ties against it: of actions that are equally near, the listed one comes
    last."""
    shares = [rank.last / one.others for one in found for rank in one.ranks.values()]
    return float(np.median(shares)) if shares else float("nan")


def share_within(found: Sequence[Neighbours], count: int) -> float:
    """The share of listed neighbours among the nearest `count`, equals in any order."""
    chances = [rank.chance_within(count) for one in found for rank in one.ranks.values()]
    return float(np.mean(chances)) if chances else float("nan")


def one_hot(kinds: Sequence[Sequence[str]]) -> Array:
    """Embeddings that know of each action no more than its `kinds`."""
    known = sorted({kind for one in kinds for kind in one})
    return np.array([[float(kind in one) for kind in known] for one in kinds])


# -- Pairs of ingredients: how much the cosine of their states rises, for every step. Pairs are
# `combined` (put together in this step), `touched` (the step acts on one or both of them without
# putting them together) or `apart` (it acts on neither). Pairs that were together before are left
# out: they are alike already.

Pair = tuple[int, int]
GROUPS = ("combined", "touched", "apart")


@dataclass(frozen=True, slots=True)
class Compositions:
    """The mean rise of the cosine for each group, how many pairs it is the mean of, and how far
    that of the combined lies above the others'."""

    rise: Mapping[str, Score]
    pairs: Mapping[str, int]
    above: Mapping[str, Difference]


def compositions(gold: Sequence[GoldRecipe], rises: Sequence[Array]) -> Compositions:
    """`rises` holds, for each of several runs, the `cosine_rises` of every recipe. Intervals are
    over recipes."""
    grouped = [pair_groups(one) for one in gold]
    counts = np.array([[sum(len(g[group]) for g in one) for group in GROUPS] for one in grouped])
    with np.errstate(divide="ignore", invalid="ignore"):
        means = resampled_sums(np.mean(rises, axis=0)) / resampled_sums(counts)
    pairs = dict(zip(GROUPS, counts.sum(axis=0).tolist(), strict=True))
    drawn = {group: means[:, i] for i, group in enumerate(GROUPS) if pairs[group]}
    return Compositions(
        {group: Score(*value_and_interval(mean)) for group, mean in drawn.items()},
        pairs,
        {
            group: difference(drawn["combined"] - mean)
            for group, mean in drawn.items()
            if "combined" in drawn and group != "combined"
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
            combined = _combined(gold, t) - together
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
            for pair in combinations(change.ingredients, 2)
        }
    free = step.entities - (step.combined or frozenset())
    mixed = {i for i in step.entities if i not in free or _mixed_next(gold.steps[t + 1 :], i)}
    return {pair for pair in combinations(sorted(mixed), 2) if pair[0] in free or pair[1] in free}


def _mixed_next(later: Sequence[GoldStep], ingredient: int) -> bool:
    for step in later:
        if step.labelled and ingredient in step.entities:
            return step.combined is not None and ingredient in step.combined
    return False


def cosine_rises(gold: GoldRecipe, cosines: NDArray[np.float32]) -> Array:
    """How much the cosines of all pairs rise, summed for each of GROUPS. `cosines` are those of the
    ingredients' states (T + 1, I, I), before the first step and after each."""
    rise = np.diff(cosines.astype(np.float64), axis=0)
    sums = np.zeros(len(GROUPS))
    for t, groups in enumerate(pair_groups(gold)):
        for g, group in enumerate(GROUPS):
            if groups[group]:
                first, second = np.array(groups[group]).T
                sums[g] += rise[t, first, second].sum()
    return sums
