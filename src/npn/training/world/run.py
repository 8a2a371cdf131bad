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

Each stage depends on the files of those before it, on the data and on its seed alone. A run that is
killed goes on in the stage it was in, from its last checkpoint, and ends with the same weights (on
a processor, the same bytes; a graphics card adds up in no fixed order).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from npn.errors import NpnError
from npn.networks.world.config import WorldConfig, WorldSizes
from npn.networks.world.network import WorldNetwork
from npn.networks.world.reading import WordPieces
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon
from npn.trace import STATE_TYPES
from npn.training.config import Stage, WorldExperiment
from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, TrainingLoop, WarmUpAndCosine
from npn.training.processes import Processes, cpu_threads
from npn.training.run_folder import StageFolder, Weights
from npn.training.world.examples import Example, ExampleReader
from npn.training.world.minilm import (
    count_words,
    cut_pieces,
    find_minilm,
    own_pieces,
    read_encoder,
    read_pieces,
)
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
WEAK_SEED, STUDENT_SEED, TEACHER_SEED, TUNING_SEED = 1, 5, 10, 100

Beginning = tuple[WorldNetwork, list[Example]]  # a network, and what it learns from
BeginStage = Callable[[], Beginning]


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
    with cpu_threads(experiment.threads):
        return WorldRun(experiment, data, out, processes, quiet=quiet).run(resume=resume)


def check_settings(experiment: WorldExperiment) -> None:
    """Refuse settings that contradict each other, before hours are spent."""
    sizes = experiment.sizes
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
    if min(experiment.teachers, experiment.tuned, experiment.rounds) < 1:
        raise NpnError('"teachers", "tuned" and "rounds" must be 1 or more')
    if not experiment.gold or not experiment.corpora:
        raise NpnError('the world network learns from "gold" and from "corpora": name one of each')


