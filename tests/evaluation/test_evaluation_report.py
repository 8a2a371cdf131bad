"""Trackers side by side: the report, its tables and its JSON."""

import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from rich.console import Console

from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.evaluation.report import Report, evaluate
from npn.evaluation.tables import tables
from npn.recipe import Ingredient, Recipe
from npn.trace import SelectedAction, StateChange, StepTrace
from npn.tracker import Tracker

Said = Callable[[int], StepTrace]  # what is said of a recipe of so many ingredients


@dataclass
class Saying:
    ingredients: tuple[Ingredient, ...]
    say: Said

    def read(self, sentence: str) -> StepTrace:
        return self.say(len(self.ingredients))

    def copy(self) -> "Saying":
        return self


class Sayer(Tracker):
    """Says the same of every step, and cannot split one."""

    name = "sayer"

    def __init__(self, say: Said) -> None:
        self.say = say

    def begin(self, ingredients: Sequence[Ingredient]) -> Saying:
        return Saying(tuple(ingredients), self.say)

    def sentences(self, step: str) -> list[str]:
        raise AssertionError("evaluation never splits")


everything = Sayer(lambda count: StepTrace("", entities=tuple(range(count))))
nothing = Sayer(lambda count: StepTrace(""))
stirrer = Sayer(
    lambda count: StepTrace(
        "",
        (SelectedAction("stir", 1.0),),
        tuple(range(count)),
        changes=(StateChange("composition", "composed", 1.0, tuple(range(count))),),
    )
)


def gold_of(recipes: int) -> list[GoldRecipe]:
    """Stir all of two to four ingredients, then do something to one of them."""
    golds = []
    for number in range(recipes):
        count = 2 + number % 3
        every = frozenset(range(count))
        lines = [f"{i} eggs" for i in range(count)]
        change = StateChange("composition", "composed", 1.0, tuple(range(count)))
        golds.append(
            GoldRecipe(
                str(number),
                Recipe.from_lists("Eggs", lines, ["Stir. Then rest.", "Eat one."]),
                (
                    GoldStep(every, frozenset(), actions=("stir",), changes=(change,)),
                    GoldStep(frozenset({0}), every, actions=(), changes=()),
                ),
            )
        )
    return golds


def shown(report: Report, width: int = 80) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width)
    for table in tables(report):
        console.print(table)
    return out.getvalue()


def test_trackers_stand_in_the_order_given_each_compared_with_the_first() -> None:
    report = evaluate([("all", everything), ("none", nothing)], gold_of(9), "eggs.jsonl")
    assert (report.gold, report.recipes, report.steps) == ("eggs.jsonl", 9, 18)
    first, second = report.rows
    assert (first.tracker, second.tracker) == ("all", "none")
    # Of 2 * 27 pairs said, 27 and 9 are right, which is all there are.
    assert first.scores["entity_precision"].value == pytest.approx(36 / 54)
    assert first.scores["entity_recall"].value == 1
    assert second.scores["entity_recall"].value == 0
    assert first.differences == {}
    assert second.differences["entity_recall"].value == -1
    assert second.differences["entity_recall"].p < 0.01


def test_a_tracker_silent_on_actions_and_states_has_no_scores_for_them() -> None:
    report = evaluate([("stirrer", stirrer), ("all", everything)], gold_of(6), "eggs.jsonl")
    speaking, silent = report.rows
    assert speaking.scores["action_f1"].value == pytest.approx(2 / 3)
    assert speaking.scores["state_f1/composition"].value == pytest.approx(2 / 3)
    for name in silent.scores.keys() | silent.differences.keys():
        assert name.startswith(("entity", "uncombined", "combined"))


def test_nothing_is_compared_where_the_first_tracker_is_silent() -> None:
    report = evaluate([("all", everything), ("stirrer", stirrer)], gold_of(6), "eggs.jsonl")
    speaking = report.rows[1]
    assert "action_f1" in speaking.scores
    assert "entity_f1" in speaking.differences
    assert not any(name.startswith(("action", "state")) for name in speaking.differences)


def test_tables_show_scores_with_intervals_and_a_dash_for_silence() -> None:
    text = shown(evaluate([("stirrer", stirrer), ("all", everything)], gold_of(6), "eggs.jsonl"))
    assert "eggs.jsonl: 6 recipes, 12 steps" in text
    assert "all less stirrer" not in text
    assert "each tracker less stirrer" in text
    # Macro F1: each first step 1; each second one of 2, 3 and 4 ingredients 2/3, 1/2 and 2/5.
    row = next(line for line in text.splitlines() if line.strip().startswith("all"))
    assert row.split()[1:] == [".800", ".667", "1.000", ".761", "1.000", "1.000", "–"]
    assert max(map(len, text.splitlines())) <= 80


def test_a_table_without_labels_behind_it_is_not_shown() -> None:
    golds = [
        GoldRecipe(one.id, one.recipe, tuple(GoldStep(step.entities) for step in one.steps))
        for one in gold_of(3)
    ]
    text = shown(evaluate([("stirrer", stirrer)], golds, "eggs.jsonl"))
    assert "entities and actions" in text
    assert "state changes" not in text
    assert "less" not in text


def test_names_with_brackets_are_shown_as_they_are() -> None:
    report = evaluate([("[red]x[/red]", everything)], gold_of(3), "[a].jsonl")
    assert "[red]x[/red]" in shown(report, width=120)
    assert "[a].jsonl" in shown(report)


def test_json_holds_every_score_and_nothing_that_json_cannot_say() -> None:
    report = evaluate([("stirrer", stirrer), ("none", nothing)], gold_of(4), "eggs.jsonl")
    data = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert data["gold"] == "eggs.jsonl"
    assert data["resamples"] >= 1_000
    first, second = data["rows"]
    assert set(first["scores"]) == set(report.rows[0].scores)
    assert set(first["scores"]["entity_f1"]) == {"value", "low", "high"}
    assert set(second["differences"]["entity_f1"]) == {"value", "low", "high", "p"}
    assert math.isclose(first["scores"]["action_f1"]["value"], 2 / 3)
