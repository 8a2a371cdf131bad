"""From the suggestions of the trained generators, as their runs wrote them down, to the numbers of
the report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from npn.errors import NpnError
from npn.evaluation.bootstrap import Array
from npn.evaluation.generation import generation_scores
from npn.language.words import words
from npn.recipe import Recipe
from npn.reproduction.chain import corpus_lines
from npn.reproduction.generation.counting import ROUGE_SIGNATURE, Pair, bleu_signature, count_many
from npn.reproduction.generation.rouge import rouge_variants
from npn.reproduction.numbers import (
    Comparison,
    GenerationNumbers,
    difference_numbers,
    score_numbers,
)
from npn.reproduction.rows import GENERATOR_BASELINES, NPN, NPN_OURS, TABLE_5, WORLD
from npn.training.data.cleaning import Cleaner
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.jobs import Tell
from npn.training.log import read_log

OUTPUTS, DEVELOPMENT, EXAMPLES = "test.json", "development.json", "examples.json"


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a run wrote down: by decoding ("greedy", "beam"), its settings, and a suggestion for
    each pair."""

    path: Path
    kind: str
    seed: int
    decodings: dict[str, Any]
    pairs: Sequence[Pair]
    suggestions: dict[str, Sequence[str]]


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
        decodings = table["decoding"]
        pairs = [(recipe, step) for recipe, step in table["pairs"]]
        texts = {name: table[name] for name in decodings}
        return Outputs(path, table["row"], table["seed"], decodings, pairs, texts)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NpnError(f"{path} is not what a generator said ({error!r}): run it again") from error


@dataclass(frozen=True, slots=True)
class ShownRecipe:
    """What the recipe of a `ShownStep` says, up to the step that came. It belongs to its author,
    and stands in the local report alone."""

    ingredients: Sequence[str]
    context: Sequence[str]
    reference: str


Counts = Mapping[tuple[str, str], Sequence[Array]]  # by kind and decoding, one a seed
SHOWN = 30  # steps drawn at random
DRAW = 30  # the seed of that draw


def collect(
    folder: Path, data: GenerationData, corpora: Sequence[Path], tell: Tell, jobs: int
) -> tuple[GenerationNumbers, list[ShownRecipe]]:
    """Everything the report says of the runs in `folder`, and the recipes of the steps that it
    shows, which have their names from the corpora."""
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
    decodings = sorted(every[0].decodings)
    main = max(decodings, key=lambda name: development.get(name, 0.0))
    first = {kind: runs[0] for kind, runs in kinds.items()}
    drawn = sorted(np.random.default_rng(DRAW).permutation(len(pairs))[:SHOWN].tolist())
    shown = [pairs[at] for at in drawn]
    names = shown_names(corpora, {recipe: test.sentences(recipe) for recipe, _ in shown})
    numbers: GenerationNumbers = {
        "recipes": {name: data.part(name).recipes for name in ("train", "development", "test")},
        "steps": len(pairs),
        "signatures": (f"BLEU: sacrebleu {bleu_signature()}", f"ROUGE-L: {ROUGE_SIGNATURE}"),
        "decodings": first[min(first)].decodings,
        "main": main,
        "development": development,
        "table": [
            {
                "kind": row.kind,
                "label": row.label,
                "printed": row.printed,
                "seeds": [run.seed for run in kinds[row.kind]],
                "scores": {
                    name: score_numbers(counts[row.kind, name], generation_scores)
                    for name in every[0].decodings
                },
                "training": _training([read_log(run.path.parent) for run in kinds[row.kind]]),
            }
            for row in TABLE_5
            if row.kind in kinds
        ],
        "reference": score_numbers([of_references], generation_scores),
        "comparisons": _comparisons(kinds, counts, decodings),
        "examples": _examples(first, main),
        "shown": [
            {
                "recipe": names[recipe],
                "step": step + 1,
                "suggestions": {kind: run.suggestions[main][at] for kind, run in first.items()},
            }
            for at, (recipe, step) in zip(drawn, shown, strict=True)
        ],
        "rouge": {kind: _rouge(runs, main, references) for kind, runs in kinds.items()},
    }
    return numbers, [_shown_recipe(test, *pair) for pair in shown]


def _examples(first: Mapping[str, Outputs], main: str) -> dict[str, list[str]]:
    """What the first run of each kind says of the paper's three contexts, where it was asked."""
    found = {kind: run.path.with_name(EXAMPLES) for kind, run in first.items()}
    texts = {kind: json.loads(path.read_bytes()) for kind, path in found.items() if path.is_file()}
    return {kind: one[main] for kind, one in texts.items() if main in one}


