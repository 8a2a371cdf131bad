"""Files in which nearly everything is wrong: they cost no more than reading them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cost import MOST_GROWTH, lines_run

from npn.cli import run
from npn.commands.files import MOST_REPORTED
from npn.commands.next import read_unfinished
from npn.corpus.sharding.folder import MANIFEST
from npn.errors import NpnError
from npn.models import load_tracker
from npn.recipe import Recipe


def test_only_the_first_problems_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "numbers.json"
    path.write_text("[" + "1," * 500 + "1]")
    assert run(["track", str(path), "--model", "mention"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == MOST_REPORTED + 2
    assert said[-2:] == [
        "npn: and more, which are only counted",
        "npn: 501 problems, 0 recipes tracked",
    ]


def test_unfinished_recipes_are_looked_for_in_a_file_that_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "soups.jsonl"
    counts = []
    for lines in (50, 200):
        path.write_text('{"ingredients": ["1 egg"]}\n' * lines)
        counts.append(lines_run(lambda: list(read_unfinished(str(path)))))
    assert counts[1] < MOST_GROWTH * counts[0]


def test_a_damaged_manifest_that_is_nested_deeply_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / MANIFEST).write_text("[" * 100_000)
    assert run(["corpus", "stats", str(tmp_path)]) == 2
    assert "is damaged" in capsys.readouterr().err


def test_the_papers_network_refuses_a_sentence_without_end() -> None:
    recipe = Recipe.from_lists("", ["1 egg"], ["( " * 90_000 + "egg"])
    with pytest.raises(NpnError, match="sentence of 90,001 words"):
        load_tracker("paper").track(recipe)
