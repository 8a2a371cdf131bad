"""From the suggestions of the trained generators, as their runs wrote them down, to the numbers of
the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from npn.errors import NpnError
from npn.evaluation.bootstrap import Array, Difference, SeedScore, seed_differences, seed_scores
from npn.evaluation.generation import generation_scores
from npn.reproduction.generation.counting import (
    ROUGE_SIGNATURE,
    Pair,
    bleu_signature,
    count_many,
)
from npn.reproduction.generation.rouge import rouge_variants
from npn.reproduction.rows import (
    GENERATOR_BASELINES,
    NPN,
    NPN_OURS,
    TABLE_5,
    WORLD,
    GeneratorRow,
    PrintedGeneration,
)
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.jobs import Tell
from npn.training.log import read_log

OUTPUTS, DEVELOPMENT, EXAMPLES = "test.json", "development.json", "examples.json"


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a run wrote down: by decoding ("greedy", "beam"), its settings, a suggestion for each
    pair, and one for each of the paper's three contexts."""

    path: Path
    kind: str
    seed: int
    decodings: dict[str, Any]
    pairs: tuple[Pair, ...]
    suggestions: dict[str, tuple[str, ...]]
    examples: dict[str, tuple[str, ...]]


Runs = Mapping[str, Sequence[Outputs]]  # by kind, in the order of seeds


def find_outputs(folder: Path, file: str = OUTPUTS) -> Runs:
    """Of every run in `folder`, on the test part or on another."""
    found: dict[str, list[Outputs]] = {}
    for path in sorted(folder.glob(f"*-*/{file}")):
        outputs = _read_outputs(path)
        found.setdefault(outputs.kind, []).append(outputs)
    return {kind: sorted(runs, key=lambda run: run.seed) for kind, runs in found.items()}


