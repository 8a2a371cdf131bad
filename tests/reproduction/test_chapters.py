"""What the report says of an order, in words that follow from the numbers."""

from __future__ import annotations

from dataclasses import replace

from npn.evaluation.bootstrap import Difference, SeedScore
from npn.reproduction.blocks import NOTHING, Paragraph, ReportHeading, Table
from npn.reproduction.rows import FULL, OUR_LABELS, PAPER_LABELS, TABLE_2, TEST, Row, Wanted
from npn.reproduction.tracking.results import ResultRow, Results, p_cell, seeds_cell
from npn.reproduction.tracking.run_chapters import seeds_and_clock
from npn.reproduction.tracking.tables import ladder, selection, verdict

LESS = Difference(-0.05, -0.08, -0.02, 0.001)


def score(value: float) -> SeedScore:
    return SeedScore(value, value - 0.02, value + 0.02, 0.01, (value - 0.01, value + 0.01))


def result(row: Row, f1: float, less: Difference = LESS, labels: str = "") -> ResultRow:
    metrics = ("entity_f1", "uncombined_recall", "combined_recall")
    return ResultRow(
        key=Wanted(row.experiment, 1, labels).key,
        label=row.label,
        printed=row.printed,
        seeds=(1, 2),
        scores={TEST: dict.fromkeys(metrics, score(f1))},
        less_full={} if row is FULL else {TEST: {"entity_f1": less}},
        selected={TEST: 0.4},
        early=0.1,
        counts={},
    )


def results(table: list[ResultRow], on_paper: list[ResultRow]) -> Results:
    tables = {PAPER_LABELS: tuple(on_paper), OUR_LABELS: tuple(table)}
    there = {labels: rows for labels, rows in tables.items() if rows}
    return Results({TEST: 134}, {}, there, {}, (), {}, (), {}, (), ())


def as_in_the_paper(labels: str = "") -> list[ResultRow]:
    return [result(row, printed_f1(row) / 100, labels=labels) for row in TABLE_2]


def printed_f1(row: Row) -> float:
    assert row.printed is not None
    return row.printed.entity_f1


def test_a_difference_is_called_real_only_where_it_is_sure() -> None:
    full, below, near = result(FULL, 0.55), result(TABLE_2[0], 0.50), result(TABLE_2[0], 0.54)
    assert verdict(LESS, below, full) == "holds"
    assert verdict(Difference(0.05, 0.02, 0.08, 0.001), full, below) == "turned round"
    assert verdict(Difference(-0.05, -0.2, 0.02, 0.2), below, full) == "no real difference"
    assert verdict(LESS, near, full) == "within the seeds"


def test_one_seed_or_a_run_that_was_cut_off_settles_nothing() -> None:
    full, below = result(FULL, 0.55), result(TABLE_2[0], 0.50)
    assert verdict(LESS, replace(below, seeds=(1,)), full) == "cannot be told: one seed"
    assert verdict(LESS, replace(below, cut_off=(2,)), full) == "cannot be told: cut off"
    assert verdict(LESS, below, replace(full, cut_off=(1, 2))) == "cannot be told: cut off"
    assert seeds_cell(below) == "2"
    assert seeds_cell(replace(below, cut_off=(2,))) == "2, 1 cut off"
    assert seeds_cell(replace(below, seeds=(1,), cut_off=(1,))) == "1, cut off"


def test_what_leads_by_far_may_have_been_cut_off_if_what_trails_was_not() -> None:
    full = replace(result(FULL, 0.55), seeds=(1, 2, 3), cut_off=(1,))
    below = replace(result(TABLE_2[0], 0.40), seeds=(1, 2, 3))
    far = Difference(-0.15, -0.18, -0.12, 0.001)
    assert verdict(far, below, full) == "holds"
    assert verdict(far, replace(below, cut_off=(3,)), full) == "cannot be told: cut off"
    assert verdict(LESS, below, full) == "cannot be told: cut off"  # within three points


def test_the_report_names_missing_rows_and_runs_that_were_cut_off() -> None:
    late = replace(result(TABLE_2[0], 0.5), cut_off=(2,), epochs=10.0, pretraining=4.0)
    blocks = seeds_and_clock(results([late, result(FULL, 0.55)], []))
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert "Trained on the paper's labels: 0 of the 10 rows" in said
    assert "Trained on our labels: 2 of the 10 rows" in said
    assert "No run: Adapted GRU; " in said
    assert "is of 2 seeds" in said
    assert "Of 4 runs, 1 was cut off by the clock before the stopping rule: " in said
    assert "entity_recognizer-2" in said
    most = replace(late, cut_off=(1, 2))
    blocks = seeds_and_clock(results([most, replace(result(FULL, 0.55), cut_off=(1,))], []))
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


def tables(found: Results) -> list[Table]:
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
