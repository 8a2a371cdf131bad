"""State changes: the other half of table 2, and table 8, training with part of the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.bootstrap import SeedScore
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.rows import LABEL_TITLES
from npn.reproduction.tracking import cells
from npn.reproduction.tracking.results import ResultRow, Results

GOLD = "states_dev"
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
    if GOLD not in results.recipes:
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
        yield _table(table)
        spoken = [one.value for row in table if (one := raw_score(row, "state_f1/five"))]
        if spoken:
            yield Paragraph(
                f"In the column “raw F1” these rows lie from {100 * min(spoken):.1f} to "
                f"{100 * max(spoken):.1f}; the scaled columns also count whom a row selects."
            )
    if results.shipped:
        yield ReportHeading(3, "Not trained here")
        yield _table(results.shipped)


def _table(rows: Sequence[ResultRow]) -> Table:
    return Table(
        ("", "paper F1", "paper acc.", *RAW, *TRACED, "seeds", "raw scaled F1 less full", "p"),
        tuple(
            (
                row.label,
                *cells.printed(row, ("state_f1", "state_accuracy")),
                *(cells.seeds(raw_score(row, metric)) for metric in RAW.values()),
                *(cells.seeds(_in_words(row, metric)) for metric in TRACED.values()),
                cells.runs(row),
                *cells.difference(
                    row.raw_differences.get(GOLD, {}).get(JUDGED)
                    if raw_score(row, JUDGED)
                    else None
                ),
            )
            for row in rows
        ),
    )


def raw_score(row: ResultRow, metric: str) -> SeedScore | None:
    """Nothing for what does not speak of states."""
    scores = row.raw.get(GOLD, {})
    spoken = scores.get("state_f1/five")
    return scores.get(metric) if spoken is not None and spoken.value > 0 else None


def _in_words(row: ResultRow, metric: str) -> SeedScore | None:
    if metric.startswith(("state_", "ingredient_")) and not _speaks_of_states(row):
        return None
    return row.scores[GOLD].get(metric)


def _speaks_of_states(row: ResultRow) -> bool:
    """Some say nothing of state changes; no change at all is not a prediction of theirs."""
    score = row.scores[GOLD].get("state_f1/five")
    return score is not None and score.value > 0


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
    yield from cells.figure(
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
        *cells.printed(row, ("entity_f1", "state_f1", "state_accuracy")),
        cells.seeds(entities.get("entity_f1"), interval=True),
        cells.seeds(states.get("state_f1/five"), interval=True),
        cells.seeds(states.get("state_accuracy/five"), interval=True),
        cells.runs(row),
        cells.epochs(row),
        *cells.difference(less.get("entity_f1")),
        *cells.difference(row.raw_differences.get("states_train", {}).get("state_f1/five")),
    )
