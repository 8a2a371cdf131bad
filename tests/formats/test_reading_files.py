"""From a path or standard input to recipes: what a caller meets whatever the format."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from npn.errors import NpnError
from npn.formats import Found, Note, formats, read_file, read_text

TEXT = "Eggs\n\n2 eggs\n1 tbsp butter\n\nFry the eggs in the butter.\n"


def test_a_file_gives_its_recipe(tmp_path: Path) -> None:
    path = tmp_path / "eggs.txt"
    path.write_text(TEXT)
    (found,) = read_file(str(path))
    assert isinstance(found, Found)
    assert found.recipe.title == "Eggs"
    assert found.where == ""


def test_standard_input_is_called_dash() -> None:
    (found,) = read_file("-", io.BytesIO(TEXT.encode()))
    assert isinstance(found, Found)
    assert found.recipe.steps == ("Fry the eggs in the butter.",)


def test_json_lines_on_standard_input() -> None:
    line = json.dumps({"ingredients": ["egg"], "steps": ["Boil."]}) + "\n"
    assert len(list(read_file("-", io.BytesIO(line.encode() * 3)))) == 3


def test_recipes_come_before_the_end_of_a_stream_is_read() -> None:
    line = json.dumps({"ingredients": ["egg"], "steps": ["Boil."]}).encode() + b"\n"
    stream = io.BytesIO(line * 1_000)
    items = read_file("-", stream)
    next(items)
    next(items)
    assert stream.tell() < 3 * len(line)


def test_a_legacy_encoding_comes_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "eggs.txt"
    path.write_bytes("Œufs\n\n2 œufs\n½ cup crème\n\nSauté the œufs.\n".encode("cp1252"))
    note, found = read_file(str(path))
    assert note == Note(f"{path} is not UTF-8; read as Windows-1252 (Latin-1)")
    assert isinstance(found, Found)
    assert found.recipe.steps == ("Sauté the œufs.",)


def test_utf_16_needs_no_note(tmp_path: Path) -> None:
    path = tmp_path / "eggs.txt"
    path.write_bytes(TEXT.encode("utf-16"))
    (found,) = read_file(str(path))
    assert isinstance(found, Found)


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "poem.txt"
    path.write_text("Roses are red.")
    with pytest.raises(NpnError, match=r"poem\.txt: no ingredient list was found"):
        list(read_file(str(path)))


def test_several_recipes_are_not_the_one_that_is_wanted() -> None:
    eggs = {"ingredients": ["egg"], "steps": ["Boil."]}
    with pytest.raises(NpnError, match="several recipes"):
        read_text(json.dumps([eggs, eggs]))


def test_plain_text_is_asked_last() -> None:
    assert formats()[-1].name == "text"
    assert len({format.name for format in formats()}) == len(formats())
