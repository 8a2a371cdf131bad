"""From an experiment's name to trained weights: what every way to start a training calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from npn.training.config import read_experiment


def train(
    experiment: str | Path,
    data: str | Path,
    out: str | Path,
    *,
    seed: int | None = None,
    device: str = "cpu",
    settings: Sequence[str] = (),
    resume: bool = False,
    quiet: bool = False,
) -> Path:
    """Train, alone or as one of the processes that `torchrun` started; the file of weights. With
    `resume`, goes on with the run in `out`, or begins it if there is none."""
    chosen = read_experiment(experiment, settings, seed)  # before PyTorch is loaded: mistakes first

    from npn.training.data.prepared import read_prepared
    from npn.training.processes import join
    from npn.training.trainer import Trainer

    with join(device) as processes:
        prepared = read_prepared(data)
        trainer = Trainer(chosen, prepared, Path(out), processes, resume=resume, quiet=quiet)
        return trainer.run()
