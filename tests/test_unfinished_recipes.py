"""`npn next` reads recipes that have no steps yet, and refuses what is no recipe as ever."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from npn.commands.next import read_unfinished
from npn.errors import NpnError
from npn.formats import Found, Problem
from npn.recipe import Recipe

LINES = ["2 eggs", "1 tbsp butter", "1 pinch of salt"]


def read(path: Path) -> list[Recipe]:
    items = list(read_unfinished(str(path)))
    assert all(isinstance(item, Found) for item in items)
    return [item.recipe for item in items if isinstance(item, Found)]


def begun(title: str = "Omelette") -> str:
    return json.dumps({"title": title, "ingredients": LINES, "steps": []})


@pytest.mark.parametrize(
    "text",
    [
        "Omelette\n\n2 eggs\n1 tbsp butter\n1 pinch of salt\n",
        "Omelette\n\nIngredients:\n2 eggs\n1 tbsp butter\n1 pinch of salt\n\nDirections:\n",
        begun(),
        json.dumps({"title": "Omelette", "ingredients": LINES}),
    ],
    ids=["list alone", "empty directions", "json", "json without steps"],
)
def test_ingredients_alone_are_a_recipe_that_has_not_begun(tmp_path: Path, text: str) -> None:
    (tmp_path / "recipe").write_text(text, encoding="utf-8")
    assert read(tmp_path / "recipe") == [Recipe.from_lists("Omelette", LINES, [])]


def test_lines_with_and_without_steps_go_together(tmp_path: Path) -> None:
    whole = json.dumps({"title": "Tea", "ingredients": ["water"], "steps": ["Boil the water."]})
    (tmp_path / "many.jsonl").write_text(f"{begun()}\n{whole}\n{begun('Again')}\n")
    assert [recipe.title for recipe in read(tmp_path / "many.jsonl")] == [
        "Omelette",
        "Tea",
        "Again",
    ]


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO("\n".join(LINES).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    (item,) = read_unfinished("-")
    assert isinstance(item, Found)
    assert [one.text for one in item.recipe.ingredients] == LINES


def test_recipes_with_steps_are_read_as_for_tracking(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text(
        "Tea\n\n1 l water\n2 tsp tea\n\nBoil the water. Add the tea.\n"
    )
    assert read(tmp_path / "tea.txt")[0].steps == ("Boil the water.", "Add the tea.")


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b'{"ingredients": []', b"hello there\n"])
def test_what_is_no_recipe_is_still_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bad").write_bytes(data)
    with pytest.raises(NpnError, match="bad"):
        list(read_unfinished(str(tmp_path / "bad")))


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(NpnError, match="does not exist"):
        list(read_unfinished("nowhere.txt"))


def test_steps_that_are_no_list_stay_a_problem(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text('{"ingredients": ["egg"], "steps": "Boil."}\n')
    (item,) = read_unfinished(str(tmp_path / "many.jsonl"))
    assert isinstance(item, Problem)


def test_bare_names_are_ingredients(tmp_path: Path) -> None:
    path = tmp_path / "cupboard.txt"
    path.write_text("eggs\nbutter\na little milk\n")
    (found,) = read_unfinished(str(path))
    assert isinstance(found, Found)
    assert [one.text for one in found.recipe.ingredients] == ["eggs", "butter", "a little milk"]


def test_sentences_are_no_bare_names(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("I was there.\nThere was no soup.\n")
    with pytest.raises(NpnError, match="no ingredient list"):
        list(read_unfinished(str(path)))
