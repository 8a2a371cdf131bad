"""States that were labelled sentence by sentence find the cleaned recipe of a corpus again: a label
of "corpora/mealmaster/1" is of line 1 of that corpus, without headings and split into sentences."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from join import main
from label_lines import text_digest

from npn.evaluation.gold import read_gold

SALAD = {
    "title": "Tomato salad",
    "ingredients": ["4 tomatoes", "2 tablespoons olive oil"],
    "steps": ["Slice the tomatoes.", "Dress them with the oil."],
}
PORRIDGE = {
    "title": "Porridge",
    "ingredients": ["1 c Oats", "2 c Milk", "FOR THE TOP", "1 tb Honey"],
    "steps": ["Stir the oats into the milk. Simmer 10 minutes.", "Drizzle with the honey."],
}
LINES = ["1 c Oats", "2 c Milk", "1 tb Honey"]
SENTENCES = ["Stir the oats into the milk.", "Simmer 10 minutes.", "Drizzle with the honey."]
STATES = {
    "recipe": "corpora/mealmaster/1",
    "digest": text_digest(LINES, SENTENCES),
    "steps": [
        {
            "actions": ["stir"],
            "entities": [0, 1],
            "changes": [["composition", "composed", [0, 1]]],
        },
        {"actions": ["simmer"], "entities": [0, 1], "changes": [["cookedness", "cooked", [0, 1]]]},
        {"actions": ["drizzle"], "entities": [0, 1, 2], "changes": []},
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "gold").mkdir()
    with gzip.open(tmp_path / "corpus" / "mealmaster.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(recipe) + "\n" for recipe in (SALAD, PORRIDGE))
    write(tmp_path / "gold" / "world_train.jsonl", {**PORRIDGE, "id": "1"})
    return tmp_path


def write(path: Path, line: Any) -> str:
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return str(path)


def run(data: Path, *files: str) -> int:
    folders = ["--corpus", str(data / "corpus"), "--gold", str(data / "gold")]
    return main([*files, *folders, "-o", str(data / "out")])


def test_they_get_the_sentences_and_the_id_that_the_recipe_has_in_its_corpus(data: Path) -> None:
    assert run(data, write(data / "states.jsonl", STATES)) == 0
    (porridge,) = read_gold(data / "out" / "gold" / "states_read.jsonl")
    assert (porridge.id, porridge.recipe.title) == ("mealmaster/1", "Porridge")
    assert [one.text for one in porridge.recipe.ingredients] == LINES
    assert list(porridge.recipe.steps) == SENTENCES
    assert [step.actions for step in porridge.steps] == [("stir",), ("simmer",), ("drizzle",)]


def test_the_text_is_that_of_the_corpus_even_if_gold_has_files_of_these_names(data: Path) -> None:
    for file in ("corpora.jsonl", "mealmaster.jsonl"):
        write(data / "gold" / file, {**SALAD, "id": "mealmaster/1"})
    assert run(data, write(data / "states.jsonl", STATES)) == 0


def test_corpora_are_written_without_these_recipes(data: Path) -> None:
    entities = {
        "recipe": "mealmaster/0",
        "drawn": "random",
        "digest": text_digest(SALAD["ingredients"], SALAD["steps"]),  # nothing to clean
        "steps": [[0], [0, 1]],
    }
    files = write(data / "entities.jsonl", entities), write(data / "states.jsonl", STATES)
    assert run(data, *files) == 0
    with lzma.open(data / "out" / "corpus" / "mealmaster.jsonl.xz") as file:
        assert file.read() == b""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recipe": "corpora/mealmaster/0"}, "changed, or how it is cleaned and split; bring"),
        ({"recipe": "corpora/mealmaster/2"}, "corpora/mealmaster/2 is labelled, but is not there"),
        ({"recipe": "corpora/news/1"}, "recipes of news are labelled, but there is no news.jsonl"),
        ({"recipe": "corpora/world_train/1"}, "recipes of world_train are labelled, but"),
        ({"recipe": "corpora/12"}, "corpora/12 names no line of a corpus"),
        ({"recipe": "corpora/../web/1"}, "corpora/../web/1 names no line of a corpus"),
        ({"recipe": "mealmaster/1"}, "mealmaster/1 is not the recipe that was labelled"),
        ({"steps": STATES["steps"][:2]}, "has 3 steps, but labels for 2"),
    ],
)
def test_those_that_do_not_fit_are_refused_and_nothing_written(
    data: Path, change: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(data, write(data / "states.jsonl", {**STATES, **change})) == 2
    assert message in capsys.readouterr().err
    assert not (data / "out").exists()
