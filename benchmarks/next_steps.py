"""How fast next steps are suggested, on one core:

python benchmarks/next_steps.py [RECIPE...] [--rounds 5]

Every recipe is taken after each of its steps. The time is the processor's, of a process with one
thread; "simulated" includes the tracker, which reads the steps so far and every suggestion.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import npn  # noqa: E402
from npn.formats import Found, read_file  # noqa: E402
from npn.networks.generator.generator import load_generator  # noqa: E402
from npn.suggestions import suggest  # noqa: E402

EXAMPLES = Path(__file__).parent.parent / "examples"
RECIPES = [path for path in EXAMPLES.iterdir() if path.suffix not in (".py", ".ipynb")]
ASKED = 3


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of npn next.")
    parser.add_argument("recipes", nargs="*", default=[str(path) for path in RECIPES])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    recipes = [
        item.recipe for path in given.recipes for item in read_file(path) if isinstance(item, Found)
    ]
    asked = [(recipe, after) for recipe in recipes for after in range(len(recipe.steps) + 1)]
    tracker, generator = npn.load(), load_generator()
    contexts = []
    for recipe, after in asked:
        process = tracker.begin(recipe.ingredients)
        read = [
            process.read(sentence)
            for step in recipe.steps[:after]
            for sentence in tracker.sentences(step)
        ]
        contexts.append((process.ingredients, read))
    best: dict[str, float] = {}
    for _ in range(given.rounds):
        for name, work in (
            ("likeliest", lambda: [generator.suggest(*one, 1) for one in contexts]),
            (f"{ASKED} distinct", lambda: [generator.suggest(*one, ASKED) for one in contexts]),
            (f"{ASKED}, simulated", lambda: [suggest(r, ASKED, after=k) for r, k in asked]),
            ("plain loop", lambda: sum(i * i for i in range(10**7))),
        ):
            best[name] = min(best.get(name, float("inf")), seconds(work))
    print(f"{len(recipes)} recipes, {len(asked)} contexts, best of {given.rounds}")
    for name, took in best.items():
        if name == "plain loop":
            print(f"{name:>14}: {took:.2f} s for ten million squares")
            continue
        count = 1 if name == "likeliest" else ASKED
        print(
            f"{name:>14}: {1000 * took / len(asked):6.1f} ms a context, "
            f"{count * len(asked) / took:6.0f} suggestions a second"
        )


if __name__ == "__main__":
    main()
