"""Why an ingredient is acted on."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import npn
from npn.commands.explain import command
from npn.rules.explanation import explain

RECIPE = npn.Recipe.from_lists(
    "Roux",
    ["1 tb butter", "2 tb flour", "1 c milk"],
    ["Melt the butter in a pan.", "Stir in the flour.", "Cook it.", "Add the milk.", "Simmer."],
)


@pytest.fixture(scope="module")
def trace() -> npn.Trace:
    return npn.load("weak-labels").track(RECIPE)


@pytest.mark.parametrize(
    ("step", "ingredient", "reason"),
    [
        (0, "butter", 'butter: named as "butter"'),
        (1, "butter", "butter: what the named ones go to; last acted on in step 1"),
        (2, "flour", 'flour: "it" stands for it; in one mixture with butter since step 2'),
        (3, "flour", "flour: what the named ones go to; in one mixture with butter since step 2"),
        (
            4,
            "milk",
            "milk: nothing is named: what is under way is meant; in one mixture with butter and "
            "flour since step 4",
        ),
        (0, "milk", "milk is not acted on in step 1"),
    ],
)
def test_the_reason_is_a_word_or_a_mixture(
    trace: npn.Trace, step: int, ingredient: str, reason: str
) -> None:
    assert explain(trace, step, ingredient) == reason


def test_a_step_that_is_not_there_is_an_error(trace: npn.Trace) -> None:
    with pytest.raises(npn.NpnError, match="no step 9"):
        explain(trace, 9, "butter")


def test_npn_explain_gives_a_reason_for_every_selection(tmp_path: Path) -> None:
    recipe = tmp_path / "roux.jsonl"
    lines = [one.text for one in RECIPE.ingredients]
    recipe.write_text(json.dumps({"title": "", "ingredients": lines, "steps": RECIPE.steps}))
    result = CliRunner().invoke(command, [str(recipe), "--model", "weak-labels"])
    assert result.exit_code == 0
    assert 'flour: named as "flour"' in result.output
    assert 'butter: named as "butter"' in result.output


@pytest.mark.parametrize("step", ["Spread a third of it.", "Scrape into a loaf pan."])
def test_neither_a_verb_nor_a_place_stands_for_an_ingredient(step: str) -> None:
    steps = ["Mash the bananas with the butter.", step]
    trace = npn.load().track(npn.Recipe.from_lists("", ["3 bananas", "2 tb butter"], steps))
    reason = explain(trace, 1, "butter")
    assert '"spread"' not in reason
    assert '"loaf"' not in reason
    assert reason.endswith("in one mixture with banana since step 1")
