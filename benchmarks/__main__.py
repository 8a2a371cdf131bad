"""All speeds in one run, each beside a plain loop: `make bench`, or `python -m benchmarks`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.program_speed import measure_program
from benchmarks.tracking_speed import LOOP_SECONDS, measure_trackers
from npn.models import SHIPPED, TRACKERS


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recipes", type=int, default=1_000, help="for each tracker")
    parser.add_argument("--lines", type=int, default=20_000, help="recipes through the program")
    parser.add_argument("--no-training", action="store_true", help="tracking alone")
    given = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(
        "Recipes a second of processor time on one core; in brackets, what that is on a machine\n"
        f"that runs the plain loop in {LOOP_SECONDS} s.\n"
    )
    measure_program(given.lines, "first-mention")
    print()
    measure_trackers([*TRACKERS, *SHIPPED], given.recipes)
    if not given.no_training:
        print("\nTraining steps a second, beside a plain loop over recipes and steps:", flush=True)
        script = Path(__file__).with_name("training_speed.py")
        subprocess.run([sys.executable, str(script)], check=True)


if __name__ == "__main__":
    main()
