"""Small corpora of our own for the tests of npn.corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from npn.corpus import CorpusOptions

FOODS = ("flour", "sugar", "butter", "carrots", "rice", "onions", "milk", "lentils")


def recipe(number: int) -> dict[str, Any]:
    one, two, three = (FOODS[(number + i) % len(FOODS)] for i in (0, 1, 3))
    return {
        "title": f"Dish {number}",
        "ingredients": [f"{number % 4 + 1} cups {one}", f"1/2 cup {two}", f"2 tablespoons {three}"],
        "steps": [
            f"Mix the {one} and {two} in a bowl.",
            f"Stir in the {three} and bake for {number + 10} minutes.",
        ],
    }


def lines(count: int, start: int = 0) -> bytes:
    """JSON Lines of some recipes, no two alike."""
    return b"".join(json.dumps(recipe(i)).encode() + b"\n" for i in range(start, start + count))


def write_lines(path: Path, count: int, start: int = 0) -> str:
    path.write_bytes(lines(count, start))
    return str(path)


def options(**changed: Any) -> CorpusOptions:
    return CorpusOptions(**{"model": "weak-labels", "recipes": 5, **changed})


def files(folder: Path) -> dict[str, bytes]:
    """Everything that a run has written, but for hidden files."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found
