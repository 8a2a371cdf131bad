"""Table 2, entity selection, and whether the paper's order of models holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.bootstrap import Difference, SeedScore
from npn.evaluation.selections import Agreement, agreement
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.judgement import least_lead, stands
from npn.reproduction.rows import BASELINES, FULL, FULL_PRINTED, LABEL_TITLES, SURE
from npn.reproduction.tracking import cells
from npn.reproduction.tracking.results import ResultRow, Results

GOLD = "npn_entities_test"
RECALLS = {"UR": "uncombined_recall", "CR": "combined_recall"}


def table_2(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if GOLD not in results.recipes:
        return
    yield ReportHeading(2, "Table 2: entity selection on the paper's test recipes")
    yield Paragraph(
        "A row is trained on either kind of labels, from the same recipes. The "
        "paper's labels are what its section 3.3 says: the ingredients whose names stand in "
        "the step, and the lexicon's end states of its verbs; steps that name nothing have no "
        "entity label. Our labels simulate the recipe, and name the members of a mixture where a "
        "step means the mixture. UR and CR are the recall of ingredients that are still on their "
        "own and of those already part of a mixture; “selects” is the share of all (step, "
        "ingredient) pairs that a model selects, and “too early” the share of these whose "
        "ingredient no step has acted on so far; epochs are those of pretraining and of training. "
        "The verdict is on a difference from the full model of the same labels: it is real where p "
        "is below .05 and the seeds of the two rows do not overlap, and cannot be told from one "
        "seed or from runs that were cut off, unless these lead by far over runs that were not, as "
        "under the paper's claims."
    )
    for labels, table in results.tables.items():
        yield ReportHeading(3, f"Trained on {LABEL_TITLES[labels]}")
        yield _table(table)
        sentence = ladder(table)
        if sentence:
            yield Paragraph(sentence)
    if results.shipped:
        yield ReportHeading(3, "Rules, labels and the default, which are not trained here")
        yield _table(results.shipped)
    yield from cells.figure(
        figures,
        "table2.svg",
        "Entity selection on the paper's test recipes. Ours are dots, with their seeds as ticks "
        "and the interval over recipes as a bar, the paper's diamonds; see which rows lie within "
        "each other's bars.",
    )
    yield from cells.figure(
        figures,
        "labels_compared.svg",
        "Models against labels. Each line joins one model's score in the paper, trained on the "
        "paper's labels here, and trained on ours, from the columns F1 and CR above; a line that "
        "ends in the middle has no run on our labels.",
    )


def _table(rows: Sequence[ResultRow]) -> Table:
    full = next((row for row in rows if _plain(row) == FULL.experiment), None)
    return Table(
        (
            *("", "paper F1", "UR", "CR", "our F1", "UR", "CR", "selects", "too early"),
            *("seeds", "epochs", "F1 less full", "p", "paper's less full", "verdict"),
        ),
        tuple(_cells(row, full) for row in rows),
    )


def _cells(row: ResultRow, full: ResultRow | None) -> tuple[str, ...]:
    scores, less = row.scores[GOLD], row.differences.get(GOLD, {}).get("entity_f1")
    judged = less is not None and full is not None and row.printed is not None
    printed = row.printed.entity_f1 - FULL_PRINTED.entity_f1 if row.printed else 0.0
    return (
        row.label,
        *cells.printed(row, ("entity_f1", *RECALLS.values())),
        cells.seeds(scores.get("entity_f1"), interval=True),
        *(cells.seeds(scores.get(metric)) for metric in RECALLS.values()),
        cells.percent(row.selected[GOLD]),
        cells.percent(row.early),
        cells.runs(row),
        cells.epochs(row),
        *cells.less(row, less),
        f"{printed:+.1f}" if judged else NOTHING,
        verdict(less, row, full) if judged and less and full else NOTHING,
    )


def keys(results: Results) -> Iterator[Block]:
    """Whether where keys come from is why the entity network is level with the full model."""
    if not results.keys or GOLD not in results.recipes:
        return
    yield ReportHeading(3, "Where keys come from")
    yield Paragraph(
        "The entity network begins with keys made of the words of an ingredient's name, which is "
        "near to matching strings; the paper's network begins with skip-gram vectors of whole "
        "names. Here each has the other's, where there is such a run."
    )
    usual = ("entnet", FULL.experiment)
    rows = []
    for labels, table in results.tables.items():
        chosen = [row for row in table if _plain(row) in usual]
        for row in (*chosen, *results.keys.get(labels, ())):
            rows.append((f"{row.label}, {LABEL_TITLES[labels]}", row))
    yield Table(
        ("", "F1", "UR", "CR", "seeds", "epochs", "F1 less full", "p"),
        tuple(
            (
                label,
                *(cells.seeds(row.scores[GOLD].get(m)) for m in ("entity_f1", *RECALLS.values())),
                cells.runs(row),
                cells.epochs(row),
                *cells.difference(row.differences.get(GOLD, {}).get("entity_f1")),
            )
            for label, row in rows
        ),
    )


def verdict(found: Difference, row: ResultRow, full: ResultRow) -> str:
    """Real is a difference that other recipes would hardly turn, and other seeds did not, between
    runs that came to their end, or where more training of the one that leads could not turn it."""
    if min(len(row.seeds), len(full.seeds)) < 2:
        return "cannot be told: one seed"
    ours, theirs = (one.scores[GOLD]["entity_f1"].seeds for one in (row, full))
    apart = min(ours) > max(theirs) or max(ours) < min(theirs)
    real = found.p < SURE and apart
    if (row.cut_off or full.cut_off) and not (real and _stands(found, row, full)):
        return "cannot be told: cut off"
    if not real:
        return "no real difference" if found.p >= SURE else "within the seeds"
    return "holds" if found.value < 0 else "turned round"


def _stands(found: Difference, row: ResultRow, full: ResultRow) -> bool:
    """Whether the difference is sure although the side that leads was cut off."""
    lead = 100 * least_lead(found.value, found.low, found.high)
    trailing = row if found.value < 0 else full
    seeds = min(len(row.seeds), len(full.seeds))
    return stands(lead, seeds, trailing=bool(trailing.cut_off))


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
        f"In the column “our F1”: full model {100 * means[FULL.experiment]:.1f}; ablations from "
        f"{100 * min(between):.1f} to {100 * max(between):.1f}; baselines from "
        f"{100 * min(below):.1f} to {100 * max(below):.1f}. Kendall's tau between our order of the "
        f"{len(table)} rows and the paper's is {found.tau:+.2f} (one-sided p {cells.p(found.p)}); "
        f"+1 is the same order, 0 none in common.{_unlike(table)}"
    )


def _unlike(table: Sequence[ResultRow]) -> str:
    """What keeps an order of runs from being an order of models."""
    one_seed = sum(len(row.seeds) < 2 for row in table)
    cut_off = sum(not row.finished for row in table)
    if not one_seed and not cut_off:
        return ""
    counts = {"have one seed": one_seed, "were cut off": cut_off}
    limits = [f"{count} {what}" for what, count in counts.items() if count]
    return (
        " It is an order of runs, not of models: see the columns “seeds” and “epochs”; of "
        f"{len(table)} rows {' and '.join(limits)}."
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
        ("", *metrics, "seeds", "F1 less full", "p"),
        tuple(
            (
                cells.label(row),
                *(cells.seeds(_in_words(row, metric)) for metric in metrics.values()),
                cells.runs(row),
                *cells.less(row, row.differences.get("curd_dev", {}).get("entity_f1")),
            )
            for row in (*results.rows, *results.shipped)
        ),
    )


def _in_words(row: ResultRow, metric: str) -> SeedScore | None:
    """Some say nothing of actions; that is not a prediction of theirs."""
    score = row.scores["curd_dev"].get(metric)
    return None if score is None or (metric == "action_f1" and not score.value) else score
