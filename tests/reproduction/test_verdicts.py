"""A verdict for each claim, from the numbers of the reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from npn.cli import run
from npn.reproduction.claims import CLAIMS, is_below, verdict_page
from npn.reproduction.numbers import DifferenceNumbers
from npn.reproduction.rows import OUR_LABELS, PAPER_LABELS
from npn.reproduction.verdicts import FAILS, HOLDS, OPEN, BesideFull, settle

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def less(value: float, width: float, p: float) -> DifferenceNumbers:
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
    ],
)
def test_a_difference_is_judged_by_recipes_and_seeds(
    found: DifferenceNumbers, seeds: Any, printed: float, verdict: str
) -> None:
    assert is_below(BesideFull(found, seeds, printed=printed)).verdict == verdict


def test_a_run_that_was_cut_off_settles_nothing_but_says_which_way_it_leans() -> None:
    seeds = (0.50, 0.51), (0.55, 0.56)
    found = is_below(BesideFull(less(-0.05, 0.02, 0.001), seeds, (True, False), -9.5))
    assert found.verdict == OPEN
    assert found.evidence.startswith("as claimed: -5.0")
    assert found.evidence.endswith("(cut off)")
    assert settle(FAILS, "it is level", 1, cut_off=True).evidence == (
        "against the claim: it is level (one seed, cut off)"
    )
    assert settle(HOLDS, "so", 2, cut_off=False).verdict == HOLDS


THREE = (0.50, 0.51, 0.52), (0.60, 0.61, 0.62)


def test_a_side_that_leads_by_far_may_have_been_cut_off() -> None:
    found = is_below(BesideFull(less(-0.10, 0.05, 0.001), THREE, (False, True)))
    assert found.verdict == HOLDS
    assert found.evidence.endswith("p ≤ .001 (the side that leads was cut off)")
    turned = is_below(BesideFull(less(0.10, 0.05, 0.001), THREE[::-1], (True, False)))
    assert turned.verdict == FAILS


@pytest.mark.parametrize(
    ("found", "seeds", "cut_off"),
    [
        (less(-0.10, 0.05, 0.001), THREE, (True, False)),  # the side that trails
        (less(-0.10, 0.05, 0.001), THREE, (True, True)),  # both
        (less(-0.10, 0.08, 0.001), THREE, (False, True)),  # within what a run may still lose
        (less(-0.10, 0.05, 0.001), (THREE[0][:2], THREE[1][:2]), (False, True)),  # two seeds
        (less(-0.10, 0.05, 0.001), ((0.5, 0.6, 0.7), THREE[1]), (False, True)),  # seeds overlap
        (less(0.00, 0.01, 0.9), THREE, (False, True)),  # level: more training may part them
    ],
)
def test_otherwise_a_side_that_was_cut_off_settles_nothing(
    found: DifferenceNumbers, seeds: Any, cut_off: tuple[bool, bool]
) -> None:
    assert is_below(BesideFull(found, seeds, cut_off, -9.5)).verdict == OPEN


def recall_rows(*cut_off: str) -> Any:
    """Three seeds of the full model and the baselines, these 20 points below in CR."""
    values = {"paper": 0.3, "entity_recognizer": 0.1, "gru": 0.1, "entnet": 0.1}
    return {
        "table": [
            {
                "key": key,
                "seeds": [1, 2, 3],
                "finished": key not in cut_off,
                "scores": {"npn_entities_test": {"combined_recall": {"seeds": [value] * 3}}},
            }
            for key, value in values.items()
        ]
    }


def test_recall_in_mixtures_is_judged_in_the_same_way() -> None:
    (claim,) = (claim for claim in CLAIMS if "inside mixtures" in claim.text)
    assert claim.judge(recall_rows(), OUR_LABELS).verdict == HOLDS
    assert claim.judge(recall_rows("paper"), OUR_LABELS).verdict == HOLDS
    assert claim.judge(recall_rows("paper", "gru"), OUR_LABELS).verdict == OPEN


def test_the_label_curve_may_end_with_a_run_of_its_own() -> None:
    (claim,) = (claim for claim in CLAIMS if "share of labels" in claim.text)
    points = {25: "labels_25", 50: "labels_50", 75: "labels_75", 100: "labels_100"}
    rows: Any = [
        {
            "share": share,
            "key": f"paper-{name}",
            "seeds": [1, 2],
            "finished": True,
            "raw": {"states_train": {"state_f1/five": {"value": share / 200}}},
        }
        for share, name in points.items()
    ]
    found = claim.judge({"labels": rows}, PAPER_LABELS)
    assert found.verdict == HOLDS
    assert found.evidence.startswith("12.5, 25.0, 37.5, 50.0 with 25, 50, 75, 100 %")
    assert claim.judge({"labels": rows}, OUR_LABELS).verdict == OPEN


def test_without_numbers_nothing_can_be_told() -> None:
    nothing: Any = {}
    page = verdict_page(nothing, nothing)
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
