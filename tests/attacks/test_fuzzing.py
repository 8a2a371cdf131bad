"""What random mutations have broken once, and a few hundred new ones; `make fuzz` tries more."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fuzzing import CORPUS, TARGETS, fault_of

FEW = {
    "reading": 500, "file": 40, "world": 10, "corpus": 150, "gold": 200, "journal": 100,
    "trace": 100, "model": 60, "lexicon": 60, "call": 300, "body": 40,
}  # fmt: skip


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.bin")), ids=lambda path: path.stem)
def test_what_broke_something_once(path: Path) -> None:
    assert fault_of(path.name.partition("-")[0], path.read_bytes()) == ""


@pytest.mark.parametrize("target", TARGETS)
def test_a_few_mutations(target: str) -> None:
    chance = Random(18)
    for _ in range(FEW[target]):
        data = TARGETS[target].draw(chance)
        assert fault_of(target, data) == "", data
