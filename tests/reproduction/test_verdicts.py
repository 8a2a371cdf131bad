"""A verdict for each claim, from the numbers of the reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from npn.cli import run
from npn.reproduction.claims import CLAIMS, FAILS, HOLDS, OPEN, judge_difference, settle
from npn.reproduction.verdicts import verdict_page

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def less(value: float, width: float, p: float) -> dict[str, float]:
    return {"value": value, "low": value - width, "high": value + width, "p": p}


@pytest.mark.parametrize(
    ("found", "seeds", "printed", "verdict"),
    [
        (less(-0.05, 0.02, 0.001), [(0.50, 0.51), (0.55, 0.56)], -9.5, HOLDS),
        (less(0.05, 0.02, 0.001), [(0.60, 0.61), (0.55, 0.56)], -9.5, FAILS),
        (less(-0.05, 0.02, 0.001), [(0.50, 0.56), (0.55, 0.57)], -9.5, OPEN),  # seeds overlap
        (less(-0.05, 0.02, 0.001), [(0.50,), (0.55,)], -9.5, OPEN),  # one seed
        (less(0.00, 0.01, 0.9), [(0.55, 0.56), (0.55, 0.56)], -9.5, FAILS),  # level, and surely so
        (less(0.00, 0.01, 0.9), [(0.55, 0.56), (0.55, 0.56)], -0.2, OPEN),  # too small to tell
        (None, [(0.5, 0.5)], -1.0, OPEN),
    ],
)
def test_a_difference_is_judged_by_recipes_and_seeds(
    found: dict[str, float] | None, seeds: list[Any], printed: float, verdict: str
) -> None:
    assert judge_difference(found, seeds, printed).verdict == verdict


def test_a_run_that_was_cut_off_settles_nothing_but_says_which_way_it_leans() -> None:
    found = judge_difference(
        less(-0.05, 0.02, 0.001), [(0.50, 0.51), (0.55, 0.56)], -9.5, cut_off=True
    )
    assert found.verdict == OPEN
    assert found.evidence.startswith("as claimed: -5.0")
    assert found.evidence.endswith("(cut off)")
    assert settle(FAILS, "it is level", 1, cut_off=True).evidence == (
        "against the claim: it is level (one seed, cut off)"
    )
    assert settle(HOLDS, "so", 2, cut_off=False).verdict == HOLDS


def test_without_numbers_nothing_can_be_told() -> None:
    page = verdict_page({}, {})
    assert page.count(f"| {OPEN} |") >= 2 * len(CLAIMS)
    assert FAILS not in page.split("## Tracking")[1]


def test_the_page_in_the_repository_is_that_of_its_numbers(tmp_path: Path) -> None:
    out = tmp_path / "verdicts.md"
    assert run(["reproduce", "verdicts", "--results", str(RESULTS), "-o", str(out)]) == 0
    assert out.read_text() == (RESULTS.parent / "verdicts.md").read_text()


def test_missing_numbers_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tracking").mkdir()
    (tmp_path / "tracking" / "numbers.json").write_text(json.dumps({}))
    assert run(["reproduce", "verdicts", "--results", str(tmp_path)]) == 2
    assert "npn reproduce generation" in capsys.readouterr().err
