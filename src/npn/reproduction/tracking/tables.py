"""Table 2, entity selection and state changes, and table 8, training with part of the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.bootstrap import Difference, SeedScore
from npn.evaluation.selections import Agreement, agreement
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.claims import are_apart, least_lead, stands
from npn.reproduction.rows import BASELINES, FULL, FULL_PRINTED, LABEL_TITLES, STATES, SURE, TEST
from npn.reproduction.tracking.results import (
    ResultRow,
    Results,
    difference_cells,
    epochs_cell,
    figure_block,
    less_cells,
    p_cell,
    percent_cell,
    printed_cells,
    row_name,
    score_cell,
    seeds_cell,
)

RECALLS = {"UR": "uncombined_recall", "CR": "combined_recall"}


def table_2(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if TEST not in results.recipes:
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
        yield _selection_table(table)
        sentence = ladder(table)
        if sentence:
            yield Paragraph(sentence)
    if results.shipped:
        yield ReportHeading(3, "Rules, labels and the default, which are not trained here")
        yield _selection_table(results.shipped)
    yield from figure_block(
        figures,
        "table2.svg",
        "Entity selection on the paper's test recipes. Ours are dots, with their seeds as ticks "
        "and the interval over recipes as a bar, the paper's diamonds; see which rows lie within "
        "each other's bars.",
    )
    yield from figure_block(
        figures,
        "labels_compared.svg",
        "Models against labels. Each line joins one model's score in the paper, trained on the "
        "paper's labels here, and trained on ours, from the columns F1 and CR above; a line that "
        "ends in the middle has no run on our labels.",
    )


def _selection_table(rows: Sequence[ResultRow]) -> Table:
    full = next((row for row in rows if _plain(row) == FULL.experiment), None)
    return Table(
        (
            *("", "paper F1", "UR", "CR", "our F1", "UR", "CR", "selects", "too early"),
            *("seeds", "epochs", "F1 less full", "p", "paper's less full", "verdict"),
        ),
        tuple(_cells(row, full) for row in rows),
    )


def _cells(row: ResultRow, full: ResultRow | None) -> tuple[str, ...]:
    scores, less = row.scores[TEST], row.differences.get(TEST, {}).get("entity_f1")
    judged = less is not None and full is not None and row.printed is not None
    printed = row.printed.entity_f1 - FULL_PRINTED.entity_f1 if row.printed else 0.0
    return (
        row.label,
        *printed_cells(row, ("entity_f1", *RECALLS.values())),
        score_cell(scores.get("entity_f1"), interval=True),
        *(score_cell(scores.get(metric)) for metric in RECALLS.values()),
        percent_cell(row.selected[TEST]),
        percent_cell(row.early),
        seeds_cell(row),
        epochs_cell(row),
        *less_cells(row, less),
        f"{printed:+.1f}" if judged else NOTHING,
        verdict(less, row, full) if judged and less and full else NOTHING,
    )


def keys(results: Results) -> Iterator[Block]:
    """Whether where keys come from is why the entity network is level with the full model."""
    if not results.keys or TEST not in results.recipes:
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
                *(score_cell(row.scores[TEST].get(m)) for m in ("entity_f1", *RECALLS.values())),
                seeds_cell(row),
                epochs_cell(row),
                *difference_cells(row.differences.get(TEST, {}).get("entity_f1")),
            )
            for label, row in rows
        ),
    )


def verdict(found: Difference, row: ResultRow, full: ResultRow) -> str:
    """Real is a difference that other recipes would hardly turn, and other seeds did not, between
    runs that came to their end, or where more training of the one that leads could not turn it."""
    if min(len(row.seeds), len(full.seeds)) < 2:
        return "cannot be told: one seed"
    ours, theirs = (one.scores[TEST]["entity_f1"].seeds for one in (row, full))
    real = found.p < SURE and are_apart(ours, theirs)
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
    means = {_plain(row): row.scores[TEST]["entity_f1"].value for row in table}
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
        f"{len(table)} rows and the paper's is {found.tau:+.2f} (one-sided p {p_cell(found.p)}); "
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
    ours = [row.scores[TEST]["entity_f1"].value for row in table if row.printed is not None]
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
                row_name(row),
                *(score_cell(_curd_score(row, metric)) for metric in metrics.values()),
                seeds_cell(row),
                *less_cells(row, row.differences.get("curd_dev", {}).get("entity_f1")),
            )
            for row in (*results.rows, *results.shipped)
        ),
    )


def _curd_score(row: ResultRow, metric: str) -> SeedScore | None:
    """Some say nothing of actions; that is not a prediction of theirs."""
    score = row.scores["curd_dev"].get(metric)
    return None if score is None or (metric == "action_f1" and not score.value) else score


# -- State changes: the other half of table 2.

RAW = {
    "raw F1": "state_f1/five",
    "acc.": "state_accuracy/five",
    "scaled F1": "state_scaled_f1/five",
    "scaled acc.": "state_scaled_accuracy/five",
}
TRACED = {
    "traced F1": "state_f1/five",
    "scaled F1 ": "state_scaled_f1/five",
    "per ingredient F1": "ingredient_f1/five",
    "entity F1": "entity_f1",
}
JUDGED = "state_scaled_f1/five"


def state_changes(results: Results) -> Iterator[Block]:
    if STATES not in results.recipes:
        return
    yield ReportHeading(2, "Table 2: state changes")
    yield Paragraph(
        "The paper's two columns stand here for the record only: its gold for end states is "
        "not public, so they are measured on other labels and cannot be compared with ours. "
        "Raw scores are the predictors' own: the end state that each puts first at a step is its "
        "prediction, whoever is selected. Scaled ones count what is right in a step by the share "
        "of ingredients that are rightly selected or left there, our reading of the paper's "
        "metric. Traced ones are of what a user is told: nothing where nobody is selected, and "
        "location, temperature and cleanliness only where they become other than they were, which "
        "lends a memory to networks that have none. All are means over five types: too few steps "
        "of states_dev change cleanliness to say anything of it. Differences are of the raw scaled "
        "F1, from the full model of the same labels."
    )
    for labels, table in results.tables.items():
        yield ReportHeading(3, f"Trained on {LABEL_TITLES[labels]}")
        yield _states_table(table)
        spoken = [one.value for row in table if (one := raw_score(row, "state_f1/five"))]
        if spoken:
            yield Paragraph(
                f"In the column “raw F1” these rows lie from {100 * min(spoken):.1f} to "
                f"{100 * max(spoken):.1f}; the scaled columns also count whom a row selects."
            )
    if results.shipped:
        yield ReportHeading(3, "Not trained here")
        yield _states_table(results.shipped)


def _states_table(rows: Sequence[ResultRow]) -> Table:
    return Table(
        ("", "paper F1", "paper acc.", *RAW, *TRACED, "seeds", "raw scaled F1 less full", "p"),
        tuple(
            (
                row.label,
                *printed_cells(row, ("state_f1", "state_accuracy")),
                *(score_cell(raw_score(row, metric)) for metric in RAW.values()),
                *(score_cell(_traced_score(row, metric)) for metric in TRACED.values()),
                seeds_cell(row),
                *difference_cells(
                    row.raw_differences.get(STATES, {}).get(JUDGED)
                    if raw_score(row, JUDGED)
                    else None
                ),
            )
            for row in rows
        ),
    )


def raw_score(row: ResultRow, metric: str) -> SeedScore | None:
    """Nothing for what does not speak of states."""
    scores = row.raw.get(STATES, {})
    spoken = scores.get("state_f1/five")
    return scores.get(metric) if spoken is not None and spoken.value > 0 else None


def _traced_score(row: ResultRow, metric: str) -> SeedScore | None:
    if metric.startswith(("state_", "ingredient_")) and not _speaks_of_states(row):
        return None
    return row.scores[STATES].get(metric)


def _speaks_of_states(row: ResultRow) -> bool:
    """Some say nothing of state changes; no change at all is not a prediction of theirs."""
    score = row.scores[STATES].get("state_f1/five")
    return score is not None and score.value > 0


# -- Table 8: training with part of the labels.


def label_curve(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if not results.curves:
        return
    yield ReportHeading(2, "Table 8: training with part of the labels")
    yield Paragraph(
        "Each entity label, state change and action of the training set is kept with the "
        "probability given. A step that loses its entity label counts as unlabelled; a type of "
        "state change that is dropped from a step reads as no change for all that it befell there. "
        "The paper measured on its development set: entities are measured here on "
        "npn_entities_dev, state changes, raw, on states_train, which the networks have not seen, "
        "as means over five types. The last columns say how far a point lies below all labels; "
        "where the column “epochs” (of pretraining and of training) is not the same in two points, "
        "they differ in more than labels. Where the full model of table 2 had many more than the "
        "other points, a run of it with about as many as they (labels_100) stands for all labels. "
        "The paper's columns of states are for the record only, as in table 2."
    )
    for labels, curve in results.curves.items():
        yield ReportHeading(3, f"With parts of {LABEL_TITLES[labels]}")
        yield Table(
            (
                *("", "paper F1", "state F1", "state acc."),
                *("our F1", "raw state F1", "raw state acc.", "seeds", "epochs"),
                *("F1 less all", "p", "raw state F1 less all", "p"),
            ),
            tuple(_point(row) for row in curve.values()),
        )
    yield from figure_block(
        figures,
        "labels.svg",
        "What labels are worth. Scores against the share of labels kept: dots on the paper's "
        "labels, squares on ours, with 95 % intervals over recipes, and the paper's own as "
        "diamonds, whose heights in the two panels of states cannot be compared with ours. The "
        "points are those of the tables above, with the seeds and epochs that stand there.",
    )


def _point(row: ResultRow) -> tuple[str, ...]:
    entities, states = row.scores.get("npn_entities_dev", {}), row.raw.get("states_train", {})
    less = row.differences.get("npn_entities_dev", {})
    return (
        row.label,
        *printed_cells(row, ("entity_f1", "state_f1", "state_accuracy")),
        score_cell(entities.get("entity_f1"), interval=True),
        score_cell(states.get("state_f1/five"), interval=True),
        score_cell(states.get("state_accuracy/five"), interval=True),
        seeds_cell(row),
        epochs_cell(row),
        *difference_cells(less.get("entity_f1")),
        *difference_cells(row.raw_differences.get("states_train", {}).get("state_f1/five")),
    )
