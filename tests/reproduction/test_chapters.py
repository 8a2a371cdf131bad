"""What the report says of an order, in words that follow from the numbers."""

from __future__ import annotations

from npn.evaluation.bootstrap import Difference
from npn.evaluation.seeds import SeedScore
from npn.reproduction.blocks import Table
from npn.reproduction.chapters import cells
from npn.reproduction.chapters.selection import GOLD, ladder, order, verdict
from npn.reproduction.chapters.string_matches import string_matches
from npn.reproduction.results import ResultRow, Results
from npn.reproduction.rows import FULL, PAPER_LABELS, TABLE_2, Row, Wanted

LESS = Difference(-0.05, -0.08, -0.02, 0.001)


def score(value: float) -> SeedScore:
    return SeedScore(value, value - 0.02, value + 0.02, 0.01, (value - 0.01, value + 0.01))


def result(row: Row, f1: float, less: Difference = LESS, labels: str = "") -> ResultRow:
    metrics = ("entity_f1", "uncombined_recall", "combined_recall")
    return ResultRow(
        Wanted(row.experiment, 1, labels).key,
        row.label,
        row.printed,
        (1, 2),
        {GOLD: dict.fromkeys(metrics, score(f1))},
        {} if row is FULL else {GOLD: {"entity_f1": less}},
        {GOLD: 0.4},
        0.1,
        (),
    )


def results(table: list[ResultRow], matched: list[ResultRow]) -> Results:
    return Results({GOLD: 134}, {}, tuple(table), tuple(matched), (), {}, (), {}, (), ())


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


def test_the_papers_own_numbers_are_in_the_papers_order() -> None:
    said = ladder(as_in_the_paper())
    assert "Full model 55.4; ablations from 48.9 to 55.2; baselines from 45.9 to 51.0" in said
    assert "+1.00" in said


def test_a_reversed_table_is_said_to_be_reversed() -> None:
    table = [result(row, 1 - printed_f1(row) / 100) for row in TABLE_2]
    assert "-1.00" in ladder(table)


def test_every_row_but_the_full_model_is_judged() -> None:
    blocks = list(order(results(as_in_the_paper(), [])))
    table = next(block for block in blocks if isinstance(block, Table))
    assert [line[0] for line in table.rows] == [r.label for r in TABLE_2 if r is not FULL]
    found = {line[0]: line[-1] for line in table.rows}
    assert found["Adapted GRU"] == "holds"
    assert found["− coverage loss"] == "within the seeds"
    assert table.rows[0][2] == "-4.4"  # the paper's own difference


def test_rows_on_string_matches_stand_beside_those_on_our_labels() -> None:
    both = results(as_in_the_paper(), as_in_the_paper(PAPER_LABELS))
    table = next(block for block in string_matches(both, {}) if isinstance(block, Table))
    assert len(table.rows) == len(TABLE_2)
    assert {len(line) for line in table.rows} == {len(table.heading)}
    assert table.rows[-1][0] == FULL.label
    assert table.rows[-1][-1] == cells.NOTHING


def test_without_such_rows_there_is_no_such_chapter() -> None:
    assert list(string_matches(results(as_in_the_paper(), []), {})) == []


def test_small_probabilities_are_not_called_zero() -> None:
    assert cells.p(0.0004) == "< .001"
    assert cells.p(0.0312) == "0.031"
