"""Train the world network, stage by stage:

1. `weak`: an encoder that knows English, or nothing, learns masked words and the rules' labels of
   the corpora;
2. `teacher-N`: networks tuned from it on gold;
3. `student-1`: a network with fewer layers learns what the teachers are sure of in the corpora, and
   gold;
4. `tuned-1-N`: networks tuned from the student on gold;
5. `student-2` and `tuned-2-N`: another round, in which the networks `tuned-1-N` teach the first
   round's student, and so on for as many rounds as the experiment has; in the last, the student is
   smaller;
6. `weights`: the mean of the networks tuned last.

Each stage depends on the files of those before it, on the data and on its seed alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from npn.errors import NpnError
from npn.networks.world.config import WorldSettings, WorldSizes
from npn.trace import STATE_TYPES
from npn.training.config import NO_STAGE, WorldExperiment
from npn.training.processes import Processes, cpu_threads
from npn.training.run_folder import Weights
from npn.training.world.minilm import (
    count_words,
    cut_pieces,
    find_minilm,
    own_pieces,
    read_encoder,
    read_pieces,
)
from npn.training.world.tuning import Beginning, TunedAgain, TuningRun

WEAK_SEED = 1  # of seed 1; that of seed 2 is a thousand more


def train_world(
    experiment: WorldExperiment,
    data: Path,
    out: Path,
    processes: Processes,
    *,
    resume: bool,
    quiet: bool = False,
) -> Path:
    """Train on the data in a folder and return the file of weights."""
    check_settings(experiment)
    if processes.device.type != "cpu":
        torch.set_float32_matmul_precision("high")
    kind = TunedAgain if experiment.begin else WorldRun
    with cpu_threads(experiment.threads):
        return kind(experiment, data, out, processes, quiet=quiet).run(resume=resume)


def check_settings(experiment: WorldExperiment) -> None:
    """Refuse settings that contradict each other, before hours are spent."""
    sizes = experiment.sizes
    if experiment.tuned < 1 or not experiment.gold:
        raise NpnError('"tuned" must be 1 or more, and "gold" must name a file to learn from')
    taught = experiment.rounds > 0
    if taught and (experiment.student == NO_STAGE or not experiment.corpora):
        raise NpnError('a student learns from "corpora": name one and set "student", or "rounds=0"')
    if not 0 <= experiment.begin_share < 1 or (experiment.begin_share and not experiment.begin):
        raise NpnError('"begin_share" must be from 0 to below 1, and 0 without "begin"')
    if experiment.begin:
        return
    if not taught or NO_STAGE in (experiment.weak, experiment.teacher):
        raise NpnError('set "weak", "teacher" and "rounds", or "begin" with a trained network')
    if sizes.pieces:
        raise NpnError('"sizes.pieces" is 0 in an experiment: the vocabulary decides')
    if not experiment.student_layers or not all(
        0 <= layer < sizes.layers for layer in experiment.student_layers
    ):
        raise NpnError(f'"student_layers" must name layers from 0 to {sizes.layers - 1}')
    most = len(experiment.student_layers)
    if not experiment.last_layers or not all(0 <= n < most for n in experiment.last_layers):
        raise NpnError(f'"last_layers" must name layers of the student, from 0 to {most - 1}')
    if not 0 < experiment.last_inner <= sizes.inner:
        raise NpnError(f'"last_inner" must be from 1 to {sizes.inner}')
    if experiment.teachers < 1:
        raise NpnError('"teachers" must be 1 or more')


class WorldRun(TuningRun):
    """Every stage, from an encoder to the mean of tuned networks."""

    def __init__(
        self,
        experiment: WorldExperiment,
        data: Path,
        out: Path,
        processes: Processes,
        *,
        quiet: bool,
    ) -> None:
        self.minilm = find_minilm() if experiment.encoder == "minilm" else None
        super().__init__(experiment, data, out, processes, quiet=quiet)

    @property
    def settings(self) -> WorldSettings:
        return self.experiment.settings

    def hashes(self) -> Mapping[str, str]:
        return {}

    # -- The stages, the last first: each asks for those that it needs

    def start(self, round: int) -> Weights:
        """The student's last round drops some of its layers."""
        if round == 1:
            kept = keep_layers(self.weak(), self.experiment.student_layers, self.sizes.inner)
        else:
            kept = self.student(round - 1)
        if round < self.experiment.rounds:
            return kept
        return keep_layers(kept, self.experiment.last_layers, self.experiment.last_inner)

    def first(self) -> Weights:
        return self.weak()

    def first_sizes(self) -> WorldSizes:
        return self.sizes

    def weak(self) -> Weights:
        def begin() -> Beginning:
            torch.manual_seed(self.seed(WEAK_SEED))
            network = self.network(self.sizes, self._first_weights())
            return network, [one for line, one in self.corpus if line.number < line.part.weak]

        return self.stage("weak", self.experiment.weak, WEAK_SEED, begin)

    def _first_weights(self) -> Weights:
        if self.minilm is None:
            return {}
        return read_encoder(self.minilm, self.pieces, self.sizes)

    # -- What the stages share

    def make_vocabulary(self) -> dict[str, Any]:
        """In the form of every other model's vocabulary; the pieces are its words."""
        words, fewest = count_words(self.data.counted_recipes()), self.experiment.vocabulary.fewest
        pieces = own_pieces(words, fewest)
        if self.minilm is not None:
            pieces = cut_pieces(read_pieces(self.minilm), words, fewest)
        self.tell(f"vocabulary: {len(pieces):,} pieces")
        none: dict[str, list[str]] = {type: [] for type in STATE_TYPES}
        return {"words": pieces, "entities": [], "actions": [], "end_states": none}

    @cached_property
    def sizes(self) -> WorldSizes:
        return replace(self.experiment.sizes, pieces=len(self.pieces))

    def student_sizes(self, round: int) -> WorldSizes:
        if round < self.experiment.rounds:
            return replace(self.sizes, layers=len(self.experiment.student_layers))
        layers, inner = len(self.experiment.last_layers), self.experiment.last_inner
        return replace(self.sizes, layers=layers, inner=inner)


def keep_layers(weights: Weights, layers: Sequence[int], inner: int) -> Weights:
    """The weights with these layers of the encoder alone, numbered anew, and with so many of their
    inner units, those whose weights are largest."""
    kept = {name: one for name, one in weights.items() if not name.startswith("encoder.")}
    for new, old in enumerate(layers):
        prefix = f"encoder.{old}."
        into, out = weights[f"{prefix}inner.weight"], weights[f"{prefix}outer.weight"]
        size = np.linalg.norm(into, axis=1) * np.linalg.norm(out, axis=0)
        units = np.sort(np.argsort(-size, kind="stable")[:inner])
        for name, one in weights.items():
            if name.startswith(prefix):
                part = name.removeprefix(prefix)
                if part.startswith("inner."):
                    one = one[units]
                elif part == "outer.weight":
                    one = one[:, units]
                kept[f"encoder.{new}.{part}"] = one
    return kept
