"""How the network sees each action of the lexicon: count it on a sample of both corpora.

    python experiments/actions_seen.py $NPN_DATA/corpus --recipes 3000 \\
        -o src/npn/rules/lexicon/seen.json

Recipes are drawn at random, as many of each corpus, cleaned as for training, and tracked by the
default tracker with every sentence a step of its own. For each action it is counted in how many
steps of how many recipes it stands; and, for the steps of which it is the only action, in how many
of them something comes to each end state. The file is written anew as the work goes on: stopped
early, it holds what was counted until then, and says of how many recipes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from npn.models import DEFAULT, load_tracker
from npn.recipe import Recipe
from npn.rules.lexicon import load_lexicon
from npn.trace import STATE_TYPES, Trace
from npn.training.data.cleaning import Cleaner

CORPORA = ("web.jsonl.gz", "mealmaster.jsonl.gz")
CHUNK = 30  # recipes
FEWEST = 3  # steps that an end state must follow to be kept
MOST_ENDS = 6  # end states of one type that are kept


@dataclass(slots=True)
class ActionCounts:
    """`steps` and `recipes` that have the action, `alone` the steps that have no other, and of
    those how many have an ingredient come to each (type, end state)."""

    steps: int = 0
    recipes: int = 0
    alone: int = 0
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: ActionCounts) -> None:
        self.steps += other.steps
        self.recipes += other.recipes
        self.alone += other.alone
        self.ends += other.ends

    def to_json(self) -> dict[str, Any]:
        ends: dict[str, dict[str, int]] = {}
        for type in STATE_TYPES:
            common = [(e, n) for (t, e), n in self.ends.items() if t == type and n >= FEWEST]
            common.sort(key=lambda pair: (-pair[1], pair[0]))
            if common:
                ends[type] = dict(common[:MOST_ENDS])
        return {"steps": self.steps, "recipes": self.recipes, "alone": self.alone, "ends": ends}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, help="the folder of both corpora")
    parser.add_argument("--recipes", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("-o", dest="output", type=Path, required=True)
    given = parser.parse_args()
    samples = [draw(given.corpus / name, given.recipes // len(CORPORA)) for name in CORPORA]
    recipes = [recipe for pair in zip(*samples, strict=True) for recipe in pair]
    chunks = [recipes[at : at + CHUNK] for at in range(0, len(recipes), CHUNK)]
    total: dict[str, ActionCounts] = defaultdict(ActionCounts)
    with ProcessPoolExecutor(given.processes) as pool:
        for done, counts in enumerate(pool.map(count_chunk, chunks), start=1):
            for name, one in counts.items():
                total[name].add(one)
            tracked = min(done * CHUNK, len(recipes))
            write(given.output, tracked, total)
            print(f"{tracked} of {len(recipes)} recipes", flush=True)


def draw(path: Path, count: int, seed: int = 0) -> list[Recipe]:
    """Recipes of a corpus at random, cleaned, their sentences as steps."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    random.Random(seed).shuffle(lines)
    cleaner, found = Cleaner(), list[Recipe]()
    for line in lines:
        recipe = Recipe.from_dict(json.loads(line))
        cleaned = cleaner.clean(recipe)
        if cleaned is not None:
            found.append(Recipe(recipe.title, cleaned.ingredients, cleaned.sentences))
        if len(found) == count:
            break
    return found


def count_chunk(recipes: list[Recipe]) -> dict[str, ActionCounts]:
    return count(load_tracker(DEFAULT).track_many(recipes, split=False))


def count(traces: Iterable[Trace]) -> dict[str, ActionCounts]:
    lexicon = load_lexicon()
    counts: dict[str, ActionCounts] = defaultdict(ActionCounts)
    for trace in traces:
        in_recipe: set[str] = set()
        for step in trace.steps:
            actions = {known.name for a in step.actions if (known := lexicon.action(a.name))}
            for name in actions:
                counts[name].steps += 1
            if len(actions) == len(step.actions) == 1:
                [name] = actions
                counts[name].alone += 1
                counts[name].ends.update({(c.type, c.end_state) for c in step.changes})
            in_recipe |= actions
        for name in in_recipe:
            counts[name].recipes += 1
    return dict(counts)


def write(path: Path, recipes: int, counts: dict[str, ActionCounts]) -> None:
    """One line for each action, so that two versions of the file can be compared."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text("\n".join(_lines(recipes, counts)) + "\n", encoding="utf-8")
    os.replace(unfinished, path)


def _lines(recipes: int, counts: dict[str, ActionCounts]) -> Iterator[str]:
    yield f'{{"tracker": "{DEFAULT}", "recipes": {recipes}, "actions": {{'
    rows = [f"{json.dumps(name)}: {json.dumps(counts[name].to_json())}" for name in sorted(counts)]
    yield ",\n".join(rows)
    yield "}}"


if __name__ == "__main__":
    main()
