"""States of recipes of our own find their text in labels/own_recipes.jsonl."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import labelled_recipes
import pytest
from join import main
from label_lines import text_digest

from npn.evaluation.gold import read_gold

OMELETTE: dict[str, Any] = {
    "id": "own/7",
    "title": "Omelette",
    "ingredients": ["3 eggs", "1 tablespoon butter"],
    "ingredient_sections": ["Main", None],
    "steps": ["Whisk the eggs.", "Melt the butter and fry them in it."],
    "world": [
        {"uses": [{"i": 0, "fraction": 1, "said": "eggs"}], "acts_on": [0], "piles": []},
        {"uses": [{"i": 1, "fraction": 1, "said": "butter"}], "acts_on": [0, 1], "piles": []},
    ],
}
STATES = {
    "recipe": "own_recipes/own/7",
    "digest": text_digest(OMELETTE["ingredients"], OMELETTE["steps"]),
    "steps": [
        {"actions": ["whisk"], "entities": [0], "changes": [["shape", "deformed", [0]]]},
        {
            "actions": ["melt", "fry"],
            "entities": [0, 1],
            "changes": [["cookedness", "cooked", [0, 1]]],
        },
    ],
}


@pytest.fixture(autouse=True)
def own_recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = tmp_path / "own_recipes.jsonl"
    monkeypatch.setattr(labelled_recipes, "OWN_RECIPES", path)
    return write(path, OMELETTE)


def write(path: Path, line: Any) -> str:
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return str(path)


def test_they_get_the_text_and_the_id_that_the_recipe_has_beside_its_world(
    tmp_path: Path, own_recipes: str
) -> None:
    states = write(tmp_path / "states.jsonl", STATES)
    assert main([states, own_recipes, "-o", str(tmp_path / "out")]) == 0
    (with_world,) = read_gold(tmp_path / "out" / "gold" / "own_recipes.jsonl")
    (with_states,) = read_gold(tmp_path / "out" / "gold" / "states_read.jsonl")
    assert with_states.id == with_world.id == "own/7"
    assert with_states.recipe == with_world.recipe
    assert [step.actions for step in with_states.steps] == [("whisk",), ("melt", "fry")]


def test_the_text_is_ours_even_if_gold_has_a_file_of_this_name(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    write(tmp_path / "gold" / "own_recipes.jsonl", {**OMELETTE, "steps": ["Fry.", "Eat."]})
    states = write(tmp_path / "states.jsonl", STATES)
    gold = str(tmp_path / "gold")
    assert main([states, "--gold", gold, "-o", str(tmp_path / "out")]) == 0


def test_they_take_no_line_out_of_a_corpus(tmp_path: Path) -> None:
    salad = {
        "title": "Tomato salad",
        "ingredients": ["4 tomatoes", "2 tablespoons olive oil"],
        "steps": ["Slice the tomatoes.", "Dress them with the oil."],
    }
    (tmp_path / "corpus").mkdir()
    with gzip.open(tmp_path / "corpus" / "web.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines([json.dumps(salad) + "\n"] * 2)
    entities = {
        "recipe": "web/0",
        "drawn": "random",
        "digest": text_digest(salad["ingredients"], salad["steps"]),  # nothing to clean
        "steps": [[0], [0, 1]],
    }
    files = write(tmp_path / "entities.jsonl", entities), write(tmp_path / "states.jsonl", STATES)
    corpus, out = str(tmp_path / "corpus"), tmp_path / "out"
    assert main([*files, "--corpus", corpus, "-o", str(out)]) == 0
    assert [path.name for path in (out / "corpus").iterdir()] == ["web.jsonl.xz"]
    with lzma.open(out / "corpus" / "web.jsonl.xz") as file:
        assert len(file.readlines()) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recipe": "own_recipes/own/8"}, "own_recipes/own/8 is labelled, but is not there"),
        ({"digest": "0" * 12}, "own_recipes/own/7 is not the recipe that was labelled"),
    ],
)
def test_those_that_do_not_fit_are_refused(
    tmp_path: Path, change: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    states = write(tmp_path / "states.jsonl", {**STATES, **change})
    assert main([states, "-o", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
