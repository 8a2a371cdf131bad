"""Our own JSON, alone, in lists and in lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from npn.errors import NpnError
from npn.formats import Found, Note, Problem, read_file, read_text
from npn.recipe import Recipe

EGGS = {"title": "Eggs", "ingredients": ["2 eggs", "Salt, pepper"], "steps": ["Boil. Peel.", "Eat"]}


def test_one_recipe_keeps_its_lines_and_steps() -> None:
    recipe = read_text(json.dumps({**EGGS, "id": 7, "rating": None}, indent=2))
    assert recipe == Recipe.from_lists("Eggs", ["2 eggs", "Salt, pepper"], ["Boil. Peel.", "Eat"])


def test_a_title_is_not_needed() -> None:
    assert read_text('{"ingredients": ["egg"], "steps": ["Boil."]}').title == ""


def test_a_list_of_recipes(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(json.dumps([EGGS, {"title": "none"}, EGGS]))
    first, bad, third = read_file(str(path))
    assert isinstance(first, Found)
    assert isinstance(bad, Problem)
    assert isinstance(third, Found)
    assert (first.where, bad.where, third.where) == ("recipe 1", "recipe 2", "recipe 3")


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz", "r.json.gz", "r", "r.txt"])
def test_json_lines_report_bad_lines_by_number(tmp_path: Path, name: str) -> None:
    good = json.dumps(EGGS)
    text = "\n".join(
        [good, "", "{broken", '{"title": 1}', '{"ingredients": [], "steps": []}', good]
    )
    path = tmp_path / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    items = list(read_file(str(path)))
    assert [item.where for item in items if isinstance(item, Found)] == ["line 1", "line 6"]
    problems = [item for item in items if isinstance(item, Problem)]
    assert [problem.where for problem in problems] == ["line 3", "line 4", "line 5"]
    assert "JSON is broken" in problems[0].message
    assert '"ingredients" and "steps"' in problems[1].message
    assert problems[2].message == "the recipe has no ingredients"


def test_a_bad_first_line_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("nonsense\n" + json.dumps(EGGS))
    bad, good = read_file(str(path))
    assert isinstance(bad, Problem)
    assert isinstance(good, Found)


def test_a_line_in_a_legacy_encoding_is_read_with_one_note(tmp_path: Path) -> None:
    line = json.dumps({**EGGS, "title": "Crème brûlée"}, ensure_ascii=False).encode("cp1252")
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\n".join([line, line]))
    note, first, second = read_file(str(path))
    assert note == Note("line 1 is not UTF-8; read as Windows-1252 (Latin-1)")
    assert isinstance(first, Found)
    assert first.recipe.title == "Crème brûlée"
    assert isinstance(second, Found)


def test_json_lines_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(EGGS).encode())
    (found,) = read_file(str(path))
    assert isinstance(found, Found)


def test_half_a_surrogate_pair_is_replaced_so_that_it_can_be_printed() -> None:
    recipe = read_text('{"title": "\\ud83d", "ingredients": ["egg"], "steps": ["\\ud83c\\udf73"]}')
    assert recipe.title == "?"
    assert recipe.steps == ("\U0001f373",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "JSON is broken"),
        ("[]", "holds no recipe"),
        ('{"name": "soup"}', "not a recipe"),
        ('{"ingredients": "egg", "steps": ["Boil."]}', '"ingredients" must be a list of strings'),
        ('{"ingredients": ["egg"], "steps": [1]}', '"steps" must be a list of strings'),
        ('{"title": 3, "ingredients": ["egg"], "steps": ["Boil."]}', '"title" must be a string'),
    ],
)
def test_other_json_says_why_it_is_no_recipe(text: str, reason: str) -> None:
    with pytest.raises(NpnError, match=reason):
        read_text(text, "soup.json")
