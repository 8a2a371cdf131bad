"""Draw whether the mixture network's probabilities mean what they say:

python -m npn.training.mixtures.reliability RUN... --data prepared/mixtures -o reliability.svg

Each half of the held-out recipes is calibrated on the other half, so that nothing is drawn of
recipes that a curve was fitted on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from npn.runtime.mixtures_decoding import calibrate
from npn.training.mixtures.calibration import Floats, calibration_error, fit, reliability
from npn.training.mixtures.examples import GoldExample
from npn.training.mixtures.held_out import read_held_out
from npn.training.mixtures.outcomes import attention_outcomes, change_outcomes
from npn.training.mixtures.prediction import Prediction

Outcomes = Callable[[Sequence[GoldExample], Sequence[Prediction]], tuple[Floats, Floats]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures.reliability")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    examples, held_out = read_held_out(given.runs, given.seed, given.data)
    mpl.rcParams["svg.hashsalt"] = "npn"  # the same figure every time
    figure = Figure(figsize=(8, 4))
    for number, (title, outcomes) in enumerate(
        (("selected ingredients", attention_outcomes), ("state changes", change_outcomes)), 1
    ):
        axes = figure.add_subplot(1, 2, number)
        axes.plot([0, 1], [0, 1], color="0.8")
        raw = outcomes(examples, held_out)
        for label, (said, happened) in (
            ("as trained", raw),
            ("calibrated", _crosswise(examples, held_out, outcomes)),
        ):
            bins = reliability(said, happened)
            error = calibration_error(bins)
            axes.plot(
                [b.said for b in bins],
                [b.happened for b in bins],
                "o-",
                label=f"{label}: error {error:.3f}",
            )
            print(f"{title}, {label}: error {error:.4f} over {len(said)}")
        axes.set(title=title, xlabel="probability said", ylabel="share that is so")
        axes.legend(frameon=False)
    figure.tight_layout()
    given.output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.output, metadata={"Date": None})
    return 0


def _crosswise(
    examples: Sequence[GoldExample], held_out: Sequence[Prediction], outcomes: Outcomes
) -> tuple[Floats, Floats]:
    halves = [outcomes(examples[k::2], held_out[k::2]) for k in (0, 1)]
    said = [np.asarray(calibrate(halves[k][0], fit(*halves[1 - k])), np.float64) for k in (0, 1)]
    return np.concatenate(said), np.concatenate([happened for _, happened in halves])


if __name__ == "__main__":
    sys.exit(main())
