"""Versions of npn side by side, each in a Python of its own, in turns: on a machine that others
use, what slows one slows the other, and the ratio stays.

    python -m benchmarks.in_turns .venv/bin/python ../other/.venv/bin/python --model paper

Every round tracks other recipes, from JSON Lines to traces in JSON Lines, so that nothing is
remembered from the round before but what the tracker remembers anyway.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(".\n")[0])
    parser.add_argument("pythons", nargs="*")
    parser.add_argument("--model", default="weak-labels")
    parser.add_argument("--recipes", type=int, default=1_024, help="a round")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.model)
    else:
        compare(given.pythons or [sys.executable], given.model, given.recipes, given.rounds)


def compare(pythons: Sequence[str], model: str, recipes: int, rounds: int) -> None:
    from benchmarks.tracking_speed import sources

    with tempfile.TemporaryDirectory() as scratch:
        for name, lines in sources(recipes * (rounds + 1)):
            parts = []
            for start in range(0, len(lines), recipes):
                parts.append(Path(scratch) / f"{name}-{start}.jsonl")
                parts[-1].write_text("".join(lines[start : start + recipes]), encoding="utf-8")
            workers = [_start(python, model) for python in pythons]
            seconds = [[_ask(worker, part) for worker in workers] for part in parts][1:]
            for worker in workers:
                worker.communicate()
            print(f"{name}, {model}: recipes a second, median of {len(seconds)} rounds in turns")
            for python, own in zip(pythons, zip(*seconds, strict=True), strict=True):
                ratio = median(one[0] / mine for one, mine in zip(seconds, own, strict=True))
                print(
                    f"  {python:30} {recipes / median(own):8,.0f}/s   {ratio:.2f} times the first"
                )


def work(model: str) -> None:
    """Track each file that is named on standard input, and say the seconds of processor time."""
    from npn.formats import Found, read_file
    from npn.formats.writing.json_lines import write
    from npn.models import load_tracker

    tracker = load_tracker(model)
    for line in sys.stdin:
        began = time.process_time()
        recipes = (item.recipe for item in read_file(line.strip()) if isinstance(item, Found))
        with open(os.devnull, "w", encoding="utf-8") as out:
            write(tracker.track_many(recipes), out)
        print(time.process_time() - began, flush=True)


def _start(python: str, model: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [python, __file__, "--work", "--model", model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


def _ask(worker: subprocess.Popen[str], part: Path) -> float:
    assert worker.stdin
    assert worker.stdout
    print(part, file=worker.stdin, flush=True)
    return float(worker.stdout.readline())


if __name__ == "__main__":
    main()
