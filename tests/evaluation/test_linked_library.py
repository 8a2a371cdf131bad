"""A user's own linked library as gold."""

from __future__ import annotations

import json
import os
from io import BytesIO
from pathlib import Path

import pytest
from linked_traces import PLAIN, STEW

from npn.cli import run
from npn.errors import NpnError
from npn.evaluation.report import is_linked, linked_gold
from npn.formats.writing import binary_writers
from npn.recipe import Ingredient, Recipe

SOUP = Recipe("Soup", (Ingredient("1 leek"), Ingredient("salt")), ("Boil the leek.", "Add salt."))


def linked(*links: tuple[int, ...]) -> Recipe:
    return Recipe(SOUP.title, SOUP.ingredients, SOUP.steps, (), links)


def test_everything_in_the_first_step_is_nobodys_link() -> None:
    assert is_linked(linked((0,), (1,)))
    assert not is_linked(linked((0, 1), ()))
    assert not is_linked(SOUP)
    assert is_linked(Recipe("Salt", SOUP.ingredients, ("Mix all.",), (), ((0, 1),)))


def test_links_are_what_a_step_uses_and_acts_on() -> None:
    (gold,) = linked_gold([SOUP, linked((0,), (1,)), linked((0, 1), ())], "export.zip")
    assert gold.world is not None
    assert [[use.ingredient for use in step.uses] for step in gold.world] == [[0], [1]]
    assert [step.entities for step in gold.world] == [(0,), (1,)]


def test_a_library_without_links_is_no_gold() -> None:
    with pytest.raises(NpnError, match=r"export.zip: none of its recipes has steps"):
        linked_gold([SOUP], "export.zip")


@pytest.mark.parametrize("name", ["mealie", "tandoor"])
def test_a_tracker_is_scored_on_an_export(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = BytesIO()
    binary_writers()[name].write([STEW, PLAIN], out)
    export, scores = tmp_path / "export.zip", tmp_path / "scores.json"
    export.write_bytes(out.getvalue())
    arguments = ["evaluate", "first-mention", "weak-labels", "--gold", str(export)]
    assert run([*arguments, "--json", str(scores)]) == 0
    assert "export.zip: 2 recipes, 6 steps" in capsys.readouterr().out
    (report,) = json.loads(scores.read_text())
    for row in report["rows"]:
        measured = {"uses_f1", "uses_precision", "uses_recall", "linked_recipes", "acts_f1"}
        assert set(row["scores"]) == measured
        assert row["scores"]["uses_f1"]["value"] > 0.5


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats"


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats")
@pytest.mark.parametrize("path", ["mealie/mealie-linked-bulk.zip", "tandoor/tandoor-export.zip"])
def test_exports_from_the_wild(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "weak-labels", "--gold", str(DATA / path)]) == 0
    assert "uses" in capsys.readouterr().out
