"""The same recipes on another Python or NumPy: hashes of what is written.

    python -m benchmarks.determinism --recipes 100
    python -m benchmarks.determinism --python /other/venv/bin/python --python …

Takes recipes of both corpora (where $NPN_DATA has them; otherwise recipes that the tests draw),
tracks each with `world`, `weak-labels`, `paper` and `first-mention`, and hashes the traces as JSON:
one by one, in a batch, in a process of a pool, and as a server answers them. The first hash is of
the decisions alone, without how sure they are; the second of all bytes. With `--python` the
traces are made one by one by other interpreters, and the last line says whether all agree.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import npn
from npn.recipe import Recipe

ROOT = Path(__file__).parent.parent
MODELS = ("world", "weak-labels", "paper", "first-mention")
CHANCES = ("attention", "probability", "weight")
EVERY = 577  # recipes of a corpus apart: a sample of all of it


def sample(count: int) -> list[Recipe]:
    """`count` recipes of each corpus."""
    folder = Path(os.environ.get("NPN_DATA", "")) / "corpus"
    found = [recipe for path in sorted(folder.glob("*.jsonl.gz")) for recipe in _of(path, count)]
    if found:
        return found
    sys.path[:0] = [str(ROOT / "tests")]
    from test_same_bytes import drawn_recipes

    return drawn_recipes(2 * count)


def _of(path: Path, count: int) -> Iterator[Recipe]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, EVERY * count, EVERY):
            yield Recipe.from_dict(json.loads(line))


def digest(texts: Iterable[str]) -> str:
    whole = hashlib.sha256()
    for text in texts:
        whole.update(text.encode() + b"\n")
    return whole.hexdigest()[:16]


def decisions(traces: Iterable[Any]) -> str:
    """A hash of all that the traces say but how sure it is."""
    return digest(json.dumps(_without_chances(trace), sort_keys=True) for trace in traces)


def _without_chances(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if key not in CHANCES}
        return {key: _without_chances(one) for key, one in kept.items()}
    return [_without_chances(one) for one in value] if isinstance(value, list) else value


def hashes(model: str, recipes: list[Recipe], alone: bool) -> dict[str, str]:
    """Of the traces, made in each of the ways in which one can have them."""
    tracker = npn.load(model)
    found = {"alone": digest(tracker.track(recipe).to_json() for recipe in recipes)}
    if alone:
        return found
    found["batch"] = digest(trace.to_json() for trace in tracker.track_many(recipes))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found["pool"] = digest(trace.to_json() for trace in pool.map(tracker.track, recipes))
    try:
        from npn.web.jobs import Kitchen
        from npn.web.message import WebJob
    except ModuleNotFoundError:
        return found
    kitchen = Kitchen(model)
    bodies = (json.dumps({"recipe": recipe.to_dict()}).encode() for recipe in recipes)
    jobs = (WebJob("track", {}, "application/json", body) for body in bodies)
    found["server"] = digest(kitchen.answer(job).body.decode() for job in jobs)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recipes", type=int, default=100, help="of each corpus")
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--alone", action="store_true", help="one by one, in no other way")
    parser.add_argument("--python", action="append", help="another interpreter to compare")
    given = parser.parse_args()
    models = given.model or list(MODELS)
    if given.python:
        sys.exit(compare(given.python, given.recipes, models))
    recipes = sample(given.recipes)
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {len(recipes)} recipes")
    for model in models:
        ways = hashes(model, recipes, given.alone)
        same = "the same" if len(set(ways.values())) == 1 else "DIFFER"
        told = decisions(npn.load(model).track(recipe).to_dict() for recipe in recipes)
        print(f"  {model:15}{told}  {ways['alone']}  {', '.join(ways)}: {same}", flush=True)


def compare(pythons: list[str], count: int, models: list[str]) -> int:
    """Let each interpreter print its hashes; 0 if those of every tracker agree everywhere."""
    arguments = ["--recipes", str(count)]
    arguments += [word for model in models for word in ("--model", model)]
    told = []
    for python in pythons:
        done = subprocess.run(
            [python, "-m", "benchmarks.determinism", "--alone", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        print(done.stdout, end="", flush=True)
        told.append(done.stdout.splitlines()[1:])
    for what, column in (("decisions", 1), ("all bytes", 2)):
        found = [[line.split()[column] for line in one] for one in told]
        agree = all(one == found[0] for one in found)
        print(f"{what}: {'the same everywhere' if agree else 'NOT the same everywhere'}")
    return 0


if __name__ == "__main__":
    main()
