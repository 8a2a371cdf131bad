"""Table 2, entity selection and state changes, and table 8, training with part of the labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npn.evaluation.selections import agreement
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.numbers import Scores
from npn.reproduction.rows import BASELINES, FULL, STATES, SURE, TEST
from npn.reproduction.tracking.numbers import (
    RowNumbers,
    TrackingNumbers,
    by_labels,
    difference_cells,
    epochs_cell,
    p_cell,
    percent_cell,
    plain,
    printed_cells,
    row_name,
    score_cell,
    seeds_cell,
)
from npn.reproduction.verdicts import BesideFull, compare

RECALLS = {"UR": "uncombined_recall", "CR": "combined_recall"}
ENTITIES = ("entity_f1", *RECALLS.values())


def selection(numbers: TrackingNumbers) -> Iterator[Block]:
    """Table 2, entity selection on the paper's test recipes."""
    if TEST not in numbers["recipes"]:
        return
    for title, rows in by_labels(numbers["table"]):
        yield ReportHeading(3, f"Trained on {title}")
        yield _selection_table(rows)
        if sentence := ladder(rows):
            yield Paragraph(sentence)
    if numbers["shipped"]:
        yield ReportHeading(3, "Rules, labels and the default, which are not trained here")
        yield _selection_table(numbers["shipped"])


def _selection_table(rows: Sequence[RowNumbers]) -> Table:
    full = next((row for row in rows if plain(row) == FULL.experiment), None)
    return Table(
        (
            *("", "paper F1", "UR", "CR", "our F1", "UR", "CR", "selects", "too early"),
            *("seeds", "epochs", "F1 less full", "p", "paper's less full", "verdict"),
        ),
        [
            (
                row["label"],
                *printed_cells(row, ENTITIES),
                score_cell(row["scores"][TEST].get("entity_f1"), interval=True),
                *_cells(row["scores"][TEST], RECALLS.values()),
                percent_cell(row["selected"][TEST]),
                percent_cell(row["early"]),
                seeds_cell(row),
                epochs_cell(row),
                *_less_full(row, TEST),
                *_judged(row, full),
            )
            for row in rows
        ],
    )


def _judged(row: RowNumbers, full: RowNumbers | None) -> tuple[str, str]:
    """The paper's own difference from the full model, and what ours tells."""
    found = compare(row, full, "entity_f1") if full else None
    if found is None or found.printed is None:
        return NOTHING, NOTHING
    return f"{found.printed:+.1f}", verdict(found)


def verdict(found: BesideFull) -> str:
    """What a row's difference from the full model tells. Runs that the clock cut off tell nothing,
    unless they lead by so much that more training could not matter."""
    if found.fewest < 2:
        return "cannot be told: one seed"
    if any(found.cut_off) and not found.is_sure:
        return "cannot be told: cut off"
    if not found.is_real:
        return "no real difference" if found.less["p"] >= SURE else "within the seeds"
    return "holds" if found.less["value"] < 0 else "turned round"


def ladder(table: Sequence[RowNumbers]) -> str:
    """A sentence on the order of the full model, the ablations and the baselines, and on how well
    the order of all rows agrees with the paper's."""
    means = {plain(row): 100 * row["scores"][TEST]["entity_f1"]["value"] for row in table}
    baselines = {row.experiment for row in BASELINES}
    below = [mean for key, mean in means.items() if key in baselines]
    between = [m for key, m in means.items() if key not in baselines and key != FULL.experiment]
    if not below or not between or FULL.experiment not in means:
        return ""
    printed = [row["printed"]["entity_f1"] for row in table if row["printed"]]
    found = agreement(printed, list(means.values()))
    return (
        f"In the column “our F1”: full model {means[FULL.experiment]:.1f}; ablations from "
        f"{min(between):.1f} to {max(between):.1f}; baselines from {min(below):.1f} to "
        f"{max(below):.1f}. Kendall's tau between our order of the {len(table)} rows and the "
        f"paper's is {found.tau:+.2f} (one-sided p {p_cell(found.p)}); +1 is the same order, 0 "
        f"none in common.{_unlike(table)}"
    )


def _unlike(table: Sequence[RowNumbers]) -> str:
    """A caveat where rows have one seed or were cut off: these are runs, not models, in order."""
    counts = {
        "have one seed": sum(len(row["seeds"]) < 2 for row in table),
        "were cut off": sum(not row["finished"] for row in table),
    }
    limits = [f"{count} {what}" for what, count in counts.items() if count]
    if not limits:
        return ""
    return (
        " It is an order of runs, not of models: see the columns “seeds” and “epochs”; of "
        f"{len(table)} rows {' and '.join(limits)}."
    )


