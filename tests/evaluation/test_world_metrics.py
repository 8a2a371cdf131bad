"""What world gold says, and how far a trace agrees with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import npn
from npn import NpnError, Pile, Portion, Trace, Use
from npn.cli import run
from npn.evaluation.gold import GoldRecipe, read_gold
from npn.evaluation.world_metrics import count_world, vessel, world_scores

DATA = Path(os.environ.get("NPN_DATA", ""))
GOLD = DATA / "gold" / "world_dev.jsonl"
SCRIPT = DATA / "labelling" / "score_world.py"

RECIPE: dict[str, Any] = {
    "id": "onions",
    "title": "Onions",
    "ingredients": ["2 tb oil, divided", "1 onion", "salt"],
    "steps": ["Fry the onion in 1 tb oil.", "Move to a plate; add salt and the other oil."],
    "world": [
        {
            "uses": [{"i": 0, "fraction": 0.5, "said": "1 tb oil"}, {"i": 1, "fraction": 1}],
            "acts_on": [0, 1],
            "piles": [{"of": ["0a", "1"], "where": "large skillet"}],
        },
        {
            "uses": [{"i": 2, "fraction": None}, {"i": 0, "fraction": 0.5}],
            "acts_on": [0, 1, 2],
            "piles": [{"of": ["0a", "0b", "1", "2"], "where": "plate"}],
        },
    ],
}


def gold(folder: Path, *recipes: dict[str, Any]) -> Path:
    path = folder / "world_own.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in recipes), encoding="utf-8")
    return path


def as_trace(one: GoldRecipe) -> Trace:
    """The trace of a tracker that is always right."""
    return Trace("", "by hand", one.recipe.ingredients, one.world or ())


def scores(one: GoldRecipe, trace: Trace) -> dict[str, float]:
    return {
        name: float(score)
        for name, score in world_scores(count_world(one.world or (), trace)).items()
    }


def test_world_gold_has_uses_and_piles(tmp_path: Path) -> None:
    (onions,) = read_gold(gold(tmp_path, RECIPE))
    assert onions.steps == ()
    assert onions.world is not None
    assert onions.world[0].uses == (Use(0, 0.5, words="1 tb oil"), Use(1, 1))
    both = (Portion(0, 0), Portion(0, 1), Portion(1), Portion(2))
    assert onions.world[1].piles == (Pile(both, "plate"),)


@pytest.mark.parametrize(
    ("world", "message"),
    [
        (3, '"world" must be a list'),
        ([], '"world" has 0 entries for 2 steps'),
        ([{}, {}], '"uses" must be a list'),
        ([{"uses": [{"i": 9}], "acts_on": [], "piles": []}, {}], "names ingredient 9"),
        ([{"uses": [{"i": 0, "fraction": 2}], "acts_on": [], "piles": []}, {}], '"fraction"'),
        ([{"uses": [], "acts_on": [], "piles": [{"of": ["x"]}]}, {}], "'x', which is no number"),
        ([{"uses": [], "acts_on": [], "piles": [{"of": [], "where": 1}]}, {}], '"where"'),
    ],
)
def test_what_is_no_world_gold_is_refused(tmp_path: Path, world: object, message: str) -> None:
    with pytest.raises(NpnError, match=message):
        read_gold(gold(tmp_path, {**RECIPE, "world": world}))


def test_who_is_always_right_scores_one(tmp_path: Path) -> None:
    (onions,) = read_gold(gold(tmp_path, RECIPE))
    assert set(scores(onions, as_trace(onions)).values()) == {1.0}


def test_each_metric_measures_one_thing(tmp_path: Path) -> None:
    (onions,) = read_gold(gold(tmp_path, RECIPE))
    right = as_trace(onions)
    first, last = right.steps

    def changed(**parts: Any) -> dict[str, float]:
        told = scores(onions, replace(right, steps=(replace(first, **parts), last)))
        return {name: score for name, score in told.items() if score != 1}

    assert changed(uses=(Use(0, 0.4), Use(1))) == {"fractions": 0.5}
    assert changed(entities=(0,)) == {
        "acts_f1": pytest.approx(8 / 9),
        "acts_recall": pytest.approx(4 / 5),
    }
    assert changed(piles=(Pile((Portion(0), Portion(1)), "pot"),)) == {
        "places": pytest.approx(4 / 6)
    }
    assert changed(uses=(Use(0, 0.5),)) == {
        "uses_f1": pytest.approx(6 / 7),
        "uses_recall": 0.75,
        "linked_recipes": 0.0,
    }
    assert changed(piles=(Pile((Portion(0),), "pan"), Pile((Portion(1),), "pan"))) == {
        "together_f1": pytest.approx(12 / 13),
        "together_recall": pytest.approx(6 / 7),
        "worlds": 0.5,
    }


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("large skillet", "pan"),
        ("Dutch oven", "pot"),
        ("the bowl of a stand mixer", "bowl"),
        ("stand mixer", "bowl"),
        ("baking sheets", "sheet"),
        ("dishes", "dish"),
        ("glasses", "bowl"),
        ("wire rack", "rack"),
        ("the", None),
        (None, None),
    ],
)
def test_names_of_one_kind_of_vessel_are_the_same_place(
    place: str | None, kind: str | None
) -> None:
    assert vessel(place) == kind


def test_both_kinds_of_gold_stand_in_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [{"entities": [0, 1]}, {"entities": [0, 1, 2]}]
    plain = {key: value for key, value in RECIPE.items() if key != "world"}
    path = gold(tmp_path, RECIPE, {**plain, "gold": steps})
    assert run(["evaluate", "mention", "weak-labels", "--gold", str(path), "--json", "-"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    mention, rules = report["rows"]
    assert {"entity_f1", "uses_f1", "acts_f1", "linked_recipes"} <= mention["scores"].keys()
    assert "together_f1" not in mention["scores"]
    assert {"together_f1", "places", "worlds"} <= rules["scores"].keys()
    assert run(["evaluate", "weak-labels", "--gold", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "what each step takes from the list" in shown
    assert "2 recipes, 4 steps" in shown


def traces_to_compare(recipes: Iterable[GoldRecipe]) -> Iterable[list[Trace]]:
    """Those of a tracker, and those of one that is right but for every third recipe, in which it
    has each ingredient in a pile of its own."""
    recipes = list(recipes)
    yield list(npn.load("weak-labels").track_many(one.recipe for one in recipes))
    right = [as_trace(one) for one in recipes]
    for number, trace in enumerate(right[::3]):
        apart = [
            replace(
                step,
                uses=tuple(replace(use, fraction=0.5) for use in step.uses[1:]),
                piles=tuple(Pile((one,), "bowl") for pile in step.piles for one in pile.of),
            )
            for step in trace.steps
        ]
        right[3 * number] = replace(trace, steps=tuple(apart))
    yield right


@pytest.mark.skipif(not SCRIPT.is_file() or not GOLD.is_file(), reason="NPN_DATA has no worlds")
def test_the_scores_are_those_of_the_script_that_comes_with_the_labels(tmp_path: Path) -> None:
    recipes = read_gold(GOLD)
    for traces in traces_to_compare(recipes):
        path = tmp_path / "traces.jsonl"
        path.write_text("".join(trace.to_json() + "\n" for trace in traces), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(path), str(GOLD)],
            check=True,
            capture_output=True,
            text=True,
        )
        theirs = json.loads(done.stdout)
        counts = sum(
            count_world(one.world or (), t) for one, t in zip(recipes, traces, strict=True)
        )
        ours = {name: float(score) for name, score in world_scores(counts).items()}  # type: ignore[arg-type]
        for name in ("uses", "acts", "together"):
            for score in ("f1", "precision", "recall"):
                assert ours[f"{name}_{score}"] == pytest.approx(theirs[name][score], abs=1e-12)
        for name in ("linked_recipes", "fractions", "places", "worlds"):
            assert ours[name] == pytest.approx(theirs[name]["share"], abs=1e-12)
