"""What the report says of an order, in words that follow from the numbers."""

from __future__ import annotations

from typing import Any

from npn.reproduction.blocks import NOTHING, Paragraph, ReportHeading, Table
from npn.reproduction.numbers import DifferenceNumbers, ScoreNumbers
from npn.reproduction.rows import FULL, PAPER_LABELS, TABLE_2, TEST, Row, Wanted
from npn.reproduction.tracking.numbers import RowNumbers, TrackingNumbers, p_cell, seeds_cell
from npn.reproduction.tracking.run_chapters import seeds_and_clock
from npn.reproduction.tracking.tables import ladder, selection, verdict
from npn.reproduction.verdicts import compare


def difference(value: float, low: float, high: float, p: float) -> DifferenceNumbers:
    return {"value": value, "low": low, "high": high, "p": p}


LESS = difference(-0.05, -0.08, -0.02, 0.001)


def score(value: float, seeds: int) -> ScoreNumbers:
    values = [value - 0.01, value + 0.01, value][:seeds]
    return {
        "value": value,
        "low": value - 0.02,
        "high": value + 0.02,
        "spread": 0.01,
        "seeds": values,
    }


def result(
    row: Row, f1: float, labels: str = "", *, seeds: int = 2, cut_off: tuple[int, ...] = ()
) -> RowNumbers:
    metrics = ("entity_f1", "uncombined_recall", "combined_recall")
    return {
        "key": Wanted(row.experiment, 1, labels).key,
        "label": row.label,
        "printed": row.printed,
        "seeds": list(range(1, seeds + 1)),
        "finished": not cut_off,
        "cut_off": cut_off,
        "epochs": None,
        "pretraining": None,
        "scores": {TEST: dict.fromkeys(metrics, score(f1, seeds))},
        "less_full": {} if row is FULL else {TEST: {"entity_f1": LESS}},
        "selected": {TEST: 0.4},
        "early": 0.1,
    }


def judged(row: RowNumbers, full: RowNumbers, less: DifferenceNumbers = LESS) -> str:
    beside: Any = {**row, "less_full": {TEST: {"entity_f1": less}}}
    found = compare(beside, full, "entity_f1")
    assert found is not None
    return verdict(found)


def results(table: list[RowNumbers], on_paper: list[RowNumbers]) -> TrackingNumbers:
    return {
        "recipes": {TEST: 134},
        "data": {"training": {"pretrain_epochs": 6}},
        "table": [*on_paper, *table],
        "keys": [],
        "shipped": [],
        "labels": [],
    }


def as_in_the_paper(labels: str = "") -> list[RowNumbers]:
    return [result(row, printed_f1(row) / 100, labels) for row in TABLE_2]


def printed_f1(row: Row) -> float:
    found = (row.printed or {})["entity_f1"]
    assert found is not None
    return found


def test_a_difference_is_called_real_only_where_it_is_sure() -> None:
    full, below, near = result(FULL, 0.55), result(TABLE_2[0], 0.50), result(TABLE_2[0], 0.54)
    assert judged(below, full) == "holds"
    assert judged(full, below, difference(0.05, 0.02, 0.08, 0.001)) == "turned round"
    assert judged(below, full, difference(-0.05, -0.2, 0.02, 0.2)) == "no real difference"
    assert judged(near, full) == "within the seeds"


def test_one_seed_or_a_run_that_was_cut_off_settles_nothing() -> None:
    full, below = result(FULL, 0.55), result(TABLE_2[0], 0.50)
    late, once = result(TABLE_2[0], 0.50, cut_off=(2,)), result(TABLE_2[0], 0.50, seeds=1)
    assert judged(once, full) == "cannot be told: one seed"
    assert judged(late, full) == "cannot be told: cut off"
    assert judged(below, result(FULL, 0.55, cut_off=(1, 2))) == "cannot be told: cut off"
    assert seeds_cell(below) == "2"
    assert seeds_cell(late) == "2, 1 cut off"
    assert seeds_cell(result(TABLE_2[0], 0.50, seeds=1, cut_off=(1,))) == "1, cut off"


def test_what_leads_by_far_may_have_been_cut_off_if_what_trails_was_not() -> None:
    full = result(FULL, 0.55, seeds=3, cut_off=(1,))
    below = result(TABLE_2[0], 0.40, seeds=3)
    far = difference(-0.15, -0.18, -0.12, 0.001)
    assert judged(below, full, far) == "holds"
    late = result(TABLE_2[0], 0.40, seeds=3, cut_off=(3,))
    assert judged(late, full, far) == "cannot be told: cut off"
    assert judged(below, full) == "cannot be told: cut off"  # within three points


def test_the_report_names_missing_rows_and_runs_that_were_cut_off() -> None:
    full, late = result(FULL, 0.55), result(TABLE_2[0], 0.5, cut_off=(2,))
    late |= {"epochs": 10.0, "pretraining": 4.0}
    blocks = seeds_and_clock(results([late, full], []))
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert "Trained on the paper's labels: 0 of the 10 rows" in said
    assert "Trained on our labels: 2 of the 10 rows" in said
    assert "No run: Adapted GRU; " in said
    assert "is of 2 seeds" in said
    assert "Of 4 runs, 1 was cut off by the clock before the stopping rule: " in said
    assert "entity_recognizer-2" in said
    late |= {"cut_off": (1, 2)}
    full |= {"cut_off": (1,)}
    blocks = seeds_and_clock(results([late, full], []))
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert (
        "Of 4 runs, 3 were cut off by the clock before the stopping rule: all of them but " in said
    )
    assert "but paper-2." in said
    whole = " ".join(str(block) for block in seeds_and_clock(results(as_in_the_paper(), [])))
    assert "None of the 20 runs was cut off" in whole


def test_the_papers_own_numbers_are_in_the_papers_order() -> None:
    said = ladder(as_in_the_paper())
    assert "full model 55.4; ablations from 48.9 to 55.2; baselines from 45.9 to 51.0" in said
    assert "+1.00" in said


def test_a_reversed_table_is_said_to_be_reversed() -> None:
    table = [result(row, 1 - printed_f1(row) / 100) for row in TABLE_2]
    assert "-1.00" in ladder(table)


def tables(found: TrackingNumbers) -> list[Table]:
    return [block for block in selection(found) if isinstance(block, Table)]


def test_every_row_but_the_full_model_is_judged() -> None:
    (table,) = tables(results(as_in_the_paper(), []))
    assert [line[0] for line in table.rows] == [row.label for row in TABLE_2]
    assert {len(line) for line in table.rows} == {len(table.heading)}
    found = {line[0]: line[-1] for line in table.rows}
    assert found["Adapted GRU"] == "holds"
    assert found["− coverage loss"] == "within the seeds"
    assert found[FULL.label] == NOTHING
    assert table.rows[0][-2] == "-4.4"  # the paper's own difference


def test_rows_on_the_papers_labels_come_first_and_have_their_own_table() -> None:
    both = results(as_in_the_paper(), as_in_the_paper(PAPER_LABELS))
    first, second = tables(both)
    assert first.rows == second.rows
    headings = [block.text for block in selection(both) if isinstance(block, ReportHeading)]
    assert headings == ["Trained on the paper's labels", "Trained on our labels"]


def test_small_probabilities_are_not_called_zero() -> None:
    assert p_cell(0.0004) == "< .001"
    assert p_cell(0.0312) == "0.031"