def keys(numbers: TrackingNumbers) -> Iterator[Block]:
    """Whether the entity network is level with the full model because of where its keys come
    from."""
    if not numbers["keys"] or TEST not in numbers["recipes"]:
        return
    usual = [row for row in numbers["table"] if plain(row) in ("entnet", FULL.experiment)]
    yield Table(
        ("", "F1", "UR", "CR", "seeds", "epochs", "F1 less full", "p"),
        [
            (
                f"{row['label']}, {title}",
                *_cells(row["scores"][TEST], ENTITIES),
                seeds_cell(row),
                epochs_cell(row),
                *_less_full(row, TEST),
            )
            for title, rows in by_labels([*usual, *numbers["keys"]])
            for row in rows
        ],
    )


def curd(numbers: TrackingNumbers) -> Iterator[Block]:
    if "curd_dev" in numbers["recipes"]:
        yield Table(
            ("", "entity F1", *RECALLS, "action F1", "seeds", "F1 less full", "p"),
            [
                (
                    row_name(row),
                    *_cells(_spoken(row["scores"]["curd_dev"]), (*ENTITIES, "action_f1")),
                    seeds_cell(row),
                    *_less_full(row, "curd_dev"),
                )
                for row in (*numbers["table"], *numbers["shipped"])
            ],
        )


def _cells(scores: Scores, metrics: Iterable[str]) -> list[str]:
    return [score_cell(scores.get(metric)) for metric in metrics]


def _less_full(row: RowNumbers, gold: str) -> tuple[str, str]:
    """How far its entity F1 lies from the full model's. These cells stay empty for what was not
    trained beside that model, and has no seeds."""
    less = row["less_full"].get(gold, {}).get("entity_f1")
    return difference_cells(less if row["seeds"] else None)


def _spoken(scores: Scores) -> Scores:
    """Without those of actions and of states where none is ever predicted: a tracker that cannot
    name actions has no action F1, rather than one of 0."""
    silent = [kind for kind, f1 in SPOKEN.items() if f1 not in scores or not scores[f1]["value"]]
    return {name: one for name, one in scores.items() if name.partition("_")[0] not in silent}


SPOKEN = {"action": "action_f1", "state": "state_f1/five", "ingredient": "state_f1/five"}

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


def state_changes(numbers: TrackingNumbers) -> Iterator[Block]:
    if STATES not in numbers["recipes"]:
        return
    for title, rows in by_labels(numbers["table"]):
        yield ReportHeading(3, f"Trained on {title}")
        yield _states_table(rows)
        raw = [_spoken(row["raw"].get(STATES, {})).get("state_f1/five") for row in rows]
        spoken = [100 * one["value"] for one in raw if one]
        if spoken:
            yield Paragraph(
                f"In the column “raw F1” these rows lie from {min(spoken):.1f} to "
                f"{max(spoken):.1f}; the scaled columns also count whom a row selects."
            )
    if numbers["shipped"]:
        yield ReportHeading(3, "Not trained here")
        yield _states_table(numbers["shipped"])


def _states_table(rows: Sequence[RowNumbers]) -> Table:
    return Table(
        ("", "paper F1", "paper acc.", *RAW, *TRACED, "seeds", "raw scaled F1 less full", "p"),
        [_states_line(row, _spoken(row["raw"].get(STATES, {}))) for row in rows],
    )


def _states_line(row: RowNumbers, raw: Scores) -> list[str]:
    less = row["raw_less_full"].get(STATES, {}).get(JUDGED) if JUDGED in raw else None
    return [
        row["label"],
        *printed_cells(row, ("state_f1", "state_accuracy")),
        *_cells(raw, RAW.values()),
        *_cells(_spoken(row["scores"][STATES]), TRACED.values()),
        seeds_cell(row),
        *difference_cells(less),
    ]


# -- Table 8: training with part of the labels.


def label_curve(numbers: TrackingNumbers) -> Iterator[Block]:
    for title, rows in by_labels(numbers["labels"]):
        yield ReportHeading(3, f"With parts of {title}")
        yield Table(
            (
                *("", "paper F1", "state F1", "state acc."),
                *("our F1", "raw state F1", "raw state acc.", "seeds", "epochs"),
                *("F1 less all", "p", "raw state F1 less all", "p"),
            ),
            list(map(_point, rows)),
        )


def _point(row: RowNumbers) -> list[str]:
    entities, states = row["scores"].get("npn_entities_dev", {}), row["raw"].get("states_train", {})
    less = row["raw_less_full"].get("states_train", {}).get("state_f1/five")
    return [
        row["label"],
        *printed_cells(row, ("entity_f1", "state_f1", "state_accuracy")),
        score_cell(entities.get("entity_f1"), interval=True),
        score_cell(states.get("state_f1/five"), interval=True),
        score_cell(states.get("state_accuracy/five"), interval=True),
        seeds_cell(row),
        epochs_cell(row),
        *_less_full(row, "npn_entities_dev"),
        *difference_cells(less),
    ]
