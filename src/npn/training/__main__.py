"""Train from the command line with no more than PyTorch, NumPy and safetensors:

python -m npn.training paper --data DIR --out RUN --device cuda
torchrun --nproc-per-node 2 -m npn.training paper --data DIR --out RUN
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from npn.errors import NpnError
from npn.training.run import train


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m npn.training",
        description="Train a network.",
        epilog="example: python -m npn.training paper --data prepared --out runs/paper --seed 2",
    )
    parser.add_argument("experiment", help="a TOML file, or the name of one that ships")
    parser.add_argument("--data", required=True, help="the folder that npn prepare wrote")
    parser.add_argument("--out", required=True, help="the folder of this run")
    parser.add_argument("--seed", type=int, help="instead of the experiment's own")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --out")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="training.epochs=3"
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing while it runs")
    given = parser.parse_args(arguments)
    try:
        weights = train(
            given.experiment,
            given.data,
            given.out,
            seed=given.seed,
            device=given.device,
            settings=given.set,
            resume=given.resume,
            quiet=given.quiet,
        )
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not given.quiet:
        print(weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
