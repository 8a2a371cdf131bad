"""From an experiment's name to trained weights: what every way to start a training calls."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.training.config import GeneratorExperiment, WorldExperiment, read_experiment
from npn.training.jobs import ENDED


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
    tracker: str | Path | None = None,
) -> Path:
    """Train, alone or as one of the processes that `torchrun` started, and return the file of
    weights. With `resume`, goes on with the run in `out`, or begins it if there is none. `tracker`
    is the run whose states the generators "next_entnet" and "next_npn" read."""
    chosen = read_experiment(experiment, settings, seed)  # before PyTorch is loaded: mistakes first
    alone = isinstance(chosen, GeneratorExperiment | WorldExperiment)
    if alone and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise NpnError(
            f'"{chosen.name}" is trained by one process: start it without torchrun, or several '
            "seeds at once with python -m npn.training --seeds 1 2 --jobs 2"
        )
    if tracker is not None and not isinstance(chosen, GeneratorExperiment):
        raise NpnError(f'the experiment "{chosen.name}" reads no states of a tracker')
    source, run = Path(data), Path(out)

    from npn.training.processes import join

    with join(device) as processes:
        if isinstance(chosen, GeneratorExperiment):
            from npn.training.generator.run import train_generator

            states = Path(tracker) if tracker is not None else None
            return train_generator(
                chosen, source, run, states, processes, resume=resume, quiet=quiet
            )
        if isinstance(chosen, WorldExperiment):
            from npn.training.world.run import train_world

            return train_world(chosen, source, run, processes, resume=resume, quiet=quiet)
        from npn.training.data.prepared import read_prepared
        from npn.training.paper.run import TrackerRun

        prepared = read_prepared(source)
        return TrackerRun(chosen, prepared, run, processes, resume=resume, quiet=quiet).run()


def train_as_job(
    experiment: str,
    data: str,
    folder: Path,
    seed: int,
    options: Mapping[str, Any],
    seconds: float | None,
) -> int:
    """Train as one of many jobs: begin, or go on with what is there, and come to the end."""
    train(experiment, data, folder, seed=seed, **{**options, "resume": True})
    return ENDED
