"""One page with a verdict for each table, figure and claim of the paper, from the numbers that the
reports keep. A verdict is one of three: it holds, it does not hold, or it cannot be told, each with
the cell that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table, to_markdown
from npn.reproduction.rows import ABLATIONS, BASELINES, FULL_PRINTED, LABEL_CURVE, SURE, Printed

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"

# Where in the paper, what, verdict, why.
OUTSIDE = (
    (
        *("3.1, tables 1 and 7", "the lexicon of actions, their types and end states"),
        *(HOLDS, "`npn lexicon show` prints the seven of table 1 (chill: refrigerator too)"),
    ),
    (
        *("5.1, table 3", "examples of good and bad selections"),
        *(OPEN, "examples prove nothing; ours stand in the tracking report"),
    ),
    (
        *("5.2, table 6", "examples of generated steps"),
        *(OPEN, "the same; ours for the same three contexts stand in the generation report"),
    ),
    (
        *("4.1, table 2", "the printed state change F1 and accuracy themselves"),
        *(OPEN, "its gold for end states is not public"),
    ),
    (
        *("4.2, table 5", "the printed ROUGE-L of 33 to 36"),
        OPEN,
        "no variant is named; marks and an end token explain the scale (docs/generation.md)",
    ),
    (
        *("abstract", "more interpretable internal representations"),
        *(OPEN, "table 4 and figure 3 are what can be measured of it"),
    ),
)


NEAR = 3.0  # points
TEST, STATES = "npn_entities_test", "states_dev"
ENTITY_F1, SCALED_F1, ACCURACY = "entity_f1", "state_scaled_f1/five", "state_scaled_accuracy/five"
NO_RUN = "no run of this row on these labels"
Numbers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Claim:
    """`judge` says what our numbers of tracking say of it, for rows whose keys begin so."""

    where: str  # in the paper
    text: str
    judge: Callable[[Numbers, str], Judgement]


def verdict_page(tracking: Numbers, generation: Numbers) -> str:
    """In Markdown."""
    return to_markdown(list(_page(tracking, generation)))


def _page(tracking: Numbers, generation: Numbers) -> Iterator[Block]:
    yield ReportHeading(1, "The paper's claims, one verdict each")
    yield Paragraph(
        "Made with `npn reproduce verdicts` from the numbers of the two reports, "
        "[tracking](results/tracking/report.md) and [generation](results/generation/report.md). A "
        "difference holds where chance over recipes would turn it in fewer than one case of twenty "
        "(p < .05) and no two seeds overlap. It does not hold where it is turned round, or where "
        "there is none and the paper's own lies outside of our interval. Otherwise it cannot be "
        "told. All numbers are percent. Entity scores are on the paper's test labels, on text "
        "put together anew; state scores are raw, on states_dev, which is ours: the paper's gold "
        "for states is not public."
    )
    yield ReportHeading(2, "Tracking")
    yield Table(
        ("where", "claim", "on the paper's labels", "evidence", "on our labels", "evidence"),
        tuple(_row(claim, tracking) for claim in CLAIMS),
        words=6,
    )
    yield ReportHeading(2, "Generation (table 5)")
    yield Table(("where", "claim", "verdict", "evidence"), tuple(_generation(generation)), words=4)
    yield ReportHeading(2, "What no number of ours can judge")
    yield Table(("where", "what", "verdict", "why"), OUTSIDE, words=4)


def _row(claim: Claim, tracking: Numbers) -> tuple[str, ...]:
    paper, ours = claim.judge(tracking, "paper-"), claim.judge(tracking, "")
    return claim.where, claim.text, paper.verdict, paper.evidence, ours.verdict, ours.evidence


def find(numbers: Numbers, key: str, part: str = "table") -> Mapping[str, Any] | None:
    return next((row for row in numbers.get(part, ()) if row["key"] == key), None)


def judge_difference(
    less: Mapping[str, float] | None, seeds: Sequence[Sequence[float]], printed: float | None
) -> Judgement:
    """Of a claim that one row lies below another by `printed` points; `seeds` are those of both."""
    if less is None or len(seeds) < 2:
        return Judgement(OPEN, NO_RUN)
    value, low, high = (100 * less[name] for name in ("value", "low", "high"))
    evidence = f"{value:+.1f} [{low:+.1f}, {high:+.1f}], p {less['p']:.3f}"
    evidence += "" if printed is None else f"; the paper {printed:+.1f}"
    one, other = seeds
    apart = max(one) < min(other) or min(one) > max(other)
    if less["p"] < SURE and apart and min(len(one), len(other)) > 1:
        return Judgement(HOLDS if value < 0 else FAILS, evidence)
    if printed is not None and not low <= printed <= high and less["p"] >= SURE:
        return Judgement(FAILS, f"no real difference: {evidence}")
    return Judgement(OPEN, evidence)


def _below_full(
    experiment: str, printed: float | None, part: str = "scores", metric: str = ENTITY_F1
) -> Callable[[Numbers, str], Judgement]:
    """The claim that a row lies below the full model."""
    gold = TEST if metric == ENTITY_F1 else STATES
    less_in = {"scores": "less_full", "raw": "raw_less_full"}[part]

    def judge(numbers: Numbers, labels: str) -> Judgement:
        row, full = find(numbers, labels + experiment), find(numbers, f"{labels}paper")
        if row is None or full is None:
            return Judgement(OPEN, NO_RUN)
        less = row.get(less_in, {}).get(gold, {}).get(metric)
        scores = [one.get(part, {}).get(gold, {}).get(metric) for one in (row, full)]
        found = judge_difference(less, [one["seeds"] for one in scores if one], printed)
        cut_off = "" if row["finished"] and full["finished"] else "; a run was cut off"
        return Judgement(found.verdict, found.evidence + cut_off)

    return judge


def _above_full(experiment: str, metric: str) -> Callable[[Numbers, str], Judgement]:
    """The claim that a row lies above the full model in a raw score of states."""
    turned = {HOLDS: FAILS, FAILS: HOLDS, OPEN: OPEN}
    below = _below_full(experiment, None, "raw", metric)

    def judge(numbers: Numbers, labels: str) -> Judgement:
        found = below(numbers, labels)
        return Judgement(turned[found.verdict], found.evidence)

    return judge


def _near_full(experiment: str, metric: str) -> Callable[[Numbers, str], Judgement]:
    """The claim that a row lies within NEAR points of the full model in a raw score of states."""

    def judge(numbers: Numbers, labels: str) -> Judgement:
        row = find(numbers, labels + experiment)
        less = None if row is None else row.get("raw_less_full", {}).get(STATES, {}).get(metric)
        if less is None:
            return Judgement(OPEN, NO_RUN)
        value, low, high = (100 * less[name] for name in ("value", "low", "high"))
        evidence = f"{value:+.1f} [{low:+.1f}, {high:+.1f}]; near is within {NEAR} points"
        if low > -NEAR:
            return Judgement(HOLDS, evidence)
        return Judgement(FAILS if high < -NEAR else OPEN, evidence)

    return judge


def _rises(numbers: Numbers, labels: str) -> Judgement:
    """Table 8: more labels, better state changes."""
    wanted = {share: labels + row.experiment for share, row in LABEL_CURVE.items()}
    points: dict[int, float] = {}
    for row in numbers.get("labels", ()):
        if wanted.get(row["share"]) == row["key"]:
            scores = row.get("raw") or row["scores"]
            points[row["share"]] = 100 * scores["states_train"]["state_f1/five"]["value"]
    if len(points) < len(LABEL_CURVE):
        return Judgement(OPEN, NO_RUN)
    values = [points[share] for share in sorted(points)]
    text = ", ".join(f"{value:.1f}" for value in values)
    printed = ", ".join(
        f"{row.printed.state_f1:.1f}" for row in LABEL_CURVE.values() if row.printed
    )
    rising = all(a < b for a, b in pairwise(values))
    return Judgement(HOLDS if rising else FAILS, f"state F1 {text}; the paper {printed}")


def _neighbours(numbers: Numbers, labels: str) -> Judgement:
    """Table 4: the listed neighbours are nearer than the lexicon alone would put them."""
    name = "Full model on the paper's labels" if labels else "Full model, seed"
    ours = [one for one in numbers.get("neighbours", ()) if one["label"].startswith(name)]
    every = numbers.get("neighbours", ())
    types = [one for one in every if one["label"].startswith("State change types")]
    if not ours or not types:
        return Judgement(OPEN, NO_RUN)
    median = max(100 * one["median"]["value"] for one in ours)
    beside = min(100 * one["median"]["value"] for one in types)
    evidence = (
        f"median rank of the listed {median:.1f} % of all actions; types alone {beside:.1f} %"
    )
    return Judgement(HOLDS if median < beside else FAILS, evidence)


def _compositions(numbers: Numbers, labels: str) -> Judgement:
    """Figure 3: states of what is put together grow more alike than those of what is not."""
    name = "Full model, the paper's labels" if labels else "Full model"
    full = [one for one in numbers.get("compositions", ()) if one["model"] == name]
    if not full:
        return Judgement(OPEN, NO_RUN)
    above = [one["above"]["touched"] for one in full if "touched" in one["above"]]
    sure = all(one["value"] > 0 and one["p"] < SURE for one in above)
    least = min(one["value"] for one in above)
    text = f"cosine rises by at least {least:.3f} more on each of {len(above)} gold sets"
    return Judgement(HOLDS if sure else OPEN, text)


def _combined_recall(numbers: Numbers, labels: str) -> Judgement:
    rows = [find(numbers, labels + key) for key in ("paper", *(r.experiment for r in BASELINES))]
    if any(row is None for row in rows):
        return Judgement(OPEN, NO_RUN)
    seeds = [row["scores"][TEST]["combined_recall"]["seeds"] for row in rows if row]
    full, others = seeds[0], [value for one in seeds[1:] for value in one]
    means = [100 * sum(one) / len(one) for one in seeds]
    text = f"CR {means[0]:.1f}, baselines {min(means[1:]):.1f} to {max(means[1:]):.1f}"
    if min(full) > max(others):
        return Judgement(HOLDS, text)
    return Judgement(FAILS if max(full) < min(others) else OPEN, text)


def _printed_less(printed: Printed | None, metric: str = "entity_f1") -> float | None:
    ours, full = getattr(printed, metric, None), getattr(FULL_PRINTED, metric)
    return None if ours is None else ours - full


CLAIMS = (
    *(
        Claim(
            "5.1, table 2",
            f"the full model selects entities better than {name}",
            _below_full(row.experiment, _printed_less(row.printed)),
        )
        for row, name in (
            *((row, f"the {row.label}") for row in BASELINES),
            *((row, f"“{row.label}”") for row in ABLATIONS),
        )
    ),
    Claim(
        "5.1, table 2",
        "it finds more of what is inside mixtures than the baselines",
        _combined_recall,
    ),
    *(
        Claim(
            "5.1, table 2",
            f"the full model tracks state changes better than the {row.label}",
            _below_full(row.experiment, None, "raw", SCALED_F1),
        )
        for row in BASELINES[1:]
    ),
    Claim(
        "5.1, table 2",
        "without the coverage loss, state accuracy is higher",
        _above_full("no_coverage", ACCURACY),
    ),
    Claim(
        "5.1, table 2",
        "frozen skip-gram action embeddings come near the full model in state changes",
        _near_full("frozen_action_embeddings", SCALED_F1),
    ),
    Claim(
        "5.1, table 4", "actions of similar effect are neighbours in embedding space", _neighbours
    ),
    Claim("5.1, figure 3", "states of entities that are combined grow alike", _compositions),
    Claim("D.1, table 8", "state tracking improves with the share of labels kept", _rises),
)


def _generation(numbers: Numbers) -> Iterator[tuple[str, ...]]:
    """The NPN generator against each baseline, on each metric."""
    names = {"bleu": "BLEU", "rouge_l": "ROUGE-L", "verb_f1": "VF1", "state_f1": "SF1"}
    for one in numbers.get("comparisons", ()):
        if one["row"] != "NPN generator" or one["decoding"] != numbers.get("main"):
            continue
        for metric, name in names.items():
            found = one["differences"][metric]
            value, low, high, p = (found[key] for key in ("value", "low", "high", "p"))
            real = p < SURE
            verdict = OPEN if not real else HOLDS if value > 0 else FAILS
            text = f"{value:+.2f} [{low:+.2f}, {high:+.2f}], p {p:.3f}"
            claim = f"the NPN generator has more {name} than the {one['other']}"
            yield "5.2, table 5", claim, verdict, text
