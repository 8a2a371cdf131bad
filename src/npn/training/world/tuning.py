"""Rounds of the world network's training: teachers are tuned on gold; a student learns what they
are sure of in the corpora; networks that differ in their seeds are tuned from it on gold, teach the
student of the next round, or, in the last, become one by the mean of their weights. Here all begins
with a network that is there; in `run.py` with one that earlier stages made.

A run that is killed goes on in the stage it was in, from its last checkpoint, and ends with the
same weights (on a processor, the same bytes; a graphics card adds up in no fixed order).
"""

from __future__ import annotations

import hashlib
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from npn.errors import NpnError
from npn.networks.common.files import Model, from_table, read_model
from npn.networks.world.config import WorldConfig, WorldSettings, WorldSizes
from npn.networks.world.network import WorldNetwork
from npn.networks.world.reading import WordPieces
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon
from npn.training.config import Stage, WorldExperiment
from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, TrainingLoop, WarmUpAndCosine
from npn.training.processes import Processes
from npn.training.run_folder import StageFolder, Weights
from npn.training.world.examples import Example, ExampleReader
from npn.training.world.objective import WorldDecisions
from npn.training.world.teaching import teach, weights_of
from npn.training.world.training_folder import (
    CorpusLine,
    TrainingFolder,
    corpus_examples,
    gold_examples,
)

CLIP = 1.0  # the norm of a gradient
CHECKPOINT_STEPS, LOG_STEPS = 1_000, 500
# The seeds of the stages of seed 1; those of seed 2 are a thousand more.
STUDENT_SEED, TEACHER_SEED, TUNING_SEED = 5, 10, 100

Beginning = tuple[WorldNetwork, list[Example]]  # a network, and what it learns from
BeginStage = Callable[[], Beginning]


class TuningRun(ABC):
    """One run. Examples are read when a stage first wants them."""

    def __init__(
        self,
        experiment: WorldExperiment,
        data: Path,
        out: Path,
        processes: Processes,
        *,
        quiet: bool,
    ) -> None:
        self.experiment, self.processes, self.quiet = experiment, processes, quiet
        self.device = processes.device
        self.data = TrainingFolder(data, experiment)
        described = asdict(experiment)
        del described["processes"], described["begin"]  # neither changes the weights: its hash does
        hashes = {**self.data.hashes(), **self.hashes()}
        self.folder = StageFolder(out, data, {"experiment": described, "data": hashes})
        self.readers = experiment.processes or os.cpu_count() or 1  # of recipes, and of batches

    @property
    @abstractmethod
    def settings(self) -> WorldSettings:
        """What the network looks at."""

    @abstractmethod
    def hashes(self) -> Mapping[str, str]:
        """Of the files besides the data that the weights depend on."""

    @abstractmethod
    def make_vocabulary(self) -> dict[str, Any]:
        """In the form of every other model's vocabulary; the pieces are its words."""

    @abstractmethod
    def first(self) -> Weights:
        """Of the network that the first teachers are tuned from."""

    @abstractmethod
    def first_sizes(self) -> WorldSizes:
        """Its sizes, and those of the first teachers."""

    @abstractmethod
    def student_sizes(self, round: int) -> WorldSizes:
        """The sizes of the student of a round, and of the networks tuned from it."""

    @abstractmethod
    def start(self, round: int) -> Weights:
        """The weights that the student of a round begins with."""

    def blend(self, mean: Weights) -> Weights:
        """The weights of the run, given the mean of the networks tuned last."""
        return mean

    def run(self, *, resume: bool) -> Path:
        self.folder.open(resume=resume)
        if not self.folder.weights.exists():
            rounds = self.experiment.rounds
            tuned = [self.tuned(rounds, number) for number in range(self.experiment.tuned)]
            mean = self.blend(mean_weights(tuned))
            config = WorldConfig(self.student_sizes(rounds), self.settings)
            self.folder.finish(mean, asdict(config))
        return self.folder.weights

    def tuned(self, round: int, number: int) -> Weights:
        def begin() -> Beginning:
            return self.network(self.student_sizes(round), self.student(round)), self.gold

        name, seed = f"tuned-{round}-{number}", TUNING_SEED + number
        return self.stage(name, self.experiment.tuning, seed, begin)

    def student(self, round: int) -> Weights:
        """Without a round of teaching, the first network."""
        if round == 0:
            return self.first()

        def begin() -> Beginning:
            examples = [*self._taught(round), *self.gold * self.experiment.gold_copies]
            return self.network(self.student_sizes(round), self.start(round)), examples

        return self.stage(f"student-{round}", self.experiment.student, STUDENT_SEED, begin)

    def _taught(self, round: int) -> list[Example]:
        """Recipes of the corpora with the labels that the teachers of a round are sure of."""
        teachers = [one.eval() for one in self._teachers(round)]
        examples = [one for line, one in self.corpus if line.number < line.part.taught]
        self.tell(f"teaching: {len(examples):,} recipes")
        return teach(teachers, examples, self.settings, self.device, self.readers)

    def _teachers(self, round: int) -> list[WorldNetwork]:
        """Those of the first round are tuned for it; later the networks tuned last teach."""
        if round == 1:
            sizes = self.first_sizes()
            weights = [self.teacher(number) for number in range(self.experiment.teachers)]
        else:
            sizes = self.student_sizes(round - 1)
            weights = [self.tuned(round - 1, number) for number in range(self.experiment.tuned)]
        return [self.network(sizes, one) for one in weights]

    def teacher(self, number: int) -> Weights:
        def begin() -> Beginning:
            return self.network(self.first_sizes(), self.first()), self.gold

        name, seed = f"teacher-{number}", TEACHER_SEED + number
        return self.stage(name, self.experiment.teacher, seed, begin)

    def stage(self, name: str, stage: Stage, seed: int, begin: BeginStage) -> Weights:
        """The weights after a stage, which is trained where they are not in the folder yet."""
        return self.folder.stage(name, lambda: self._fit(name, stage, self.seed(seed), begin))

    def _fit(self, name: str, stage: Stage, seed: int, begin: BeginStage) -> Weights:
        network, examples = begin()
        if not examples:
            raise NpnError(f'there is no recipe to learn from in the stage "{name}"')
        if stage.only:
            let_learn(network, stage.only)
        self.tell(f"{name}: {len(examples):,} recipes")
        mask, workers = WordPieces(self.pieces).mask, self.readers if self.readers > 1 else 0
        bfloat16 = self.experiment.bfloat16
        decisions = WorldDecisions(network, examples, stage, mask, workers, bfloat16)
        checkpoint = self.folder.checkpoint(name)
        saved = checkpoint.read()
        loop = TrainingLoop(
            [Phase(name, decisions, epochs=1)],
            LoopSettings(
                stage.rate,
                WarmUpAndCosine(stage.warm_up),
                CLIP,
                averaging=stage.averaging,
                checkpoint_steps=CHECKPOINT_STEPS,
                log_steps=LOG_STEPS,
            ),
            seed,
            self.processes,
            checkpoint,
            saved,
            quiet=self.quiet,
        )
        kept = None if saved is None else loop.state.log_lines
        loop.run(Log(self.folder.path, kept=kept))
        return weights_of(network)

    def network(self, sizes: WorldSizes, weights: Weights) -> WorldNetwork:
        network = WorldNetwork(sizes)
        network.load({name: torch.from_numpy(tensor) for name, tensor in weights.items()})
        return network.to(self.device)

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        return tuple(self.folder.vocabulary(self.make_vocabulary)["words"])

    @cached_property
    def gold(self) -> list[Example]:
        return gold_examples(self.data, self.reader, self.readers)

    @cached_property
    def corpus(self) -> list[tuple[CorpusLine, Example]]:
        return corpus_examples(self.data, self.reader, self.readers)

    @property
    def reader(self) -> ExampleReader:
        return ExampleReader(WeakLabeller(load_lexicon()), WordPieces(self.pieces), self.settings)

    def seed(self, number: int) -> int:
        return 1_000 * (self.experiment.seed - 1) + number

    def tell(self, line: str) -> None:
        if not self.quiet:
            print(line, file=sys.stderr, flush=True)