class WorldRun:
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
        self.minilm = find_minilm() if experiment.encoder == "minilm" else None
        self.data = TrainingFolder(data, experiment)
        described = asdict(experiment)
        del described["processes"]  # which change nothing
        self.folder = StageFolder(out, data, {"experiment": described, "data": self.data.hashes()})
        self.readers = experiment.processes or os.cpu_count() or 1  # of recipes, and of batches

    def run(self, *, resume: bool) -> Path:
        self.folder.open(resume=resume)
        if not self.folder.weights.exists():
            rounds = self.experiment.rounds
            tuned = [self.tuned(rounds, number) for number in range(self.experiment.tuned)]
            mean = {name: np.mean([one[name] for one in tuned], 0) for name in tuned[0]}
            config = WorldConfig(self.student_sizes(rounds), self.experiment.settings)
            self.folder.finish(mean, asdict(config))
        return self.folder.weights

    # -- The stages, the last first: each asks for those that it needs

    def tuned(self, round: int, number: int) -> Weights:
        def begin() -> Beginning:
            return self._network(self.student_sizes(round), self.student(round)), self.gold

        name, seed = f"tuned-{round}-{number}", TUNING_SEED + number
        return self._stage(name, self.experiment.tuning, seed, begin)

    def student(self, round: int) -> Weights:
        def begin() -> Beginning:
            examples = [*self._taught(round), *self.gold * self.experiment.gold_copies]
            return self._network(self.student_sizes(round), self._student_start(round)), examples

        return self._stage(f"student-{round}", self.experiment.student, STUDENT_SEED, begin)

    def _student_start(self, round: int) -> Weights:
        if round == 1:
            start = keep_layers(self.weak(), self.experiment.student_layers, self.sizes.inner)
        else:
            start = self.student(round - 1)
        if round < self.experiment.rounds:
            return start
        return keep_layers(start, self.experiment.last_layers, self.experiment.last_inner)

    def teacher(self, number: int) -> Weights:
        def begin() -> Beginning:
            return self._network(self.sizes, self.weak()), self.gold

        name, seed = f"teacher-{number}", TEACHER_SEED + number
        return self._stage(name, self.experiment.teacher, seed, begin)

    def weak(self) -> Weights:
        def begin() -> Beginning:
            torch.manual_seed(self._seed(WEAK_SEED))
            network = self._network(self.sizes, self._first_weights())
            return network, [one for line, one in self.corpus if line.number < line.part.weak]

        return self._stage("weak", self.experiment.weak, WEAK_SEED, begin)

    def _stage(self, name: str, stage: Stage, seed: int, begin: BeginStage) -> Weights:
        """The weights after a stage, which is trained where they are not in the folder yet."""
        return self.folder.stage(name, lambda: self._fit(name, stage, self._seed(seed), begin))

    def _fit(self, name: str, stage: Stage, seed: int, begin: BeginStage) -> Weights:
        network, examples = begin()
        if not examples:
            raise NpnError(f'there is no recipe to learn from in the stage "{name}"')
        self._tell(f"{name}: {len(examples):,} recipes")
        mask, workers = WordPieces(self.pieces).mask, self.readers if self.readers > 1 else 0
        checkpoint = self.folder.checkpoint(name)
        saved = checkpoint.read()
        loop = TrainingLoop(
            [Phase(name, WorldDecisions(network, examples, stage, mask, workers), epochs=1)],
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

    def _network(self, sizes: WorldSizes, weights: Weights) -> WorldNetwork:
        network = WorldNetwork(sizes)
        network.load({name: torch.from_numpy(tensor) for name, tensor in weights.items()})
        return network.to(self.device)

    def _first_weights(self) -> Weights:
        if self.minilm is None:
            return {}
        return read_encoder(self.minilm, self.pieces, self.sizes)

    def _taught(self, round: int) -> list[Example]:
        """Recipes of the corpora with the labels that the teachers of a round are sure of."""
        teachers = [one.eval() for one in self._teachers(round)]
        examples = [one for line, one in self.corpus if line.number < line.part.taught]
        self._tell(f"teaching: {len(examples):,} recipes")
        settings = self.experiment.settings
        return teach(teachers, examples, settings, self.device, self.readers)

    def _teachers(self, round: int) -> list[WorldNetwork]:
        """The networks tuned in the round before; before the first round, those tuned from the
        weak labels."""
        if round == 1:
            numbers = range(self.experiment.teachers)
            return [self._network(self.sizes, self.teacher(number)) for number in numbers]
        numbers = range(self.experiment.tuned)
        sizes = self.student_sizes(round - 1)
        return [self._network(sizes, self.tuned(round - 1, number)) for number in numbers]

    # -- What the stages share

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        return tuple(self.folder.vocabulary(self._make_vocabulary)["words"])

    def _make_vocabulary(self) -> dict[str, Any]:
        """In the form of every other model's vocabulary; the pieces are its words."""
        words, fewest = count_words(self.data.counted_recipes()), self.experiment.vocabulary.fewest
        pieces = own_pieces(words, fewest)
        if self.minilm is not None:
            pieces = cut_pieces(read_pieces(self.minilm), words, fewest)
        self._tell(f"vocabulary: {len(pieces):,} pieces")
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

    @cached_property
    def gold(self) -> list[Example]:
        return gold_examples(self.data, self._reader, self.readers)

    @cached_property
    def corpus(self) -> list[tuple[CorpusLine, Example]]:
        return corpus_examples(self.data, self._reader, self.readers)

    @property
    def _reader(self) -> ExampleReader:
        pieces = WordPieces(self.pieces)
        return ExampleReader(WeakLabeller(load_lexicon()), pieces, self.experiment.settings)

    def _seed(self, number: int) -> int:
        return 1_000 * (self.experiment.seed - 1) + number

    def _tell(self, line: str) -> None:
        if not self.quiet:
            print(line, file=sys.stderr, flush=True)


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
