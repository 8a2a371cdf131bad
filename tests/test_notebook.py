"""The notebook runs from its first cell to its last, as a reader would run it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "paper.ipynb"
nbformat = pytest.importorskip("nbformat", reason="nbformat comes with the dev extra")
nbclient = pytest.importorskip("nbclient", reason="nbclient comes with the dev extra")
pytest.importorskip("torch", reason="the last part trains")


@pytest.fixture(scope="module")
def outputs() -> list[str]:
    """What each cell of code printed."""
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute(cwd=str(ROOT), env=environment)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["".join(one.get("text", "") for one in cell.outputs) for cell in cells]


def test_it_steps_through_a_recipe(outputs: list[str]) -> None:
    assert "whisk" in outputs[0]
    assert outputs[0].count("→") == 5


def test_it_shows_attention_memory_and_neighbours(outputs: list[str]) -> None:
    assert outputs[1].count("step ") == 5
    assert outputs[2].count("→") == 4
    assert "slice" in outputs[3].splitlines()[0]


def test_it_trains_a_small_network_and_uses_it(outputs: list[str]) -> None:
    assert "development loss" in outputs[4]
    assert "development_entity_f1" in outputs[4]
    assert outputs[5].startswith("npn-mine")


def test_what_is_kept_in_the_file_has_no_errors_and_no_paths_of_a_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert '"output_type": "error"' not in text
    assert str(NOTEBOOK.parents[1].resolve()) not in text
    assert "/home/" not in text
    assert "/tmp/" not in text
