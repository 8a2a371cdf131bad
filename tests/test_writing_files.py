"""`npn track --to …` with options, and into folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from npn.cli import run

DRINKS = Path(__file__).parents[1] / "examples" / "three-drinks.jsonl"
TRACK = ["track", str(DRINKS), "--model", "weak-labels", "--to"]


def test_a_folder_gets_a_file_for_each_recipe(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "drinks"
    assert run([*TRACK, "svg", "-o", f"{folder}/"]) == 0
    names = ["ginger-lemonade.svg", "hot-chocolate.svg", "mint-tea.svg"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert all(path.read_text(encoding="utf-8").startswith("<?xml") for path in folder.iterdir())


def test_two_recipes_of_one_title_get_two_files(tmp_path: Path) -> None:
    twice = ["track", str(DRINKS), *TRACK[1:], "html", "-o", f"{tmp_path}/"]
    assert run(twice) == 0
    assert {"mint-tea.html", "mint-tea-2.html"} <= {path.name for path in tmp_path.iterdir()}


def test_several_recipes_in_a_file_of_one_are_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "drinks.svg"
    assert run([*TRACK, "svg", "-o", str(target)]) == 2
    assert "-o FOLDER/" in capsys.readouterr().err
    assert not target.exists()
    assert run([*TRACK, "mermaid"]) == 2
    assert capsys.readouterr().out == ""


def test_an_option_of_another_writer_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TRACK, "markdown", "--extended"]) == 2
    assert "--extended goes with --to cooklang only" in capsys.readouterr().err


def test_an_option_reaches_its_writer(tmp_path: Path) -> None:
    assert run([*TRACK, "cooklang", "--extended", "-o", f"{tmp_path}/"]) == 0
    assert any("@&(" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    assert run([*TRACK, "cooklang", "-o", f"{tmp_path}/"]) == 0
    assert not any("@&(" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert run([*TRACK, "svg", "-o", f"{tmp_path}/file/"]) == 2
    assert "cannot make the folder" in capsys.readouterr().err
