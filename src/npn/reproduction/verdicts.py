"""How sure a verdict is. It is one of three: a claim holds, it does not hold, or it cannot be told.

A number of ours settles a claim with runs of more than one seed that came to their own end; others
may lean one way, which the evidence says. There is one exception: a side that leads by far may have
been cut off by the clock, if the side that trails was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from npn.reproduction.numbers import DifferenceNumbers
from npn.reproduction.rows import STATES, SURE, TEST
from npn.reproduction.tracking.numbers import RowNumbers, points_cell

ENTITY_F1, SCALED_F1, UNSCALED_F1 = "entity_f1", "state_scaled_f1/five", "state_f1/five"

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"
LEANING = {HOLDS: "as claimed: ", FAILS: "against the claim: ", OPEN: ""}

# More training may also lower a score, since what it lowers is the loss on weak labels. No run of
# ours that went on after the clock had stopped it lost as many points by that.
SPARE = 3.0
ENOUGH = 3  # seeds


class Judgement(NamedTuple):
    verdict: str
    evidence: str


def settle(
    verdict: str, evidence: str, seeds: int, *, cut_off: bool, sure: bool = False
) -> Judgement:
    """What is left of a verdict on runs of so many seeds; `cut_off` is whether the clock stopped
    one of them, and `sure` whether the verdict stands nevertheless."""
    limits = ["one seed"] if seeds < 2 else []
    if cut_off:
        limits += ["the side that leads was cut off" if sure else "cut off"]
    if not limits:
        return Judgement(verdict, evidence)
    why = f"({', '.join(limits)})"
    if sure:
        return Judgement(verdict, f"{evidence} {why}")
    return Judgement(OPEN, f"{LEANING[verdict]}{evidence} {why}")


def settle_rows(
    verdict: str, evidence: str, rows: Sequence[RowNumbers], *, sure: bool = False
) -> Judgement:
    """What is left of a verdict on the runs of these rows."""
    cut_off = not all(row["finished"] for row in rows)
    return settle(verdict, evidence, fewest_seeds(rows), cut_off=cut_off, sure=sure)


def fewest_seeds(rows: Sequence[RowNumbers]) -> int:
    return min(len(row["seeds"]) for row in rows)


def stands(lead: float, seeds: int, *, trailing: bool) -> bool:
    """Whether a lead of at least `lead` points is sure although the side that leads was cut off by
    the clock; `trailing` is whether the other side was, too."""
    return lead > SPARE and seeds >= ENOUGH and not trailing


@dataclass(frozen=True, slots=True)
class BesideFull:
    """A row beside the full model in one score: how far apart they are, their seeds, whether the
    clock cut off a run of the one and of the other, how far apart the paper prints them, in points,
    and, of scaled scores, how far apart they are where it does not matter whom the two select."""

    less: DifferenceNumbers
    seeds: tuple[Sequence[float], Sequence[float]]
    cut_off: tuple[bool, bool] = (False, False)
    printed: float | None = None
    unscaled: DifferenceNumbers | None = None

    @property
    def fewest(self) -> int:
        return min(map(len, self.seeds))

    @property
    def is_real(self) -> bool:
        """Whether chance over recipes hardly turns the difference, and every seed of the one lies
        on the same side of every seed of the other."""
        one, other = self.seeds
        apart = max(one) < min(other) or min(one) > max(other)
        return self.less["p"] < SURE and apart

    @property
    def is_sure(self) -> bool:
        """Whether a real difference stands although the side that leads was cut off: by the end of
        its interval that is nearer to nothing."""
        below = self.less["value"] < 0
        lead = 100 * (-self.less["high"] if below else self.less["low"])
        return self.is_real and stands(lead, self.fewest, trailing=self.cut_off[not below])

    @property
    def evidence(self) -> str:
        return f"{points_cell(self.less)}, {kept_p(self.less['p'])}"

    def settle(self, verdict: str, evidence: str, *, sure: bool = False) -> Judgement:
        return settle(verdict, evidence, self.fewest, cut_off=any(self.cut_off), sure=sure)


def compare(row: RowNumbers, full: RowNumbers, metric: str) -> BesideFull | None:
    """In entity F1 or in a raw score of states; None where they have not been compared."""
    printed = None
    if metric == ENTITY_F1:
        less = row["less_full"].get(TEST, {})
        scores = [one["scores"].get(TEST, {}) for one in (row, full)]
        if row["printed"] and full["printed"]:
            printed = row["printed"][metric] - full["printed"][metric]
    else:
        less = row["raw_less_full"].get(STATES, {})
        scores = [one["raw"].get(STATES, {}) for one in (row, full)]
    if metric not in less:
        return None
    ours, theirs = (found[metric]["seeds"] for found in scores)
    cut_off = not row["finished"], not full["finished"]
    unscaled = less.get(UNSCALED_F1) if metric == SCALED_F1 else None
    return BesideFull(less[metric], (ours, theirs), cut_off, printed, unscaled)


def kept_p(value: float) -> str:
    """A p of numbers.json, which rounds the smallest that a bootstrap can find to .001."""
    return "p ≤ .001" if value <= 0.001 else f"p {value:.3f}"
