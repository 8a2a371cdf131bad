"""How fast recipes are tracked: from JSON Lines to traces in JSON Lines, on one core.

    python benchmarks/tracking_speed.py                      # every tracker that ships
    python benchmarks/tracking_speed.py --recipes 6000 first-mention weak-labels

With the environment variable NPN_DATA the recipes are those of its corpus, else written here, with
variation. Machines are busy and unlike: beside each figure stands what it would be on a machine
that runs the plain loop below, timed in slices in between, in 0.525 s.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, and before NumPy is there

from npn.formats import Found, read_file
from npn.formats.writing.json_lines import write
from npn.models import SHIPPED, TRACKERS, load_tracker
from npn.recipe import Recipe
from npn.tracker import Tracker

LOOPS = 10**7
LOOP_SECONDS = 0.525  # of the plain loop, on the machine that figures are converted to
CORPORA = ("mealmaster", "web")
SINGLE = 200  # recipes tracked one at a time
PIECE = 128  # recipes between two slices of the plain loop
SLICES = 10

FOODS = (
    "flour", "brown sugar", "butter", "eggs", "milk", "salt", "black pepper", "olive oil", "onions",
    "garlic", "carrots", "chicken breasts", "tomatoes", "parsley", "rice", "cheddar cheese",
    "lemon juice", "baking powder", "vanilla extract", "mushrooms", "potatoes", "sour cream",
    "green beans", "ground beef", "chicken broth",
)  # fmt: skip
MEASURES = ("1 cup", "2 tablespoons", "1/2 tsp.", "3", "1 (14 oz.) can", "250 g", "1 1/2 cups")
AFTERWARDS = ("", "", ", chopped", ", softened", ", divided", " (optional)", "; peeled and sliced")
SENTENCES = (
    "Mix the {0} and {1} in a large bowl.",
    "Heat the {0} in a skillet over medium heat; add {1} and cook until tender.",
    "Stir in the remaining {0}, {1} and {2}.",
    "Pour over the {0}.",
    "Bake at 350 F. for 25 to 30 minutes or until golden brown.",
    "Let it cool, then cut into squares and serve with {0}.",
    "Bring to a boil, reduce heat and simmer for 10 minutes, stirring often.",
    "Combine all ingredients except {0} and refrigerate overnight.",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("trackers", nargs="*", default=[*TRACKERS, *SHIPPED])
    parser.add_argument("--recipes", type=int, default=1_000)
    given = parser.parse_args()
    measure_trackers(given.trackers, given.recipes)


def measure_trackers(trackers: Sequence[str], recipes: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for name, lines in sources(recipes):
            path = Path(scratch) / f"{name}.jsonl"
            path.write_text("".join(lines), encoding="utf-8")
            print(f"{name}: recipes a second of processor time (converted), milliseconds for one")
            for tracker in trackers:
                measure(load_tracker(tracker), path)


def sources(recipes: int) -> Iterator[tuple[str, list[str]]]:
    """Each set of recipes with its name, as JSON Lines."""
    data = os.environ.get("NPN_DATA")
    if not data:
        yield "written", [json.dumps(recipe) + "\n" for recipe in islice(written(), recipes)]
        return
    for name in CORPORA:
        packed = Path(data) / "corpus" / f"{name}.jsonl.gz"
        with gzip.open(packed, "rt", encoding="utf-8") as lines:
            yield name, list(islice(lines, recipes))


def written() -> Iterator[dict[str, object]]:
    """Recipes without end, each unlike the others."""
    chance = random.Random(1)
    while True:
        foods = chance.sample(FOODS, chance.randint(4, 14))
        lines = [f"{chance.choice(MEASURES)} {one}{chance.choice(AFTERWARDS)}" for one in foods]
        told = [
            chance.choice(SENTENCES).format(*chance.sample(foods, 3))
            for _ in range(chance.randint(5, 18))
        ]
        steps = [" ".join(told[i : i + 4]) for i in range(0, len(told), 4)]
        yield {"title": f"{foods[0]} with {foods[1]}", "ingredients": lines, "steps": steps}


def measure(tracker: Tracker, path: Path) -> None:
    recipes = list(read(path))
    for recipe in recipes[:SINGLE]:
        tracker.track(recipe)  # tables are made and files read by the first
    traces = iter(tracker.track_many(read(path)))

    def write_some() -> bool:
        some = list(islice(traces, PIECE))
        with open(os.devnull, "w", encoding="utf-8") as out:
            write(some, out)
        return bool(some)

    many, loop = _beside_loops(write_some)
    rate, slowness = len(recipes) / sum(many), loop / LOOP_SECONDS
    left = iter(recipes[:SINGLE])

    def track_one() -> bool:
        recipe = next(left, None)
        if recipe is not None:
            tracker.track(recipe).to_json()
        return recipe is not None

    singles, single_loop = _beside_loops(track_one, every=10)
    single = 1000 * sorted(singles)[len(singles) // 2]
    print(
        f"  {tracker.name:14} {rate:8,.0f}/s ({rate * slowness:,.0f}/s)"
        f" {single:8.2f} ms ({single * LOOP_SECONDS / single_loop:.2f} ms)"
        f"   plain loop {loop:.3f} s",
        flush=True,
    )


def _beside_loops(work: Callable[[], bool], every: int = 1) -> tuple[list[float], float]:
    """The seconds of each piece of work, until there is none, and those of a plain loop, which
    runs in slices between the pieces: a machine that is slow for a while is so for both."""
    seconds: list[float] = []
    loops: list[float] = []
    more = True
    while more:
        if len(seconds) % every == 0:
            loops.append(SLICES * plain_loop(LOOPS // SLICES))
        began = time.process_time()
        more = work()
        seconds.append(time.process_time() - began)
    return seconds[:-1], sum(loops) / len(loops)


def read(path: Path) -> Iterable[Recipe]:
    return (item.recipe for item in read_file(str(path)) if isinstance(item, Found))


def plain_loop(count: int = LOOPS) -> float:
    began = time.process_time()
    sum(i * i for i in range(LOOPS - count, LOOPS))
    return time.process_time() - began


if __name__ == "__main__":
    main()
