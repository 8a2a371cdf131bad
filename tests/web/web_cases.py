"""What several tests of the server use."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from npn.models import load_tracker
from npn.recipe import Recipe
from npn.trace import Trace

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LASAGNE = (Path(__file__).parent / "lasagne.txt").read_text(encoding="utf-8")


@cache
def track(text: str) -> Trace:
    return load_tracker("weak-labels").track(Recipe.from_text(text))
