"""How long the program takes to answer: `npn --help`, and a recipe tracked.

python -m benchmarks.start_up [--rounds 5]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

PANCAKES = str(Path(__file__).parent.parent / "examples" / "pancakes.txt")
PROMISED = {("--help",): 0.2, ("track", PANCAKES): 0.5}  # seconds, on a quiet machine


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    for arguments, promised in PROMISED.items():
        best = min(answer(arguments) for _ in range(rounds))
        print(f"npn {arguments[0]}: {best:.3f} s, promised {promised} s")


def answer(arguments: tuple[str, ...]) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "npn", *arguments]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
