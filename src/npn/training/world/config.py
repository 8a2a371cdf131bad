"""The training of the world network as settings: what it learns from, and stage by stage how."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from npn.networks.world.config import WorldSettings, WorldSizes


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training. It ends after so many `steps` or, where these are 0, after so many
    `epochs`; the learning `rate` goes up and down again within that time.

    `budget` is the padded pieces of a batch, `most` its recipes; `hidden_decisions` is the share of
    recipes whose features do not show what the rules decide; `encoder_rate` multiplies the learning
    rate of the encoder; `masking` is the share of pieces that are hidden, to be guessed, and
    `word_weight` what guessing them counts. With `averaging`, the network ends with a running mean
    of its weights, which generalises better than the last ones."""

    epochs: float
    rate: float
    steps: int = 0
    budget: int = 16_384
    most: int = 96
    dropout: float = 0.1
    encoder_rate: float = 1.0
    warm_up: float = 0.06
    hidden_decisions: float = 0.0
    masking: float = 0.0
    word_weight: float = 1.0
    decay: float = 0.01
    averaging: float = 0.0  # how much of the mean of weights stays at each step; 0 for no mean


@dataclass(frozen=True, slots=True)
class GoldFile:
    """DATA/gold/NAME.jsonl, and how much each of its recipes counts."""

    name: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """DATA/corpus/NAME.jsonl.gz: how many of its recipes get the rules' labels (`weak`), and how
    many the teachers' (`taught`). `regrouped` is the share of recipes whose sentences are cleaned
    and put together to steps anew, as all are of an archive that has no steps."""

    name: str
    weak: int
    taught: int
    regrouped: float = 0.0


@dataclass(frozen=True, slots=True)
class PieceOptions:
    """The vocabulary keeps what occurs `fewest` times in every `every`-th recipe of the corpora."""

    fewest: int = 8
    every: int = 2


@dataclass(frozen=True, slots=True)
class WorldExperiment:
    """The training of the world network.

    `sizes` are those of the first network and of the teachers; `sizes.pieces` is 0, because the
    vocabulary decides. The student takes over `student_layers` of the first network's encoder; in
    each of the `rounds` the networks tuned last teach it, and others are tuned from it. In the last
    round it keeps `last_layers` of its layers alone, with `last_inner` of their inner units, those
    with the largest weights: what ships is small, and its teachers are not.
    `merged` recipes are made of every recipe with world labels, each with one to three
    pairs of neighbouring steps in one, and `renamed` ones of every labelled recipe, with made-up
    names for some ingredients.
    `tuned` networks, which differ in their seeds, are averaged in the end. `processes` read recipes
    and make batches (0: as many as there are processors); they change nothing but the time.
    `threads` are PyTorch's: sums over other threads round otherwise."""

    name: str
    weak: Stage
    teacher: Stage
    student: Stage
    tuning: Stage
    gold: tuple[GoldFile, ...]
    corpora: tuple[CorpusPart, ...]
    description: str = ""
    architecture: Literal["world"] = "world"
    seed: int = 1
    encoder: Literal["minilm", "random"] = "minilm"
    teachers: int = 2
    rounds: int = 3
    tuned: int = 3
    student_layers: tuple[int, ...] = (0, 1, 2, 3, 5)
    last_layers: tuple[int, ...] = (0, 1, 2, 4)
    last_inner: int = 768
    gold_copies: int = 2  # of each gold recipe, among those that the student learns from
    merged: int = 2
    merged_weight: float = 0.8
    renamed: int = 1
    renamed_weight: float = 0.5
    processes: int = 0
    threads: int = 1
    vocabulary: PieceOptions = field(default_factory=PieceOptions)
    sizes: WorldSizes = field(default_factory=lambda: WorldSizes(0))
    settings: WorldSettings = field(default_factory=WorldSettings)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
