"""Count what the labels of worlds and of states hold, for labels/README.md:

python labels/counts.py
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from label_lines import read_label_lines
from state_labels import StateLabel
from world_labels import WorldLabel

from npn.evaluation.gold import read_gold
from npn.recipe import Recipe

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Counts:
    """`parts` are uses of a known part of a line, `unknown` those whose size nobody can know."""

    recipes: int
    steps: int
    uses: int
    parts: int
    unknown: int


def count_read(file: str) -> Counts:
    """The worlds of recipes of the web corpus that a file labels."""
    labels = read_label_lines(HERE / file, WorldLabel.from_dict)
    uses = (use.fraction for label in labels for step in label.steps for use in step.uses)
    return _counts(len(labels), sum(len(label.steps) for label in labels), uses)


def count_own() -> Counts:
    """The worlds of recipes written for this project."""
    recipes = read_gold(HERE / "own_recipes.jsonl")
    worlds = [recipe.world or () for recipe in recipes]
    uses = (use.fraction for world in worlds for step in world for use in step.uses)
    return _counts(len(recipes), sum(map(len, worlds)), uses)


def count_states() -> dict[str, tuple[int, int]]:
    """The recipes and steps of labels of states, for each corpus or gold file."""
    labels = read_label_lines(HERE / "states.jsonl", StateLabel.from_dict)
    recipes = Counter(label.source for label in labels)
    steps: Counter[str] = Counter()
    for label in labels:
        steps[label.source] += len(label.steps)
    return {source: (recipes[source], steps[source]) for source in recipes}


def own_with_sections() -> int:
    """How many recipes written for this project have headings among their ingredients."""
    return sum(any(line.section for line in recipe.ingredients) for recipe in _own_recipes())


def own_sizes() -> dict[str, tuple[int, int]]:
    """The fewest and the most ingredients, steps and words of steps of these recipes."""
    recipes = _own_recipes()
    sizes = {
        "ingredients": [len(recipe.ingredients) for recipe in recipes],
        "steps": [len(recipe.steps) for recipe in recipes],
        "words": [sum(len(step.split()) for step in recipe.steps) for recipe in recipes],
    }
    return {name: (min(found), max(found)) for name, found in sizes.items()}


def _own_recipes() -> list[Recipe]:
    return [one.recipe for one in read_gold(HERE / "own_recipes.jsonl")]


def _counts(recipes: int, steps: int, fractions: Iterator[float | None]) -> Counts:
    found = list(fractions)
    parts = sum(fraction is not None and fraction < 1 for fraction in found)
    return Counts(recipes, steps, len(found), parts, found.count(None))


def main() -> int:
    print("file", *(field.name for field in fields(Counts)), sep="\t")
    for file in ("worlds.jsonl", "divided_worlds.jsonl"):
        print(file, *astuple(count_read(file)), sep="\t")
    print("own_recipes.jsonl", *astuple(count_own()), sep="\t")
    for source, (recipes, steps) in count_states().items():
        print(f"states.jsonl has {recipes} recipes, {steps} steps of {source}")
    print(f"{own_with_sections()} of our own recipes have headings")
    for name, (fewest, most) in own_sizes().items():
        print(f"our own recipes have {fewest} to {most} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
