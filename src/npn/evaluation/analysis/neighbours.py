"""Which actions are alike: neighbours by the cosine of their embeddings (the paper's table 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.bootstrap import RESAMPLES, SEED, Score, interval

Array = NDArray[np.float64]

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
    shares = [[rank.mean / one.others for rank in one.ranks.values()] for one in found]
    shares = [one for one in shares if one]
    if not shares:
        return Score(*[float("nan")] * 3)
    drawn = np.random.default_rng(SEED).integers(len(shares), size=(RESAMPLES, len(shares)))
    medians = np.array([np.median([share for i in draw for share in shares[i]]) for draw in drawn])
    return Score(float(np.median([s for one in shares for s in one])), *interval(medians))


def median_last_rank(found: Sequence[Neighbours]) -> float:
    """The same with ties against it: of those that are equally near, the listed comes last."""
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
