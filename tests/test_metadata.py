"""What others' programs read of us: the citation file and the heads of the model cards."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CARDS = sorted((ROOT / "docs" / "model-cards").glob("*.md"))


def test_the_citation_names_this_version_and_the_paper() -> None:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert found["cff-version"] == "1.2.0"
    assert found["version"] == project["version"]
    assert found["license"] == project["license"]
    assert found["references"][0]["title"].startswith("Simulating Action Dynamics")
    assert len(found["references"][0]["authors"]) == 6


@pytest.mark.parametrize("card", CARDS, ids=lambda path: path.stem)
def test_a_model_card_begins_with_metadata(card: Path) -> None:
    _, head, text = card.read_text(encoding="utf-8").split("---\n", 2)
    found = yaml.safe_load(head)
    assert {"license", "language", "library_name", "tags", "model_name", "metrics"} <= found.keys()
    assert text.lstrip().startswith(f"# {found['model_name']}")
    for entry in found.get("model-index", ()):
        for result in entry["results"]:
            for metric in result["metrics"]:
                assert f"{metric['value']:g}".removeprefix("0") in text, metric  # said below too
