"""What the paper claims, what the numbers that the reports keep say of each claim, and the page of
these verdicts. A verdict is one of three: it holds, it does not hold, or it cannot be told.

A number of ours settles a claim with runs of more than one seed that came to their own end; others
may lean one way, which the evidence says. There is one exception: a side that leads by far may have
been cut off by the clock, if the side that trails was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from npn.reproduction.blocks import Table, to_markdown
from npn.reproduction.rows import (
    ABLATIONS,
    BASELINES,
    FULL_PRINTED,
    GENERATION_COLUMNS,
    LABEL_CURVE,
    NPN,
    PAPER_LABELS,
    STATES,
    SURE,
    TEST,
    Printed,
)

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
    less: Mapping[str, float],
    seeds: Sequence[Sequence[float]],
    printed: float | None,
    *,
    cut_off: tuple[bool, bool] = (False, False),
    beside: str = "",
) -> Judgement:
    """Of a claim that one row lies below another by `printed` points; `seeds` are those of both,
    `cut_off` is whether the clock stopped a run of the one and of the other, and `beside` what
    else the evidence should say."""
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


# -- The claims.

NEAR = 3.0  # points
UNSCALED_F1 = "state_f1/five"
ENTITY_F1, SCALED_F1, ACCURACY = "entity_f1", "state_scaled_f1/five", "state_scaled_accuracy/five"
Numbers = Mapping[str, Any]
ResultNumbers = Mapping[str, Any]  # of one row


@dataclass(frozen=True, slots=True)
class Claim:
    """`judge` says what our numbers of tracking say of it, for rows whose keys begin so; `cell` is
    where in the report they stand."""

    where: str  # in the paper
    text: str
    cell: str
    judge: Callable[[Numbers, str], Judgement]


def find(numbers: Numbers, key: str) -> ResultNumbers | None:
    """A row of table 2."""
    return next((row for row in numbers.get("table", ()) if row["key"] == key), None)


def _settle_rows(
    verdict: str, evidence: str, rows: Sequence[ResultNumbers], *, sure: bool = False
) -> Judgement:
    """`sure` is whether the verdict stands although the clock stopped some of them."""
    cut_off = not all(row["finished"] for row in rows)
    return settle(verdict, evidence, _fewest_seeds(rows), cut_off=cut_off, sure=sure)


def _fewest_seeds(rows: Sequence[ResultNumbers]) -> int:
    return min(len(row["seeds"]) for row in rows)


class _BesideFull(NamedTuple):
    """A row and the full model, the seeds of both in a score, and how far apart they are in it."""

    rows: tuple[ResultNumbers, ResultNumbers]
    seeds: tuple[Sequence[float], Sequence[float]]
    less: Mapping[str, float]

    @property
    def points(self) -> tuple[float, float, float]:
        """The difference, and its interval."""
        value, low, high = (100 * self.less[name] for name in ("value", "low", "high"))
        return value, low, high


def _claim_beside_full(
    experiment: str, metric: str, weigh: Callable[[_BesideFull], Judgement]
) -> Callable[[Numbers, str], Judgement]:
    """A claim about a row beside the full model, in entity selection or in a raw score of
    states."""
    part, less_in, gold = "raw", "raw_less_full", STATES
    if metric == ENTITY_F1:
        part, less_in, gold = "scores", "less_full", TEST

    def judge(numbers: Numbers, labels: str) -> Judgement:
        row, full = find(numbers, labels + experiment), find(numbers, f"{labels}paper")
        less = None if row is None else row.get(less_in, {}).get(gold, {}).get(metric)
        if row is None or full is None or less is None:
            return Judgement(OPEN, NO_RUN)
        one, other = (each[part][gold][metric]["seeds"] for each in (row, full))
        return weigh(_BesideFull((row, full), (one, other), less))

    return judge


def _is_below(found: _BesideFull, printed: float | None = None, beside: str = "") -> Judgement:
    """The claim that the row lies below the full model."""
    row, full = found.rows
    cut_off = not row["finished"], not full["finished"]
    return judge_difference(found.less, found.seeds, printed, cut_off=cut_off, beside=beside)


def _is_below_in_states(found: _BesideFull) -> Judgement:
    """The claim that the row lies below the full model, with the unscaled difference beside it, in
    which it does not matter whom the two select."""
    less = found.rows[0]["raw_less_full"][STATES].get(UNSCALED_F1)
    unscaled = "" if less is None else f"unscaled {100 * less['value']:+.1f}, {kept_p(less['p'])}"
    return _is_below(found, beside=unscaled)


def _is_above(found: _BesideFull) -> Judgement:
    """The claim that the row lies above the full model."""
    value, low, high = found.points
    real = found.less["p"] < SURE and are_apart(*found.seeds)
    verdict = OPEN if not real else HOLDS if value > 0 else FAILS
    evidence = f"{value:+.1f} [{low:+.1f}, {high:+.1f}], {kept_p(found.less['p'])}"
    return _settle_rows(verdict, evidence, found.rows)


def _is_near(found: _BesideFull) -> Judgement:
    """The claim that the row lies within NEAR points of the full model."""
    value, low, high = found.points
    verdict = HOLDS if low > -NEAR else FAILS if high < -NEAR else OPEN
    evidence = f"{value:+.1f} [{low:+.1f}, {high:+.1f}]; near is within {NEAR} points"
    return _settle_rows(verdict, evidence, found.rows)


def _rises(numbers: Numbers, labels: str) -> Judgement:
    """Table 8: more labels, better state changes."""
    points = numbers.get("labels", ())
    rows = {
        row["share"]: row
        for row in points
        if row["key"].startswith(f"{PAPER_LABELS}-") == bool(labels)
    }
    if len(rows) < len(LABEL_CURVE):
        return Judgement(OPEN, NO_RUN)
    values = [
        100 * rows[share]["raw"]["states_train"][UNSCALED_F1]["value"] for share in sorted(rows)
    ]
    text = ", ".join(f"{value:.1f}" for value in values)
    rising = all(a < b for a, b in pairwise(values))
    evidence = f"{text} with {', '.join(map(str, sorted(rows)))} % of labels"
    return _settle_rows(HOLDS if rising else FAILS, evidence, list(rows.values()))


def _neighbours(numbers: Numbers, labels: str) -> Judgement:
    """Table 4: the listed neighbours are nearer than the lexicon alone would put them."""
    name = "Full model on the paper's labels" if labels else "Full model, seed"
    every, full = numbers.get("neighbours", ()), find(numbers, f"{labels}paper")
    ours = [one for one in every if one["label"].startswith(name)]
    types = [one for one in every if one["label"].startswith("State change types")]
    if not ours or not types or full is None:
        return Judgement(OPEN, NO_RUN)
    median = max(100 * one["median"]["value"] for one in ours)
    beside = min(100 * one["median"]["value"] for one in types)
    evidence = (
        f"median rank of the listed {median:.1f} % of all actions; types alone {beside:.1f} %"
    )
    return _settle_rows(HOLDS if median < beside else FAILS, evidence, [full])


def _compositions(numbers: Numbers, labels: str) -> Judgement:
    """Figure 3: states of what is put together grow more alike than those of what is not."""
    name = "Full model, the paper's labels" if labels else "Full model"
    found = [one["above"] for one in numbers.get("compositions", ()) if one["model"] == name]
    sets = [above for above in found if above.keys() >= {"touched", "apart"}]
    full = find(numbers, f"{labels}paper")
    if not sets or full is None:
        return Judgement(OPEN, NO_RUN)
    every = [above[group] for above in sets for group in ("touched", "apart")]
    sure = sum(one["value"] > 0 and one["p"] < SURE for one in every)
    acted_on, apart = (min(one[group]["value"] for one in sets) for group in ("touched", "apart"))
    text = (
        f"at least {acted_on:+.3f} above acted on and {apart:+.3f} above apart on {len(sets)} gold "
        f"sets; {sure} of {len(every)} such differences have p below .05"
    )
    return _settle_rows(HOLDS if sure == len(every) else OPEN, text, [full])


def _combined_recall(numbers: Numbers, labels: str) -> Judgement:
    keys = [f"{labels}{key}" for key in ("paper", *(row.experiment for row in BASELINES))]
    rows = [row for key in keys if (row := find(numbers, key)) is not None]
    if len(rows) < len(keys):
        return Judgement(OPEN, NO_RUN)
    seeds = [row["scores"][TEST]["combined_recall"]["seeds"] for row in rows]
    full, others = seeds[0], [value for one in seeds[1:] for value in one]
    means = [100 * sum(one) / len(one) for one in seeds]
    text = f"CR {means[0]:.1f}, baselines {min(means[1:]):.1f} to {max(means[1:]):.1f}"
    verdict = HOLDS if min(full) > max(others) else FAILS if max(full) < min(others) else OPEN
    lead = 100 * (min(full) - max(others))
    sure = stands(lead, _fewest_seeds(rows), trailing=not all(row["finished"] for row in rows[1:]))
    return _settle_rows(verdict, text, rows, sure=sure)


def _printed_less(printed: Printed | None) -> float | None:
    return None if printed is None else printed.entity_f1 - FULL_PRINTED.entity_f1


_STATES_CELL = "state changes, raw scaled F1 less full"

CLAIMS = (
    *(
        Claim(
            "5.1, table 2",
            f"the full model selects entities better than {name}",
            f"table 2, entity selection: {row.label}, F1 less full",
            _claim_beside_full(
                row.experiment, ENTITY_F1, partial(_is_below, printed=_printed_less(row.printed))
            ),
        )
        for row, name in (
            *((row, f"the {row.label}") for row in BASELINES),
            *((row, f"“{row.label}”") for row in ABLATIONS),
        )
    ),
    Claim(
        "5.1, table 2",
        "it finds more of what is inside mixtures than the baselines",
        "table 2, entity selection: full model and baselines, CR",
        _combined_recall,
    ),
    *(
        Claim(
            "5.1, table 2",
            f"the full model tracks state changes better than the {row.label}",
            f"table 2, {_STATES_CELL}: {row.label}",
            _claim_beside_full(row.experiment, SCALED_F1, _is_below_in_states),
        )
        for row in BASELINES[1:]
    ),
    Claim(
        "5.1, table 2",
        "without the coverage loss, state accuracy is higher",
        "table 2, state changes: scaled acc. of “− coverage loss” and of the full model",
        _claim_beside_full("no_coverage", ACCURACY, _is_above),
    ),
    Claim(
        "5.1, table 2",
        "frozen skip-gram action embeddings come near the full model in state changes",
        f"table 2, {_STATES_CELL}: − action embedding updates",
        _claim_beside_full("frozen_action_embeddings", SCALED_F1, _is_near),
    ),
    Claim(
        "5.1, table 4",
        "actions of similar effect are neighbours in embedding space",
        "table 4, median rank, ties shared: full model and state change types",
        _neighbours,
    ),
    Claim(
        "5.1, figure 3",
        "states of entities that are combined grow alike",
        "figure 3, above acted on and above apart: full model",
        _compositions,
    ),
    Claim(
        "D.1, table 8",
        "state tracking improves with the share of labels kept",
        "table 8, raw state F1",
        _rises,
    ),
)


# -- The page of verdicts.

PAGE = Path(__file__).parent / "verdicts.md"


def verdict_page(tracking: Numbers, generation: Numbers) -> str:
    """In Markdown."""
    heading = ("where", "claim", "verdict", "evidence")
    judged = Table(heading, tuple(_generation(generation)), words=4)
    tables = {
        "tracking": to_markdown([claims_table(tracking)]).strip(),
        "generation": to_markdown([judged]).strip(),
    }
    page = PAGE.read_text(encoding="utf-8")
    return page.format(enough=ENOUGH, spare=f"{SPARE:.0f}", **tables)


def claims_table(tracking: Numbers) -> Table:
    """A line a claim, with the cell of the tracking report that it rests on."""
    rows = []
    for claim in CLAIMS:
        paper, ours = claim.judge(tracking, "paper-"), claim.judge(tracking, "")
        judged = (paper.verdict, paper.evidence, ours.verdict, ours.evidence)
        rows.append((claim.where, claim.text, claim.cell, *judged))
    heading = ("on the paper's labels", "evidence", "on our labels", "evidence")
    return Table(("where", "claim", "cell of the report", *heading), tuple(rows), words=7)


def _generation(numbers: Numbers) -> Iterator[tuple[str, ...]]:
    """The NPN generator against each baseline, on each metric."""
    for one in numbers.get("comparisons", ()):
        if one["row"] != NPN.label or one["decoding"] != numbers.get("main"):
            continue
        for metric, name in GENERATION_COLUMNS.items():
            found = one["differences"][metric]
            value, low, high, p = (found[key] for key in ("value", "low", "high", "p"))
            real = p < SURE
            verdict = OPEN if not real else HOLDS if value > 0 else FAILS
            text = f"{value:+.2f} [{low:+.2f}, {high:+.2f}], p {p:.3f}"
            claim = f"the NPN generator has more {name} than the {one['other']}"
            yield "5.2, table 5", claim, verdict, text