def let_learn(network: WorldNetwork, parts: Sequence[str]) -> None:
    """Nothing but these parts of a network, each of which must be one of it."""
    weights = network.by_name()
    for part in parts:
        if not any(name.startswith(f"{part}.") for name in weights):
            known = sorted({name.partition(".")[0] for name in weights})
            raise NpnError(f'"only" names {part}, which is none of {", ".join(known)}')
    for name, weight in weights.items():
        weight.requires_grad_(name.startswith(tuple(f"{part}." for part in parts)))


def mean_weights(networks: Sequence[Weights]) -> Weights:
    return {name: np.mean([one[name] for one in networks], 0) for name in networks[0]}


class TunedAgain(TuningRun):
    """Begins with the network in the file that `begin` names, such as the one that ships."""

    @cached_property
    def model(self) -> Model:
        path = Path(self.experiment.begin)
        model = read_model(path)
        if model.architecture != "world":
            raise NpnError(f'{path} is no network of the world: "begin" must name one')
        return model

    @cached_property
    def config(self) -> WorldConfig:
        return from_table(WorldConfig, self.model.config, self.experiment.begin)

    @property
    def settings(self) -> WorldSettings:
        return self.config.settings

    def hashes(self) -> Mapping[str, str]:
        name = self.model.name  # a file that is no model is refused here
        content = Path(self.experiment.begin).read_bytes()
        return {f"begin/{name}": hashlib.sha256(content).hexdigest()}

    def make_vocabulary(self) -> dict[str, Any]:
        return asdict(self.model.vocabulary)

    def first(self) -> Weights:
        return dict(self.model.weights)

    def first_sizes(self) -> WorldSizes:
        return self.config.sizes

    def student_sizes(self, round: int) -> WorldSizes:
        return self.config.sizes

    def start(self, round: int) -> Weights:
        return self.student(round - 1)

    def blend(self, mean: Weights) -> Weights:
        share, first = self.experiment.begin_share, self.first()
        return {name: share * first[name] + (1 - share) * mean[name] for name in mean}
