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
    less_cells,
    p_cell,
    percent_cell,
    printed_cells,
    row_name,
    score_cell,
    seeds_cell,
)

RECALLS = {"UR": "uncombined_recall", "CR": "combined_recall"}


def selection(results: Results) -> Iterator[Block]:
    """Table 2, entity selection on the paper's test recipes."""
    if TEST not in results.recipes:
        return
    for labels, table in results.tables.items():
        yield ReportHeading(3, f"Trained on {LABEL_TITLES[labels]}")
        yield _selection_table(table)
        sentence = ladder(table)
        if sentence:
            yield Paragraph(sentence)
    if results.shipped:
        yield ReportHeading(3, "Rules, labels and the default, which are not trained here")
        yield _selection_table(results.shipped)


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
    scores, less = row.scores[TEST], row.less_full.get(TEST, {}).get("entity_f1")
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
    """Whether the entity network is level with the full model because of where its keys come
    from."""
    if not results.keys or TEST not in results.recipes:
        return
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
                *difference_cells(row.less_full.get(TEST, {}).get("entity_f1")),
            )
            for label, row in rows
        ),
    )


def verdict(found: Difference, row: ResultRow, full: ResultRow) -> str:
    """What a row's difference from the full model tells. It is real if chance over recipes hardly
    turns it (p below .05) and no seed of the one lies among those of the other. Runs that the clock
    cut off tell nothing, unless they lead by so much that more training could not matter."""
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
    """A sentence on the order of the full model, the ablations and the baselines, and on how well
    the order of all rows agrees with the paper's."""
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
    """A caveat where rows have one seed or were cut off: these are runs, not models, in order."""
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
    """The experiment of a row without its labels: "gru" for "paper-gru"."""
    return row.key.rpartition("-")[2]


def curd(results: Results) -> Iterator[Block]:
    if "curd_dev" not in results.recipes:
        return
    metrics = {"entity F1": "entity_f1", **RECALLS, "action F1": "action_f1"}
    yield Table(
        ("", *metrics, "seeds", "F1 less full", "p"),
        tuple(
            (
                row_name(row),
                *(
                    score_cell(_spoken(row.scores["curd_dev"], metric))
                    for metric in metrics.values()
                ),
                seeds_cell(row),
                *less_cells(row, row.less_full.get("curd_dev", {}).get("entity_f1")),
            )
            for row in (*results.rows, *results.shipped)
        ),
    )


def _spoken(scores: Mapping[str, SeedScore], metric: str) -> SeedScore | None:
    """A score, or None if it is of actions or states and the row never predicts any: a tracker that
    cannot name actions has no action F1, rather than one of 0."""
    kinds = {"action": "action_f1", "state": "state_f1/five", "ingredient": "state_f1/five"}
    kind = kinds.get(metric.partition("_")[0])
    speaks = kind is None or (kind in scores and scores[kind].value > 0)
    return scores.get(metric) if speaks else None


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
    for labels, table in results.tables.items():
        yield ReportHeading(3, f"Trained on {LABEL_TITLES[labels]}")
        yield _states_table(table)
        raw = [row.raw.get(STATES, {}) for row in table]
        spoken = [one.value for scores in raw if (one := _spoken(scores, "state_f1/five"))]
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
                *(score_cell(_spoken(row.raw.get(STATES, {}), metric)) for metric in RAW.values()),
                *(score_cell(_spoken(row.scores[STATES], metric)) for metric in TRACED.values()),
                seeds_cell(row),
                *difference_cells(
                    row.raw_less_full.get(STATES, {}).get(JUDGED)
                    if _spoken(row.raw.get(STATES, {}), JUDGED)
                    else None
                ),
            )
            for row in rows
        ),
    )


# -- Table 8: training with part of the labels.


def label_curve(results: Results) -> Iterator[Block]:
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


def _point(row: ResultRow) -> tuple[str, ...]:
    entities, states = row.scores.get("npn_entities_dev", {}), row.raw.get("states_train", {})
    less = row.less_full.get("npn_entities_dev", {})
    return (
        row.label,
        *printed_cells(row, ("entity_f1", "state_f1", "state_accuracy")),
        score_cell(entities.get("entity_f1"), interval=True),
        score_cell(states.get("state_f1/five"), interval=True),
        score_cell(states.get("state_accuracy/five"), interval=True),
        seeds_cell(row),
        epochs_cell(row),
        *difference_cells(less.get("entity_f1")),
        *difference_cells(row.raw_less_full.get("states_train", {}).get("state_f1/five")),
    )