def _rouge(runs: Sequence[Outputs], main: str, references: Sequence[str]) -> dict[str, float]:
    """Every variant of ROUGE-L, the mean over seeds."""
    each = [rouge_variants(run.suggestions[main], references) for run in runs]
    return {name: fmean(one[name] for one in each) for name in each[0]}


def _count_all(
    runs: Sequence[Outputs], references: Sequence[str], folder: Path, jobs: int, tell: Tell
) -> tuple[Counts, Array]:
    """Counts by kind and decoding, one array a seed; and those of the steps that came, as if they
    had been suggested."""
    places = [(run, name) for run in runs for name in run.suggestions]
    suggestions = [run.suggestions[name] for run, name in places]
    tell(f"scoring {len(suggestions)} times {len(references):,} suggestions")
    *counted, of_references = count_many(folder, runs[0].pairs, [*suggestions, references], jobs)
    counts: dict[tuple[str, str], list[Array]] = {}
    for (run, name), found in zip(places, counted, strict=True):
        counts.setdefault((run.kind, name), []).append(found)
    return counts, of_references


def development_bleu(kinds: Runs, part: GenerationPart) -> dict[str, float]:
    """By decoding, the mean over all runs, on their suggestions for the development part."""
    bleu = BLEU(lowercase=True)
    scores: dict[str, list[float]] = {}
    for run in (run for runs in kinds.values() for run in runs):
        references = [" ".join(part.sentence(*pair)) for pair in run.pairs]
        for name, found in run.suggestions.items():
            scores.setdefault(name, []).append(bleu.corpus_score(found, [references]).score)
    return {name: fmean(found) for name, found in scores.items()}


def _training(logs: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, float]:
    """Means over seeds."""
    return {
        "epochs": fmean(log[-1]["epoch"] for log in logs),
        "minutes": fmean(sum(line["seconds"] for line in log) for log in logs) / 60,
        "development": fmean(min(line["development_all"] for line in log) for log in logs),
        "tokens_per_second": fmean(line["words_per_second"] for log in logs for line in log),
    }


def _comparisons(kinds: Runs, counts: Counts, decodings: Sequence[str]) -> list[Comparison]:
    """The NPN generator less each baseline, and the fifth less each of the others."""
    wanted = [(NPN, other) for other in (*GENERATOR_BASELINES, NPN_OURS)]
    wanted += [(WORLD, other) for other in (NPN, *GENERATOR_BASELINES)]
    return [
        {
            "row": row.label,
            "other": other.label,
            "decoding": name,
            "differences": difference_numbers(
                counts[row.kind, name], counts[other.kind, name], generation_scores
            ),
        }
        for name in decodings
        for row, other in wanted
        if row.kind in kinds and other.kind in kinds
    ]


def _shown_recipe(test: GenerationPart, recipe: int, step: int) -> ShownRecipe:
    sentences = [" ".join(sentence) for sentence in test.sentences(recipe)]
    names = [" ".join(name) for name in test.names(recipe)]
    return ShownRecipe(names, sentences[:step], sentences[step])


# -- What the corpus calls the recipes that the report shows: prepared data has no names.

RARE = 6  # long words that a line must hold before it is looked at closely
Sentences = list[list[str]]


def shown_names(corpora: Iterable[Path], recipes: Mapping[int, Sentences]) -> dict[int, str]:
    """For each recipe, given by its sentences as tokens, its "id" in the corpus or else its line
    ("web.jsonl.gz line 12"). One that is not there is called by its number."""
    cleaner = Cleaner()
    rare = {recipe: _long_words(sentences) for recipe, sentences in recipes.items()}
    names = {recipe: f"test recipe {recipe}" for recipe in recipes}
    for path in corpora:
        for number, encoded in enumerate(corpus_lines(path), 1):
            line = encoded.decode("utf-8", "replace")
            lower = line.lower()
            likely = [one for one, long in rare.items() if all(word in lower for word in long)]
            if not likely:
                continue
            try:
                value = json.loads(line)
                cleaned = cleaner.clean(Recipe.from_dict(value))
            except (ValueError, RecursionError, NpnError):
                continue
            sentences = [words(sentence) for sentence in cleaned.sentences] if cleaned else None
            for recipe in likely:
                if recipes[recipe] == sentences:
                    names[recipe] = str(value.get("id") or f"{path.name} line {number}")
                    del rare[recipe]
    return names


def _long_words(sentences: Sentences) -> list[str]:
    """The longest, which few lines hold all together."""
    plain = {word for tokens in sentences for word in tokens if word.isascii() and word.isalpha()}
    return sorted(plain, key=lambda word: (-len(word), word))[:RARE]
