"""Let trained networks say what they have to say of the gold:

python -m npn.reproduction.record RUNS/paper-1 RUNS/gru-1 --gold GOLD.safetensors
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from npn.errors import NpnError
from npn.reproduction.encoded_gold import read_encoded
from npn.reproduction.said import is_recorded, record


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.reproduction.record")
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--gold", required=True, type=Path)
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args(arguments)
    try:
        gold = read_encoded(given.gold)
        for run in given.runs:
            if not is_recorded(run, gold):
                record(run, gold, torch.device(given.device), unfinished=True)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
