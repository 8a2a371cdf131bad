"""Hostile and broken files: each ends in one sentence of ours, soon, and in nothing else."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npn.errors import NpnError
from npn.formats import Found, Item, Note, Problem, read_file, read_text
from npn.recipe import Recipe

SLOW = 10.0  # seconds that no file of a megabyte may take, on any machine


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "soup"


def refusal(path: Path) -> str:
    """The one sentence with which a file is refused."""
    message = outcome(path)
    assert isinstance(message, str)
    assert str(path) in message
    return message


def outcome(path: Path) -> str | list[Item]:
    """What a file holds, or the one sentence with which it is refused; either way soon."""
    start = time.process_time()
    result: str | list[Item]
    try:
        result = list(read_file(str(path)))
    except NpnError as error:
        result = str(error)
    assert time.process_time() - start < SLOW
    assert not isinstance(result, str) or "\n" not in result
    return result


def test_an_empty_file(file: Path) -> None:
    file.write_bytes(b"")
    assert "is empty" in refusal(file)


@pytest.mark.parametrize("name", ["soup.txt", "soup.json", "soup.html", "soup.mmf", "soup.jsonl"])
def test_a_blank_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b" \n\n\t\n")
    refusal(path)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x7fELF\x02\x01\x01" + bytes(64),
        bytes(range(256)) * 99,
        b"PK\x03\x04" + bytes(99),
        b"\x1f\x8b\x08\0" + bytes(99),
    ],
)
def test_binary(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    refusal(file)


def test_a_directory(tmp_path: Path) -> None:
    assert "is a directory" in refusal(tmp_path)


def test_a_missing_file(file: Path) -> None:
    assert "does not exist" in refusal(file)


def test_a_name_that_no_file_can_have() -> None:
    with pytest.raises(NpnError, match="not the name of a file"):
        list(read_file("soup\0"))


def test_a_file_without_a_recipe(file: Path) -> None:
    file.write_text("Dear Ann, thank you for the flowers. They are lovely. Yours, Bob")
    assert "no ingredient list" in refusal(file)


def test_html_without_a_recipe(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><html><body><p>2 eggs</p><p>Hello.</p></body></html>")
    refusal(path)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("name", ["soup.json", "soup.txt", "soup"])
def test_json_nested_100_000_deep(tmp_path: Path, name: str, opening: str) -> None:
    path = tmp_path / name
    path.write_text(opening * 100_000)
    refusal(path)


def test_deep_json_in_one_line_of_many(tmp_path: Path) -> None:
    path = tmp_path / "soup.jsonl"
    good = json.dumps({"ingredients": ["egg"], "steps": ["Boil."]})
    path.write_text("\n".join([good, "[" * 100_000, good]))
    first, bad, last = read_file(str(path))
    assert isinstance(first, Found)
    assert isinstance(bad, Problem)
    assert isinstance(last, Found)


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ({"ingredients": [], "steps": ["Boil."]}, "no ingredients"),
        ({"ingredients": ["egg"], "steps": []}, "no steps"),
        ({"ingredients": ["egg"] * 10_000, "steps": ["Boil."]}, "10,000 ingredients"),
        ({"ingredients": ["egg"], "steps": ["Boil."] * 10_000}, "10,000 steps"),
    ],
)
def test_too_little_and_too_much(tmp_path: Path, recipe: dict[str, list[str]], reason: str) -> None:
    path = tmp_path / "soup.json"
    path.write_text(json.dumps(recipe, indent=1))
    assert reason in refusal(path)


def test_10_000_ingredients_in_plain_text(file: Path) -> None:
    file.write_text("Soup\n\n" + "1 egg\n" * 10_000 + "\nBoil the eggs.\n")
    assert "10,000 ingredients" in refusal(file)


@pytest.mark.parametrize(
    "piece", ["a", " ", "1 ", "(", ", ", "a. ", "1. ", "- ", ";", "<b>", "½", "[["]
)
@pytest.mark.parametrize("opening", ["", "Ingredients: ", "Ingredients\n2 eggs\nDirections\n"])
def test_a_megabyte_in_one_line(file: Path, opening: str, piece: str) -> None:
    file.write_text(opening + piece * (1_000_000 // len(piece)))
    assert outcome(file)


@pytest.mark.parametrize(
    "line",
    [
        "(a,\n",
        "  a (\n",
        "Title: a\nYield: 1\n",
        "- a\n",
        "1. a\n",
        "A:\n",
        "\n",
        "a\n\n",
        "1 c a  1 c a\n",
    ],
)
def test_as_many_lines_as_are_read(file: Path, line: str) -> None:
    file.write_text("Ingredients\n1 egg\n" + line * 90_000)
    assert outcome(file)


def test_more_lines_than_any_recipe_has(file: Path) -> None:
    file.write_text("1 egg\n" * 1_000_000)
    assert "1,000,000 lines" in refusal(file)


def test_a_line_of_json_lines_cannot_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "soup.jsonl"
    good = json.dumps({"ingredients": ["egg"], "steps": ["Boil."]}).encode()
    with path.open("wb") as file:
        file.write(b"[" + b"1," * (20 << 20) + b"\n" + good)
    bad, found = read_file(str(path))
    assert isinstance(bad, Problem)
    assert "longer than 16 MB" in bad.message
    assert isinstance(found, Found)
    assert found.where == "line 2"


def test_a_torn_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "soup.jsonl.gz"
    line = json.dumps({"ingredients": ["egg"], "steps": ["Boil."]})
    path.write_bytes(
        gzip.compress("\n".join(f'{line[:-1]}, "id": {i}}}' for i in range(999)).encode())[:-99]
    )
    assert "not a whole gzip file" in refusal(path)


def test_a_gzip_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "soup.json.gz"
    path.write_bytes(b"not packed at all")
    assert "not a whole gzip file" in refusal(path)


def test_broken_utf_8_is_read(file: Path) -> None:
    file.write_bytes(b"Eggs\n\n2 eggs\n1 pinch of salt\xff\n\nBoil the eggs.\n")
    note, found = read_file(str(file))
    assert isinstance(note, Note)
    assert isinstance(found, Found)
    assert found.recipe.steps == ("Boil the eggs.",)


WORDS = st.sampled_from(
    (
        *("Ingredients", "Directions:", "1.", "2 eggs", "Boil the eggs.", "Title: Soup", "MMMMM"),
        *("Categories: x", "-----", "      1 c  Salt", "           -chopped", ">> servings: 2"),
        *("{", "}", "[", "]", '"ingredients"', '"@type": "Recipe"', "@salt{1%tsp}", "~{5}", "---"),
        *("<html>", "<script", 'type="application/ld+json">', "\n", "\n", "\n", " ", ":", ",", '"'),
        *("\ufeff", "\x85", "\u2028"),
    )
)
RECIPE_LIKE = st.lists(WORDS | st.text(max_size=5), max_size=30).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.text() | RECIPE_LIKE, st.sampled_from(["", ".json", ".html", ".cook", ".txt", ".mmf"]))
def test_no_text_raises_anything_else(text: str, extension: str) -> None:
    try:
        recipe = read_text(text, f"soup{extension}" if extension else "")
    except NpnError:
        return
    assert isinstance(recipe, Recipe)
    assert recipe.check() is recipe


@settings(max_examples=300, deadline=None)
@given(st.binary() | RECIPE_LIKE.map(lambda text: text.encode("cp437", "replace")))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with contextlib.suppress(NpnError):
        for item in read_file("-", io.BytesIO(data)):
            assert isinstance(item, Found | Problem | Note)
            if isinstance(item, Found):
                item.recipe.check()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                (
                    *("title", "ingredients", "steps", "@type", "@graph", "name", "text", "slug"),
                    *("recipeIngredient", "recipeInstructions", "itemListElement", "directions"),
                )
            )
            | st.text(),
            inner,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_no_json_raises_anything_else(value: object) -> None:
    with contextlib.suppress(NpnError):
        read_text(json.dumps(value), "soup.json").check()
