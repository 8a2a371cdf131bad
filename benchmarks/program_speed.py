"""How fast the program itself is: `npn track FILE.jsonl --to json`, from start to end, on one core.

    python -m benchmarks.program_speed
    python -m benchmarks.program_speed --recipes 20000 --model first-mention

The recipes are those of tracking_speed, and so is the plain loop beside the figures.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.processes import PEAK, megabytes
from benchmarks.tracking_speed import LOOP_SECONDS, plain_loop, sources


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recipes", type=int, default=20_000)
    parser.add_argument("--model", default="first-mention")
    given = parser.parse_args()
    measure_program(given.recipes, given.model)


def measure_program(recipes: int, model: str) -> None:
    print(f"npn track RECIPES.jsonl --to json --model {model}, start of the program included:")
    with tempfile.TemporaryDirectory() as scratch:
        for name, lines in sources(recipes):
            path = Path(scratch) / f"{name}.jsonl"
            path.write_text("".join(lines), encoding="utf-8")
            loop = plain_loop()
            seconds, megabytes = run(path, model)
            slowness = (loop + plain_loop()) / 2 / LOOP_SECONDS
            rate = len(lines) / seconds
            print(
                f"  {name:14} {rate:8,.0f}/s ({rate * slowness:,.0f}/s)"
                f" {len(lines):8,} recipes {megabytes:5.0f} MB"
                f"   plain loop {slowness * LOOP_SECONDS:.3f} s",
                flush=True,
            )


def run(path: Path, model: str) -> tuple[float, float]:
    """Seconds of processor time, and the most memory that the program took."""
    command = ("-m", "npn", "track")
    before = _used()
    with subprocess.Popen(
        [sys.executable, *command, str(path), "--to", "json", "--model", model, "-o", os.devnull],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stderr=subprocess.DEVNULL,
    ) as program:
        peak = 0.0
        while program.poll() is None:
            peak = max(peak, megabytes(program.pid, PEAK))
            time.sleep(0.02)
    if program.returncode:
        raise subprocess.CalledProcessError(program.returncode, command)
    after = _used()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


def _used() -> resource.struct_rusage:
    return resource.getrusage(resource.RUSAGE_CHILDREN)


if __name__ == "__main__":
    main()
