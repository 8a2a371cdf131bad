"""When a number of ours settles a claim of the paper. It does with runs of more than one seed that
came to their own end; others may lean one way, which the evidence says. There is one exception: a
side that leads by far may have been cut off by the clock, if the side that trails was not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from npn.reproduction.rows import SURE

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"
LEANING = {HOLDS: "as claimed: ", FAILS: "against the claim: ", OPEN: ""}
NO_RUN = "no run of this row on these labels"

# More training may also lower a score, since what it lowers is the loss on weak labels. No run of
# ours that went on after the clock had stopped it lost as many points by that.
SPARE = 3.0
ENOUGH = 3  # seeds


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: str
    evidence: str


def kept_p(value: float) -> str:
    """A p of numbers.json, which rounds the smallest that a bootstrap can find to .001."""
    return "p ≤ .001" if value <= 0.001 else f"p {value:.3f}"


def stands(lead: float, seeds: int, *, trailing: bool) -> bool:
    """Whether a lead of at least `lead` points is sure although the side that leads was cut off by
    the clock; `trailing` is whether the other side was, too."""
    return lead > SPARE and seeds >= ENOUGH and not trailing


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


def judge_difference(
    less: Mapping[str, float] | None,
    seeds: Sequence[Sequence[float]],
    printed: float | None,
    *,
    cut_off: tuple[bool, bool] = (False, False),
    beside: str = "",
) -> Judgement:
    """Of a claim that one row lies below another by `printed` points; `seeds` are those of both,
    `cut_off` is whether the clock stopped a run of the one and of the other, and `beside` what
    else the evidence should say."""
    if less is None or len(seeds) < 2:
        return Judgement(OPEN, NO_RUN)
    value, low, high = (100 * less[name] for name in ("value", "low", "high"))
    evidence = f"{value:+.1f} [{low:+.1f}, {high:+.1f}], {kept_p(less['p'])}"
    evidence += "" if printed is None else f"; the paper {printed:+.1f}"
    evidence += f"; {beside}" if beside else ""
    one, other = seeds
    fewest, sure = min(len(one), len(other)), False
    verdict = OPEN
    if less["p"] < SURE and are_apart(one, other):
        verdict = HOLDS if value < 0 else FAILS
        sure = stands(least_lead(value, low, high), fewest, trailing=cut_off[value > 0])
    elif printed is not None and not low <= printed <= high and less["p"] >= SURE:
        verdict, evidence = FAILS, f"no real difference: {evidence}"
    return settle(verdict, evidence, fewest, cut_off=any(cut_off), sure=sure)


def are_apart(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether every seed of the one lies on the same side of every seed of the other."""
    return max(one) < min(other) or min(one) > max(other)


def least_lead(value: float, low: float, high: float) -> float:
    """The end of a difference's interval that is nearer to nothing; below 0 where nothing lies
    within it."""
    return -high if value < 0 else low
