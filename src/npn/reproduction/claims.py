"""What the paper claims, what the numbers that the reports keep say of each claim, and the page of
these verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from npn.reproduction.blocks import Table, to_markdown
from npn.reproduction.numbers import GenerationNumbers
from npn.reproduction.rows import (
    ABLATIONS,
    BASELINES,
    FULL,
    GENERATION_COLUMNS,
    LABEL_CURVE,
    NPN,
    OUR_LABELS,
    PAPER_LABELS,
    SURE,
    TEST,
    run_key,
)
from npn.reproduction.tracking.numbers import RowNumbers, TrackingNumbers, on_labels, points_cell
from npn.reproduction.verdicts import (
    ENOUGH,
    ENTITY_F1,
    FAILS,
    HOLDS,
    OPEN,
    SCALED_F1,
    SPARE,
    UNSCALED_F1,
    BesideFull,
    Judgement,
    compare,
    fewest_seeds,
    kept_p,
    settle_rows,
    stands,
)

NO_RUN = Judgement(OPEN, "no run of this row on these labels")
NEAR = 3.0  # points
ACCURACY = "state_scaled_accuracy/five"
Judge = Callable[[TrackingNumbers, str], Judgement]


@dataclass(frozen=True, slots=True)
class Claim:
    """`judge` says what our numbers of tracking say of it, on such labels; `cell` is where in the
    report they stand."""

    where: str  # in the paper
    text: str
    cell: str
    judge: Judge


def find(numbers: TrackingNumbers, experiment: str, labels: str) -> RowNumbers | None:
    """A row of table 2."""
    key = run_key(experiment, labels)
    return next((row for row in numbers.get("table", ()) if row["key"] == key), None)


def _beside_full(experiment: str, metric: str, weigh: Callable[[BesideFull], Judgement]) -> Judge:
    """A claim about a row beside the full model."""

    def judge(numbers: TrackingNumbers, labels: str) -> Judgement:
        row, full = find(numbers, experiment, labels), find(numbers, FULL.experiment, labels)
        found = compare(row, full, metric) if row and full else None
        return weigh(found) if found else NO_RUN

    return judge


def is_below(found: BesideFull) -> Judgement:
    """The claim that the row lies below the full model."""
    evidence, printed, p = found.evidence, found.printed, found.less["p"]
    if printed is not None:
        evidence += f"; the paper {printed:+.1f}"
    if found.unscaled is not None:
        points, chance = 100 * found.unscaled["value"], kept_p(found.unscaled["p"])
        evidence += f"; unscaled {points:+.1f}, {chance}"
    low, high = 100 * found.less["low"], 100 * found.less["high"]
    verdict = OPEN
    if found.is_real:
        verdict = HOLDS if found.less["value"] < 0 else FAILS
    elif printed is not None and not low <= printed <= high and p >= SURE:
        verdict, evidence = FAILS, f"no real difference: {evidence}"
    return found.settle(verdict, evidence, sure=found.is_sure)


def _is_above(found: BesideFull) -> Judgement:
    """The claim that the row lies above the full model."""
    verdict = OPEN if not found.is_real else HOLDS if found.less["value"] > 0 else FAILS
    return found.settle(verdict, found.evidence)


def _is_near(found: BesideFull) -> Judgement:
    """The claim that the row lies within NEAR points of the full model."""
    low, high = 100 * found.less["low"], 100 * found.less["high"]
    verdict = HOLDS if low > -NEAR else FAILS if high < -NEAR else OPEN
    return found.settle(verdict, f"{points_cell(found.less)}; near is within {NEAR} points")


def _combined_recall(numbers: TrackingNumbers, labels: str) -> Judgement:
    found = [find(numbers, row.experiment, labels) for row in (FULL, *BASELINES)]
    rows = [row for row in found if row is not None]
    if len(rows) < len(found):
        return NO_RUN
    seeds = [row["scores"][TEST]["combined_recall"]["seeds"] for row in rows]
    full, others = seeds[0], [value for one in seeds[1:] for value in one]
    means = [100 * sum(one) / len(one) for one in seeds]
    text = f"CR {means[0]:.1f}, baselines {min(means[1:]):.1f} to {max(means[1:]):.1f}"
    verdict = HOLDS if min(full) > max(others) else FAILS if max(full) < min(others) else OPEN
    lead = 100 * (min(full) - max(others))
    cut_off = not all(row["finished"] for row in rows[1:])
    sure = stands(lead, fewest_seeds(rows), trailing=cut_off)
    return settle_rows(verdict, text, rows, sure=sure)


def _rises(numbers: TrackingNumbers, labels: str) -> Judgement:
    """Table 8: more labels, better state changes."""
    rows = sorted(on_labels(numbers.get("labels", ()), labels), key=lambda row: row["share"])
    if len(rows) < len(LABEL_CURVE):
        return NO_RUN
    values = [100 * row["raw"]["states_train"][UNSCALED_F1]["value"] for row in rows]
    rising = all(a < b for a, b in pairwise(values))
    text = ", ".join(f"{value:.1f}" for value in values)
    shares = ", ".join(str(row["share"]) for row in rows)
    return settle_rows(HOLDS if rising else FAILS, f"{text} with {shares} % of labels", rows)


def _neighbours(numbers: TrackingNumbers, labels: str) -> Judgement:
    """Table 4: the listed neighbours are nearer than the lexicon alone would put them."""
    name = "Full model on the paper's labels" if labels else "Full model, seed"
    every, full = numbers.get("neighbours", ()), find(numbers, FULL.experiment, labels)
    ours = [one["median"]["value"] for one in every if one["label"].startswith(name)]
    types = [one["median"]["value"] for one in every if one["label"].startswith("State change")]
    if not ours or not types or full is None:
        return NO_RUN
    text = (
        f"median rank of the listed {100 * max(ours):.1f} % of all actions; types alone "
        f"{100 * min(types):.1f} %"
    )
    return settle_rows(HOLDS if max(ours) < min(types) else FAILS, text, [full])


def _compositions(numbers: TrackingNumbers, labels: str) -> Judgement:
    """Figure 3: states of what is put together grow more alike than those of what is not."""
    name = "Full model, the paper's labels" if labels else "Full model"
    found = [one["above"] for one in numbers.get("compositions", ()) if one["model"] == name]
    sets = [above for above in found if above.keys() >= {"touched", "apart"}]
    full = find(numbers, FULL.experiment, labels)
    if not sets or full is None:
        return NO_RUN
    every = [above[group] for above in sets for group in ("touched", "apart")]
    sure = sum(one["value"] > 0 and one["p"] < SURE for one in every)
    acted_on, apart = (min(one[group]["value"] for one in sets) for group in ("touched", "apart"))
    text = (
        f"at least {acted_on:+.3f} above acted on and {apart:+.3f} above apart on {len(sets)} gold "
        f"sets; {sure} of {len(every)} such differences have p below .05"
    )
    return settle_rows(HOLDS if sure == len(every) else OPEN, text, [full])


_STATES_CELL = "state changes, raw scaled F1 less full"

CLAIMS = (
    *(
        Claim(
            "5.1, table 2",
            f"the full model selects entities better than {name}",
            f"table 2, entity selection: {row.label}, F1 less full",
            _beside_full(row.experiment, ENTITY_F1, is_below),
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
            _beside_full(row.experiment, SCALED_F1, is_below),
        )
        for row in BASELINES[1:]
    ),
    Claim(
        "5.1, table 2",
        "without the coverage loss, state accuracy is higher",
        "table 2, state changes: scaled acc. of “− coverage loss” and of the full model",
        _beside_full("no_coverage", ACCURACY, _is_above),
    ),
    Claim(
        "5.1, table 2",
        "frozen skip-gram action embeddings come near the full model in state changes",
        f"table 2, {_STATES_CELL}: − action embedding updates",
        _beside_full("frozen_action_embeddings", SCALED_F1, _is_near),
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


def verdict_page(tracking: TrackingNumbers, generation: GenerationNumbers) -> str:
    """In Markdown."""
    heading = ("where", "claim", "verdict", "evidence")
    judged = Table(heading, list(_generation(generation)), words=4)
    return PAGE.read_text(encoding="utf-8").format(
        enough=ENOUGH,
        spare=f"{SPARE:.0f}",
        tracking=to_markdown([claims_table(tracking)]).strip(),
        generation=to_markdown([judged]).strip(),
    )


def claims_table(tracking: TrackingNumbers) -> Table:
    """A line a claim, with the cell of the tracking report that it rests on."""
    rows = []
    for claim in CLAIMS:
        paper, ours = claim.judge(tracking, PAPER_LABELS), claim.judge(tracking, OUR_LABELS)
        rows.append((claim.where, claim.text, claim.cell, *paper, *ours))
    heading = ("on the paper's labels", "evidence", "on our labels", "evidence")
    return Table(("where", "claim", "cell of the report", *heading), rows, words=7)


def _generation(numbers: GenerationNumbers) -> Iterator[tuple[str, ...]]:
    """The NPN generator against each baseline, on each metric."""
    for one in numbers.get("comparisons", ()):
        if one["row"] != NPN.label or one["decoding"] != numbers.get("main"):
            continue
        for metric, name in GENERATION_COLUMNS.items():
            less = one["differences"][metric]
            verdict = OPEN if less["p"] >= SURE else HOLDS if less["value"] > 0 else FAILS
            claim = f"the NPN generator has more {name} than the {one['other']}"
            evidence = "{value:+.2f} [{low:+.2f}, {high:+.2f}], p {p:.3f}".format_map(less)
            yield "5.2, table 5", claim, verdict, evidence