def _read_outputs(path: Path) -> Outputs:
    try:
        table = json.loads(path.read_bytes())
        outputs = Outputs(
            path,
            str(table.get("row", table["kind"])),
            int(table["seed"]),
            dict(table["decoding"]),
            tuple((int(recipe), int(step)) for recipe, step in table["pairs"]),
            {name: tuple(map(str, table[name])) for name in table["decoding"]},
            _examples(path.with_name(EXAMPLES)),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NpnError(f"{path} is not what a generator said ({error!r}): run it again") from error
    if any(len(found) != len(outputs.pairs) for found in outputs.suggestions.values()):
        raise NpnError(f"{path} does not say something of every step: run it again")
    return outputs


def _examples(path: Path) -> dict[str, tuple[str, ...]]:
    if not path.is_file():
        return {}
    return {name: tuple(map(str, found)) for name, found in json.loads(path.read_bytes()).items()}


Counts = Mapping[str, Mapping[str, Sequence[Array]]]  # by kind and decoding, one a seed
Naming = Callable[[Sequence[int]], Mapping[int, str]]
SHOWN = 30  # contexts drawn at random
DRAW = 30  # the seed of that draw


@dataclass(frozen=True, slots=True)
class Training:
    """Means over seeds."""

    epochs: float
    minutes: float
    development: float  # the best loss
    tokens_per_second: float


@dataclass(frozen=True, slots=True)
class GenerationResultRow:
    """A row of table 5; scores by decoding and metric."""

    kind: str
    label: str
    printed: PrintedGeneration | None
    seeds: tuple[int, ...]
    scores: Mapping[str, Mapping[str, SeedScore]]
    training: Training | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much one row scores above another, on the same resamples of recipes."""

    row: str
    other: str
    decoding: str
    differences: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Shown:
    """A context drawn at random and what each kind says of it (first seed). What the recipe says
    itself belongs to its author: it is shown in the local report alone."""

    recipe: str  # as the corpus calls it
    step: int  # that comes, the first being 1
    said: Mapping[str, str]
    ingredients: tuple[str, ...] = field(default=(), repr=False)
    context: tuple[str, ...] = field(default=(), repr=False)
    reference: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class GenerationResults:
    recipes: Mapping[str, int]  # of each part
    steps: int  # of the test part that are suggested and scored
    signatures: tuple[str, ...]
    decodings: Mapping[str, Any]
    main: str  # the decoding of table 5: the best on the development part
    development: Mapping[str, float]  # BLEU there by decoding, the mean over all runs
    table: tuple[GenerationResultRow, ...]
    reference: Mapping[str, SeedScore]  # of the steps that came, as if they had been suggested
    comparisons: tuple[Comparison, ...]
    examples: Mapping[str, tuple[str, ...]]  # what each kind says of the paper's three contexts
    shown: tuple[Shown, ...]
    rouge: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by kind and variant

    def to_dict(self) -> dict[str, Any]:
        """For JSON, without any text of a recipe."""
        table = asdict(self)
        for shown in table["shown"]:
            for private in ("ingredients", "context", "reference"):
                del shown[private]
        return table


def collect(
    folder: Path, data: GenerationData, name: Naming, tell: Tell, jobs: int
) -> GenerationResults:
    """Everything the report says of the runs in `folder`. `name` says what the corpus calls recipes
    of the test part."""
    kinds = find_outputs(folder)
    every = [run for runs in kinds.values() for run in runs]
    if not every:
        raise NpnError(f"{folder} holds no run that has said anything")
    for run in every:
        if run.pairs != every[0].pairs:
            raise NpnError(f"{run.path} speaks of other steps than {every[0].path}: run it again")
    test, pairs = data.part("test"), every[0].pairs
    references = [" ".join(test.sentence(*pair)) for pair in pairs]
    counts, of_references = _count_all(every, references, data.folder, jobs, tell)
    development = development_bleu(find_outputs(folder, DEVELOPMENT), data.part("development"))
    decodings = sorted({name for kind in counts.values() for name in kind})
    main = max(decodings, key=lambda name: development.get(name, 0.0))
    first = {kind: runs[0] for kind, runs in kinds.items()}
    return GenerationResults(
        {name: data.part(name).recipes for name in ("train", "development", "test")},
        len(pairs),
        (f"BLEU: sacrebleu {bleu_signature('a', 'a')}", f"ROUGE-L: {ROUGE_SIGNATURE}"),
        first[min(first)].decodings,
        main,
        development,
        tuple(_row(row, kinds[row.kind], counts[row.kind]) for row in TABLE_5 if row.kind in kinds),
        seed_scores([of_references], generation_scores),
        tuple(_comparisons(counts, decodings)),
        {kind: run.examples[main] for kind, run in first.items() if main in run.examples},
        tuple(_show(first, test, main, name)),
        {kind: _rouge(runs, main, references) for kind, runs in kinds.items()},
    )


def _rouge(runs: Sequence[Outputs], main: str, references: Sequence[str]) -> dict[str, float]:
    """Every variant of ROUGE-L, the mean over seeds."""
    each = [rouge_variants(run.suggestions[main], references) for run in runs]
    return {name: float(np.mean([one[name] for one in each])) for name in each[0]}


def _count_all(
    runs: Sequence[Outputs], references: Sequence[str], folder: Path, jobs: int, tell: Tell
) -> tuple[Counts, Array]:
    """Counts by kind and decoding, one array a seed; and those of the steps that came, as if they
    had been suggested."""
    places = [(run, name) for run in runs for name in run.suggestions]
    suggestions = [run.suggestions[name] for run, name in places]
    tell(f"scoring {len(suggestions)} times {len(references):,} suggestions")
    *counted, of_references = count_many(folder, runs[0].pairs, [*suggestions, references], jobs)
    counts: dict[str, dict[str, list[Array]]] = {}
    for (run, name), found in zip(places, counted, strict=True):
        counts.setdefault(run.kind, {}).setdefault(name, []).append(found)
    return counts, of_references


def development_bleu(kinds: Runs, part: GenerationPart) -> dict[str, float]:
    """By decoding, the mean over all runs, on their suggestions for the development part."""
    bleu = BLEU(lowercase=True)
    scores: dict[str, list[float]] = {}
    for run in (run for runs in kinds.values() for run in runs):
        references = [" ".join(part.sentence(*pair)) for pair in run.pairs]
        for name, found in run.suggestions.items():
            scores.setdefault(name, []).append(bleu.corpus_score(found, [references]).score)
    return {name: float(np.mean(found)) for name, found in scores.items()}


def _row(
    row: GeneratorRow, runs: Sequence[Outputs], counts: Mapping[str, Sequence[Array]]
) -> GenerationResultRow:
    scores = {name: seed_scores(seeds, generation_scores) for name, seeds in counts.items()}
    trained = _training([run.path.parent for run in runs])
    seeds = tuple(run.seed for run in runs)
    return GenerationResultRow(row.kind, row.label, row.printed, seeds, scores, trained)


def _training(runs: Sequence[Path]) -> Training | None:
    logs = [read_log(run) for run in runs]
    if not all(logs):
        return None
    return Training(
        float(np.mean([log[-1]["epoch"] for log in logs])),
        float(np.mean([sum(line["seconds"] for line in log) for log in logs])) / 60,
        float(np.mean([min(line["development_all"] for line in log) for log in logs])),
        float(np.mean([line["words_per_second"] for log in logs for line in log])),
    )


def _comparisons(counts: Counts, decodings: Sequence[str]) -> list[Comparison]:
    """The NPN generator less each baseline, and the fifth less each of the others."""
    wanted = [(NPN, other) for other in (*GENERATOR_BASELINES, NPN_OURS)]
    wanted += [(WORLD, other) for other in (NPN, *GENERATOR_BASELINES)]
    return [
        Comparison(
            row.label,
            other.label,
            name,
            seed_differences(counts[row.kind][name], counts[other.kind][name], generation_scores),
        )
        for name in decodings
        for row, other in wanted
        if name in counts.get(row.kind, {}) and name in counts.get(other.kind, {})
    ]


def _show(
    first: Mapping[str, Outputs], test: GenerationPart, main: str, name: Naming
) -> Iterator[Shown]:
    """Contexts drawn at random, with what the first run of each kind says of them."""
    pairs = next(iter(first.values())).pairs
    drawn = sorted(np.random.default_rng(DRAW).permutation(len(pairs))[:SHOWN].tolist())
    names = name([pairs[at][0] for at in drawn])
    for at in drawn:
        recipe, step = pairs[at]
        sentences = [" ".join(sentence) for sentence in test.sentences(recipe)]
        yield Shown(
            names[recipe],
            step + 1,
            {kind: run.suggestions[main][at] for kind, run in first.items()},
            tuple(" ".join(name) for name in test.names(recipe)),
            tuple(sentences[:step]),
            sentences[step],
        )
