"""Labels of worlds and states become gold with the text of their recipes, and only with that."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from join import main
from label_lines import text_digest
from world_labels import words_at

from npn.errors import NpnError
from npn.evaluation.gold import read_gold

SALAD = {
    "id": "own-1",
    "title": "Tomato salad",
    "ingredients": ["4 tomatoes", "2 tablespoons olive oil"],
    "steps": ["Slice the tomatoes.", "Dress them with the oil."],
}
PASTA = {
    "id": "own-2",
    "title": "Pasta with oil",
    "ingredients": ["200 g pasta", "2 tablespoons oil, divided", "Salt"],
    "ingredient_sections": ["Main", "Main", None],
    "steps": [
        "Boil the pasta in a pot with salt; drain.",
        "Toss it with half the oil in a bowl. Serve with the remaining oil.",
    ],
}


def name(place: str, recipe: dict[str, Any]) -> dict[str, Any]:
    return {"recipe": place, "digest": text_digest(recipe["ingredients"], recipe["steps"])}


WORLD = {
    **name("web/1", PASTA),
    "drawn": "hard",
    "steps": [
        {
            "uses": [[0, 1, [2, 2]], [2, None, [7, 7]]],
            "acts": [0, 2],
            "piles": [[["0", "2"], "pot"]],
        },
        {
            "uses": [[1, 0.5, [3, 5]], [1, 0.5, [12, 13]]],
            "acts": [0, 1, 2],
            "piles": [[["0", "1a", "1b", "2"], "bowl"]],
        },
    ],
}
STATES = {
    **name("world_train/own-2", PASTA),
    "steps": [
        {
            "actions": ["boil", "drain"],
            "entities": [0, 2],
            "changes": [["cookedness", "cooked", [0]], ["location", "pot", [0, 2]]],
        },
        {"actions": ["toss"], "entities": [0, 1, 2], "changes": []},
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "corpus").mkdir(parents=True)
    (folder / "gold").mkdir()
    with gzip.open(folder / "corpus" / "web.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(recipe) + "\n" for recipe in (SALAD, PASTA))
    lines = "".join(json.dumps(recipe) + "\n" for recipe in (SALAD, PASTA))
    (folder / "gold" / "world_train.jsonl").write_text(lines, encoding="utf-8")
    return folder


def write(folder: Path, file: str, *labels: Any) -> str:
    path = folder / file
    path.write_text("".join(json.dumps(one) + "\n" for one in labels), encoding="utf-8")
    return str(path)


def run(data: Path, *files: str) -> int:
    folders = ["--corpus", str(data / "corpus"), "--gold", str(data / "gold")]
    return main([*files, *folders, "-o", str(data / "out")])


def refusal(data: Path, label: Any, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(data, write(data, "labels.jsonl", label)) == 2
    assert not (data / "out").exists()
    return capsys.readouterr().err


def test_worlds_and_states_become_gold_together(data: Path) -> None:
    assert run(data, write(data, "w.jsonl", WORLD), write(data, "s.jsonl", STATES)) == 0
    (world,) = read_gold(data / "out" / "gold" / "world_read.jsonl")
    assert (world.id, world.recipe.title) == ("web/1", "Pasta with oil")
    assert world.world is not None
    assert [use.fraction for use in world.world[1].uses] == [0.5, 0.5]
    assert world.world[1].piles[0].place == "bowl"
    (states,) = read_gold(data / "out" / "gold" / "states_read.jsonl")
    assert states.id == "own-2"
    assert states.steps[0].actions == ("boil", "drain")
    assert states.steps[0].changes is not None
    assert states.steps[0].changes[1].ingredients == (0, 2)
    assert states.recipe.ingredients[0].section == "Main"


def test_a_corpus_recipe_has_the_same_id_with_its_world_and_with_its_states(data: Path) -> None:
    states = {**STATES, "recipe": "web/1"}
    assert run(data, write(data, "w.jsonl", WORLD), write(data, "s.jsonl", states)) == 0
    for file in ("world_read.jsonl", "states_read.jsonl"):
        (recipe,) = read_gold(data / "out" / "gold" / file)
        assert recipe.id == "web/1"


def test_a_disputed_type_is_disputed_at_every_step(data: Path) -> None:
    assert run(data, write(data, "s.jsonl", {**STATES, "disputed": ["temperature"]})) == 0
    (states,) = read_gold(data / "out" / "gold" / "states_read.jsonl")
    assert [step.disputed for step in states.steps] == [{"temperature"}, {"temperature"}]


@pytest.mark.parametrize("disputed", ["temperature", ["colour"], [3]])
def test_what_is_disputed_must_be_types_of_states(
    data: Path, disputed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refusal(data, {**STATES, "disputed": disputed}, capsys)
    assert '"disputed" must be a list of' in message


def test_recipes_with_their_text_are_copied(data: Path, tmp_path: Path) -> None:
    assert run(data, write(data, "w.jsonl", WORLD)) == 0
    own = tmp_path / "own.jsonl"
    (data / "out" / "gold" / "world_read.jsonl").rename(own)
    assert main([str(own), "-o", str(data / "out")]) == 0
    assert (data / "out" / "gold" / "own_recipes.jsonl").read_bytes() == own.read_bytes()


def test_recipes_with_their_text_whose_labels_do_not_fit_are_refused(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refusal(data, {**PASTA, "world": []}, capsys)
    assert "labels.jsonl, line 1: is not a gold recipe" in message


def test_the_words_of_a_use_are_found_in_its_step_again(data: Path) -> None:
    run(data, write(data, "w.jsonl", WORLD))
    line = (data / "out" / "gold" / "world_read.jsonl").read_text(encoding="utf-8")
    uses = [use["said"] for step in json.loads(line)["world"] for use in step["uses"]]
    assert uses == ["pasta", "salt", "half the oil", "remaining oil"]


def test_words_are_runs_of_letters_and_digits() -> None:
    assert words_at("Stir-fry 1/2 of it (the leeks).", (0, 3)) == "Stir-fry 1/2"
    with pytest.raises(NpnError, match="names word 3, but its step has 3"):
        words_at("Add the oil.", (2, 3))


@pytest.mark.parametrize("label", [WORLD, {**STATES, "recipe": "web/1"}])
def test_corpora_are_written_without_the_recipes_of_all_labels_given(
    data: Path, label: dict[str, Any]
) -> None:
    entities = {
        "recipe": "web/0",
        "drawn": "random",
        "digest": text_digest(SALAD["ingredients"], SALAD["steps"]),  # nothing to clean
        "steps": [[0], [0, 1]],
    }
    assert run(data, write(data, "c.jsonl", entities), write(data, "l.jsonl", label)) == 0
    with lzma.open(data / "out" / "corpus" / "web.jsonl.xz") as file:
        assert file.read() == b""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recipe": "web/0"}, "web/0 is not the recipe that was labelled"),
        ({"recipe": "web/2"}, "web/2 is labelled, but is not there"),
        ({"recipe": "world_train/own-3"}, "world_train/own-3 is labelled, but is not there"),
        ({"recipe": "news/1"}, "there is no news.jsonl.gz or news.jsonl"),
        ({"recipe": "../web/1"}, '"recipe" must be a corpus and a line'),
        ({"digest": "0" * 12}, "its text has changed"),
        ({"steps": WORLD["steps"][:1]}, "has 2 steps, but labels for 1"),
        ({"drawn": "odd"}, '"drawn" must be one of hard, random'),
        ({"text": "Boil."}, "its keys must be recipe, drawn, digest, steps"),
    ],
)
def test_a_world_that_does_not_fit_is_refused_and_nothing_written(
    data: Path, change: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(data, {**WORLD, **change}, capsys)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"uses": [[3, 1, None]]}, "names ingredient 3, but there are 3"),
        ({"uses": [[0, 1, [2, 99]]]}, "names word 99"),
        ({"uses": [[0, 1.5, None]]}, "a fraction must be null or a number up to 1"),
        ({"uses": [[0, 1, "pasta"]]}, "words must be null or the numbers"),
        ({"uses": [[0, 1, [3, 2]]]}, "words must be null or the numbers"),
        ({"uses": [[0, 1]]}, "a use must be"),
        ({"acts": [-1]}, '"acts" must be a list of ingredient numbers'),
        ({"piles": [[["pasta"], "pot"]]}, "members of a pile must be like"),
        ({"piles": [[["9"], "pot"]]}, "names ingredient 9"),
        ({"piles": [["0", 3]]}, "a pile must be"),
    ],
)
def test_a_step_that_does_not_fit_is_refused(
    data: Path, change: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [{**WORLD["steps"][0], **change}, WORLD["steps"][1]]
    assert message in refusal(data, {**WORLD, "steps": steps}, capsys)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entities": [7]}, "names ingredient 7"),
        ({"actions": "boil"}, '"actions" must be a list of verbs'),
        ({"changes": [["colour", "red", [0]]]}, "the type of a change must be one of"),
        ({"changes": [["shape", "separated"]]}, "a change must be"),
    ],
)
def test_states_that_do_not_fit_are_refused(
    data: Path, change: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [{**STATES["steps"][0], **change}, STATES["steps"][1]]
    assert message in refusal(data, {**STATES, "steps": steps}, capsys)


def test_two_files_for_one_gold_file_are_refused(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = write(data, "a.jsonl", WORLD), write(data, "b.jsonl", WORLD)
    assert run(data, first, second) == 2
    assert "b.jsonl: is the second file for gold/world_read.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"steps": []}', '{"steps": 3}'])
def test_what_holds_no_labels_is_named(
    data: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "labels.jsonl").write_text(text, encoding="utf-8")
    assert run(data, str(data / "labels.jsonl")) == 2
    assert "labels.jsonl: cannot be read as labels" in capsys.readouterr().err
