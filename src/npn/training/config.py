"""An experiment: one frozen dataclass for each kind of training, read from TOML. The defaults of
the paper's network are the paper's."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from npn.errors import NpnError
from npn.networks.common.files import from_table
from npn.networks.paper.config import NetworkOptions
from npn.networks.world.config import WorldSettings, WorldSizes

EXPERIMENTS = Path(__file__).parent / "experiments"
# The files in the folder of a run.
CHECKPOINT, WEIGHTS, VOCABULARY = "checkpoint.safetensors", "weights.safetensors", "vocabulary.json"
SETTINGS, LOG = "settings.toml", "log.jsonl"
LabelKind = Literal["ours", "paper"]


@dataclass(frozen=True, slots=True)
class LossOptions:
    """The weight of each loss (zero switches it off), and what it looks at.

    `entity_target` is what the entity loss supervises: the final attention a_t or the sentence's
    own, d. Both losses that have a choice of steps follow the paper's
    appendix by default: entities where there is a label, coverage where there is none.
    """

    action: float = 1.0
    entity: float = 1.0
    state: float = 1.0
    coverage: float = 1.0
    entity_target: Literal["attention", "sentence"] = "attention"
    entity_steps: Literal["labelled", "all"] = "labelled"
    coverage_steps: Literal["unlabelled", "all"] = "unlabelled"


@dataclass(frozen=True, slots=True)
class Schedule:
    """How training goes. Of several processes each takes `batch_size` recipes a step. `clip`
    bounds the norm of the gradient. The learning rate is multiplied by `decay` after `decay_after`
    stale epochs or, where `decay_every` is not zero, every so many epochs, stale or not.

    Entities begin with skip-gram vectors or with the mean of their `names`' words;
    `embedding_spread`, where it is not zero, is the standard deviation that word vectors, taken
    from their mean, are scaled to. `recipes` bounds the recipes trained on; zero is all.
    `label_share` is the share of the training labels that is kept. `checkpoint_steps` saves within
    an epoch too, every so many steps; zero saves after each epoch only. `record_steps` has a GPU
    play steps of one form by itself, which changes nothing but the time. `threads` is how many CPU
    threads PyTorch computes with: it belongs to the run, because sums over other threads round
    otherwise, and a resumed run must end with the same bits.
    """

    batch_size: int = 64
    learning_rate: float = 0.001
    decay: float = 0.1
    decay_after: int = 3
    decay_every: int = 0
    stop_after: int = 5
    epochs: int = 100
    clip: float = 5.0
    pretrain_actions: bool = True
    pretrain_epochs: int = 100
    embeddings: Literal["skipgram", "random"] = "skipgram"
    entity_embeddings: Literal["skipgram", "names"] = "skipgram"
    embedding_spread: float = 0.0
    action_embeddings: Literal["skipgram", "random"] = "random"
    train_action_embeddings: bool = True
    recipes: int = 0
    label_share: float = 1.0
    checkpoint_steps: int = 0
    record_steps: bool = True
    tensorboard: bool = False
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Experiment:
    """`labels` says what is learned from: `ours`, a simulation of each recipe in which a mixture's
    members are known, or the paper's, string matches of names and the lexicon's end states of each
    verb (`npn.rules.paper_labels`). `npn prepare` writes both."""

    name: str
    description: str = ""
    architecture: Literal["paper", "entity-recognizer", "gru", "entnet"] = "paper"
    seed: int = 1
    labels: LabelKind = "ours"
    network: NetworkOptions = field(default_factory=NetworkOptions)
    losses: LossOptions = field(default_factory=LossOptions)
    training: Schedule = field(default_factory=Schedule)


@dataclass(frozen=True, slots=True)
class GeneratorSchedule:
    """The paper's learning rate; its batch size it does not tell. Training ends where the loss on
    the development part has not fallen for `stop_after` epochs (0: never). `seconds` ends it early,
    cleanly (0: never). `recipes` bounds the recipes trained on, and `outputs` the steps that the
    trained generator writes for each part (0: all)."""

    epochs: int = 60
    stop_after: int = 3
    batch: int = 128
    learning_rate: float = 0.0003
    halve_every: int = 5
    clip: float = 5.0
    seconds: float = 0.0
    recipes: int = 0
    outputs: int = 0


@dataclass(frozen=True, slots=True)
class GeneratorExperiment:
    """The training of a next-step generator."""

    name: str
    kind: Literal["vanilla", "attentive", "entnet", "npn", "world"]
    description: str = ""
    architecture: Literal["generator"] = "generator"
    seed: int = 1
    hidden_size: int = 200
    training: GeneratorSchedule = field(default_factory=GeneratorSchedule)


# -- The world network: what it learns from, and stage by stage how.


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training. It ends after so many `steps` or, where these are 0, after so many
    `epochs`; the learning `rate` goes up and down again within that time.

    `budget` is the padded pieces of a batch, `most` its recipes; `hidden_decisions` is the share of
    recipes whose features do not show what the rules decide; `encoder_rate` multiplies the learning
    rate of the encoder; `masking` is the share of pieces that are hidden, to be guessed, and
    `word_weight` what guessing them counts. With `averaging`, the network ends with a running mean
    of its weights, which generalises better than the last ones. With `only`, nothing learns but the
    parts of the network that it names ("states")."""

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
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldFile:
    """DATA/gold/NAME.jsonl. Each of its recipes counts `weight` and comes `copies` times in an
    epoch; of ten recipes with .3 copies three come, and seven do not."""

    name: str
    weight: float = 1.0
    copies: float = 1.0


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


