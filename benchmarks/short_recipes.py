"""How long recipes of about 200 words take, on one core:

    python -m benchmarks.short_recipes $NPN_DATA/corpus/web.jsonl.gz world weak-labels

Two samples of 24 recipes with 8 to 13 ingredients: those that have 190 to 210 words in all, and
those that have them in their steps alone. Printed is the best of five rounds in turns, in
processor time, one recipe at a time and in a batch (`track_many`).
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is loaded

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import npn

SAMPLE, ROUNDS = 24, 5
WORDS, INGREDIENTS = range(190, 211), range(8, 14)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="recipes, one a line (.jsonl.gz)")
    parser.add_argument("models", nargs="+", help="what `npn track --model` takes")
    given = parser.parse_args()
    trackers = {name: npn.load(name) for name in given.models}
    for title, count in (("in all", words_in_all), ("in the steps", words_of_steps)):
        recipes = list(sample(given.corpus, count))
        best: dict[tuple[str, str], float] = {}
        for _ in range(ROUNDS):
            for name, tracker in trackers.items():
                for way, seconds in ways(tracker, recipes):
                    best[name, way] = min(best.get((name, way), seconds), seconds)
        print(f"{len(recipes)} recipes of about 200 words {title}")
        for (name, way), seconds in best.items():
            print(f"  {name}, {way}: {1000 * seconds:.1f} ms each, {1 / seconds:.1f} a second")


def ways(tracker: npn.Tracker, recipes: Sequence[npn.Recipe]) -> Iterator[tuple[str, float]]:
    """Seconds a recipe, one at a time and in a batch."""
    began = time.process_time()
    for recipe in recipes:
        tracker.track(recipe)
    between = time.process_time()
    for _ in tracker.track_many(recipes):
        pass
    yield "one at a time", (between - began) / len(recipes)
    yield "in a batch", (time.process_time() - between) / len(recipes)


def sample(corpus: Path, count: Callable[[npn.Recipe], int]) -> Iterator[npn.Recipe]:
    """The first recipes of the corpus that are neither long nor short."""
    found = 0
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        for line in lines:
            recipe = npn.Recipe.from_dict(json.loads(line))
            if count(recipe) in WORDS and len(recipe.ingredients) in INGREDIENTS:
                yield recipe
                found += 1
                if found == SAMPLE:
                    return


def words_of_steps(recipe: npn.Recipe) -> int:
    return sum(len(text.split()) for text in recipe.steps)


def words_in_all(recipe: npn.Recipe) -> int:
    lines = (one.text for one in recipe.ingredients)
    return words_of_steps(recipe) + sum(len(text.split()) for text in (recipe.title, *lines))


if __name__ == "__main__":
    main()
