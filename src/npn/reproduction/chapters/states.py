"""State changes: the other half of table 2, and table 8, training with part of the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.seeds import SeedScore
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.chapters import cells
from npn.reproduction.results import ResultRow, Results

GOLD = "states_dev"
OURS = {
    "F1": "state_f1/five",
    "acc.": "state_accuracy/five",
    "scaled F1": "state_scaled_f1/five",
    "scaled acc.": "state_scaled_accuracy/five",
    "per ingredient F1": "ingredient_f1/five",
    "entity F1": "entity_f1",
}


def state_changes(results: Results) -> Iterator[Block]:
    if GOLD not in results.recipes:
        return
    yield ReportHeading(2, "Table 2: state changes")
    yield Paragraph(
        "The paper's two columns stand here for the record only: its gold for end states is "
        "not public, so they are measured on other labels and cannot be compared with ours. "
        "The scaled columns are our reading of its metric. A trace lists a change only for "
        "ingredients that are selected and change, so that a model which selects nothing at a step "
        "is silent about its states too: all these columns depend on selection. Ours are means "
        "over five types: too few steps of states_dev change cleanliness to say anything of it."
    )
    yield _table((*results.table, *results.shipped))
    if results.matched:
        yield Paragraph("The same, trained with string matches for entity labels (one seed):")
        yield _table(results.matched)


def _table(rows: Sequence[ResultRow]) -> Table:
    return Table(
        ("", "paper F1", "paper acc.", *OURS, "scaled F1 less full", "p"),
        tuple(
            (
                row.label,
                *cells.printed(row, ("state_f1", "state_accuracy")),
                *(cells.seeds(_in_words(row, metric)) for metric in OURS.values()),
                *cells.difference(
                    row.differences.get(GOLD, {}).get("state_scaled_f1/five")
                    if _speaks_of_states(row)
                    else None
                ),
            )
            for row in rows
        ),
    )


def _in_words(row: ResultRow, metric: str) -> SeedScore | None:
    if metric.startswith(("state_", "ingredient_")) and not _speaks_of_states(row):
        return None
    return row.scores[GOLD].get(metric)


def _speaks_of_states(row: ResultRow) -> bool:
    """Some say nothing of state changes; no change at all is not a prediction of theirs."""
    score = row.scores[GOLD].get("state_f1/five")
    return score is not None and score.value > 0


def label_curve(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if len(results.curve) < 2:
        return
    yield ReportHeading(2, "Table 8: training with part of the labels")
    yield Paragraph(
        "Each entity label, state change and action of the training set is kept with the "
        "probability given. A step that loses its entity label counts as unlabelled; a type of "
        "state change that is dropped from a step reads as no change for all that it befell there. "
        "One seed a point. The paper measured on its development set: entities are measured here "
        "on npn_entities_dev, "
        "state changes on states_train, which the networks have not seen, as means over five "
        "types, with cleanliness, the rarest, beside them. The last columns say how far a point "
        "lies below all labels."
    )
    yield Table(
        (
            *("", "paper F1", "state F1", "state acc."),
            *("our F1", "state F1", "state acc.", "cleanliness F1"),
            *("F1 less all", "p", "state F1 less all", "p"),
        ),
        tuple(_point(row) for row in results.curve.values()),
    )
    yield from cells.figure(
        figures,
        "labels.svg",
        "What labels are worth. Compare the middle panel's two lines: how steeply state change F1 "
        "climbs with the share of labels kept in the paper (diamonds) and here (dots, with 95 % "
        "intervals over recipes), and where it levels off; entity F1, on the left, moves little.",
    )


def _point(row: ResultRow) -> tuple[str, ...]:
    entities, states = row.scores.get("npn_entities_dev", {}), row.scores.get("states_train", {})
    less = row.differences
    return (
        row.label,
        *cells.printed(row, ("entity_f1", "state_f1", "state_accuracy")),
        cells.seeds(entities.get("entity_f1"), interval=True),
        cells.seeds(states.get("state_f1/five"), interval=True),
        cells.seeds(states.get("state_accuracy/five"), interval=True),
        cells.seeds(states.get("state_f1/cleanliness"), interval=True),
        *cells.difference(less.get("npn_entities_dev", {}).get("entity_f1")),
        *cells.difference(less.get("states_train", {}).get("state_f1/five")),
    )