NO_STAGE = Stage(epochs=0, rate=0)


@dataclass(frozen=True, slots=True)
class WorldExperiment:
    """The training of the world network.

    With `begin`, the file of a world network, this one takes the place of the first network and of
    the first student's beginning; it may be the one that ships. With no `rounds` of teaching the
    networks are then tuned from it straight away. The weights in the end are then for the share
    `begin_share` its own, and for the rest those of the tuned networks: what lies half way between
    a network and what it was tuned to can be better than both. Without `begin` all stages must be
    there.
    `sizes` are those of the first network and of the teachers; `sizes.pieces` is 0, because the
    vocabulary decides. The student takes over `student_layers` of the first network's encoder; in
    each of the `rounds` the networks tuned last teach it, and others are tuned from it. In the last
    round it keeps `last_layers` of its layers alone, with `last_inner` of their inner units, those
    with the largest weights: what ships is small, and its teachers are not.
    `merged` recipes are made of every recipe with labels of worlds or states, in which some
    neighbouring steps are one, and `renamed` ones of every labelled recipe, with made-up names for
    some or all of its ingredients.
    `tuned` networks, which differ in their seeds, are averaged in the end. `processes` read recipes
    and make batches (0: as many as there are processors); they change nothing but the time.
    `threads` are PyTorch's: sums over other threads round otherwise. `bfloat16` multiplies matrices
    in that precision on a processor too, where it is some five times as fast if the processor has
    instructions for it; on a graphics card this is always so."""

    name: str
    tuning: Stage
    gold: tuple[GoldFile, ...]
    weak: Stage = NO_STAGE
    teacher: Stage = NO_STAGE
    student: Stage = NO_STAGE
    corpora: tuple[CorpusPart, ...] = ()
    description: str = ""
    architecture: Literal["world"] = "world"
    seed: int = 1
    begin: str = ""
    begin_share: float = 0.0
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
    bfloat16: bool = False
    vocabulary: PieceOptions = field(default_factory=PieceOptions)
    sizes: WorldSizes = field(default_factory=lambda: WorldSizes(0))
    settings: WorldSettings = field(default_factory=WorldSettings)


# -- From a TOML file or a name to an experiment.

AnyExperiment: TypeAlias = Experiment | GeneratorExperiment | WorldExperiment
# By their architecture; all others are of the paper's network and its baselines.
KINDS: dict[str, type[AnyExperiment]] = {
    "generator": GeneratorExperiment,
    "world": WorldExperiment,
}


def read_experiment(
    source: str | Path, settings: Sequence[str] = (), seed: int | None = None
) -> AnyExperiment:
    """The experiment in a TOML file, or one that ships, by name ("paper"). `settings` override it,
    each as "training.epochs=3". Whoever sets the epochs bounds those of pretraining too, unless
    they are set as well: two epochs are two of each, not two after a hundred."""
    where, table = find_experiment(source)
    keys = {_override(table, setting) for setting in settings}
    if seed is not None:
        table["seed"] = seed
    kind = KINDS.get(str(table.get("architecture")), Experiment)
    found: AnyExperiment = from_table(kind, table, where)
    alone = "training.epochs" in keys and "training.pretrain_epochs" not in keys
    if alone and isinstance(found, Experiment):
        epochs = min(found.training.epochs, found.training.pretrain_epochs)
        found = replace(found, training=replace(found.training, pretrain_epochs=epochs))
    return found


def read_network_experiment(
    source: str | Path, settings: Sequence[str] = (), seed: int | None = None
) -> Experiment:
    """The same for an experiment that trains the paper's network, an ablation or a baseline."""
    found = read_experiment(source, settings, seed)
    if isinstance(found, GeneratorExperiment):
        raise NpnError(f'the experiment "{source}" trains a generator, which tracks nothing')
    if isinstance(found, WorldExperiment):
        raise NpnError(f'the experiment "{source}" is trained in stages, by npn train alone')
    return found


def find_experiment(source: str | Path) -> tuple[str, dict[str, Any]]:
    """Where an experiment stands, and its settings. A file that ships holds one experiment of its
    own name, or a table for each of several."""
    path = Path(source)
    if path.is_file():
        return str(path), _read_toml(path)
    if path.suffix == ".toml":
        raise NpnError(f"there is no experiment {path}")
    known = {}
    for file in sorted(EXPERIMENTS.glob("*.toml")):
        tables = _read_toml(file)
        if "name" in tables:
            tables = {file.stem: tables}
        for name, table in tables.items():
            known[name] = str(file), {"name": name, **table}
    if str(source) not in known:
        names = ", ".join(sorted(known))
        raise NpnError(f'there is no experiment "{source}": name a TOML file, or one of {names}')
    return known[str(source)]


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise NpnError(f"{path} cannot be read as an experiment: {error}") from error


def _override(table: dict[str, Any], setting: str) -> str:
    """Change one setting of an experiment, and return its key."""
    key, equals, value = setting.partition("=")
    *path, name = key.strip().split(".")
    if not equals:
        raise NpnError(f'"{setting}" is no setting: write it as training.epochs=3')
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    for step in path:
        inner = table.setdefault(step, {})
        if not isinstance(inner, dict):
            raise NpnError(f'"{setting}" is no setting: "{step}" holds no others')
        table = inner
    table[name] = parsed
    return key.strip()
