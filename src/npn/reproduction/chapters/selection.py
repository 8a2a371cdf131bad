"""Table 2, entity selection, and whether the paper's order of models holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.analysis.selections import Agreement, agreement
from npn.evaluation.bootstrap import Difference
from npn.evaluation.seeds import SeedScore
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.chapters import cells
from npn.reproduction.results import ResultRow, Results
from npn.reproduction.rows import BASELINES, FULL, FULL_PRINTED

GOLD = "npn_entities_test"
RECALLS = {"UR": "uncombined_recall", "CR": "combined_recall"}


def table_2(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if GOLD not in results.recipes:
        return
    yield ReportHeading(2, "Table 2: entity selection on the paper's test recipes")
    yield Table(
        (
            *("", "paper F1", "UR", "CR", "our F1", "UR", "CR", "selects", "too early"),
            *("F1 less full", "p"),
        ),
        tuple(
            (
                row.label,
                *cells.printed(row, ("entity_f1", *RECALLS.values())),
                cells.seeds(row.scores[GOLD].get("entity_f1"), interval=True),
                *(cells.seeds(row.scores[GOLD].get(metric)) for metric in RECALLS.values()),
                cells.percent(row.selected[GOLD]),
                cells.percent(row.early),
                *cells.difference(row.differences.get(GOLD, {}).get("entity_f1")),
            )
            for row in (*results.table, *results.shipped)
        ),
    )
    yield Paragraph(
        "UR and CR are the recall of ingredients that are still on their own and of those already "
        "part of a mixture; “selects” is the share of all (step, ingredient) pairs that a "
        "model selects, and “too early” the share of these whose ingredient no step has "
        "acted on so far. The networks were trained on our weak labels, which name the members of "
        "a mixture where a step names the mixture; the paper's, on string matches. What "
        "that difference does is measured below."
    )
    yield from cells.figure(
        figures,
        "table2.svg",
        "Entity selection on the paper's test recipes. Look at the right panel: how many of the "
        "ingredients inside mixtures are found is what sets ours (dots, with their seeds as ticks "
        "and the interval over recipes as a bar) apart from the paper's (diamonds); in the left "
        "panel, see which rows lie within each other's bars.",
    )


def order(results: Results) -> Iterator[Block]:
    rows = {row.key: row for row in results.table}
    if FULL.experiment not in rows or GOLD not in results.recipes or len(rows) < 2:
        return
    yield ReportHeading(3, "Does the paper's order hold?")
    yield Table(
        ("below the full model?", "", "paper F1", "our F1", "p", "verdict"),
        tuple(_judged(results.table)),
        words=2,
    )
    yield Paragraph(
        "A difference is called real where p is below .05 and the seeds of the two rows do not "
        f"overlap. {ladder(results.table)}"
    )


def _judged(table: Sequence[ResultRow]) -> Iterator[tuple[str, ...]]:
    baselines = {row.experiment for row in BASELINES}
    full = next(row for row in table if row.key == FULL.experiment)
    for row in table:
        one = row.differences.get(GOLD, {}).get("entity_f1")
        if one is None or row.printed is None:
            continue
        kind = "baseline" if row.key in baselines else "ablation"
        printed = row.printed.entity_f1 - FULL_PRINTED.entity_f1
        ours = f"{100 * one.value:+.1f}"
        yield row.label, kind, f"{printed:+.1f}", ours, cells.p(one.p), verdict(one, row, full)


def verdict(found: Difference, row: ResultRow, full: ResultRow) -> str:
    """Real is a difference that other recipes would hardly turn, and other seeds did not."""
    if found.p >= cells.SURE:
        return "no real difference"
    ours, theirs = (one.scores[GOLD]["entity_f1"].seeds for one in (row, full))
    if max(len(ours), len(theirs)) > 1 and not (min(ours) > max(theirs) or max(ours) < min(theirs)):
        return "within the seeds"
    return "holds" if found.value < 0 else "turned round"


def ladder(table: Sequence[ResultRow]) -> str:
    """The three groups, and how well the order of all rows agrees with the paper's."""
    means = {_plain(row): row.scores[GOLD]["entity_f1"].value for row in table}
    baselines = {row.experiment for row in BASELINES}
    below = [mean for key, mean in means.items() if key in baselines]
    between = [m for key, m in means.items() if key not in baselines and key != FULL.experiment]
    if not below or not between or FULL.experiment not in means:
        return ""
    found = paper_agreement(table)
    return (
        f"Full model {100 * means[FULL.experiment]:.1f}; ablations from "
        f"{100 * min(between):.1f} to {100 * max(between):.1f}; baselines from "
        f"{100 * min(below):.1f} to {100 * max(below):.1f}. Kendall's tau between our order of the "
        f"{len(table)} rows and the paper's is {found.tau:+.2f} (one-sided p {cells.p(found.p)}); "
        "+1 is the same order, 0 none in common."
    )


def paper_agreement(table: Sequence[ResultRow]) -> Agreement:
    printed = [row.printed.entity_f1 for row in table if row.printed is not None]
    ours = [row.scores[GOLD]["entity_f1"].value for row in table if row.printed is not None]
    return agreement(printed, ours)


def _plain(row: ResultRow) -> str:
    """The experiment, whatever its labels."""
    return row.key.rpartition("-")[2]


def curd(results: Results) -> Iterator[Block]:
    if "curd_dev" not in results.recipes:
        return
    yield ReportHeading(2, "The same models on CURD")
    metrics = {"entity F1": "entity_f1", **RECALLS, "action F1": "action_f1"}
    yield Table(
        ("", *metrics, "F1 less full", "p"),
        tuple(
            (
                row.label,
                *(cells.seeds(_in_words(row, metric)) for metric in metrics.values()),
                *cells.difference(row.differences.get("curd_dev", {}).get("entity_f1")),
            )
            for row in (*results.table, *results.shipped)
        ),
    )


def _in_words(row: ResultRow, metric: str) -> SeedScore | None:
    """Some say nothing of actions; that is not a prediction of theirs."""
    score = row.scores["curd_dev"].get(metric)
    return None if score is None or (metric == "action_f1" and not score.value) else score
