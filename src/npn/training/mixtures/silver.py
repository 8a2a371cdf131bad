"""Corpora become shelves of labelled recipes on disk, by many processes at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import islice
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.lemmas import lemma
from npn.language.tokens import words
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.batch import MixtureBatch
from npn.training.mixtures.examples import chunks, parse, silver_examples
from npn.training.mixtures.shelves import SHAPES, Shelf, join, shelve
from npn.training.mixtures.targets import MixtureTargets
from npn.training.mixtures.variants import FIRST_MENTION, Variant

CHUNK = 1_024  # recipes that a process reads at a time
_vocabulary: Vocabulary | None = None


def count_words(paths: Sequence[Path], size: int, processes: int) -> Vocabulary:
    """The commonest words of the corpora, steps and ingredient lines."""
    total: Counter[str] = Counter()
    with Pool(processes) as pool:
        for counts in pool.imap_unordered(_count, chunks(paths, CHUNK)):
            total.update(counts)
    return Vocabulary.from_counts(total, size)


def write_silver(
    paths: Sequence[Path], vocabulary: Vocabulary, folder: Path, processes: int, most: int = 0
) -> int:
    """Write shelves of the first `most` recipes of each corpus (all, if 0) to `folder`; returns how
    many recipes they hold."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    with Pool(processes, _set_vocabulary, (vocabulary.to_dict(),)) as pool:
        jobs = (
            (folder / f"{path.name.partition('.')[0]}-{number:04}", lines)
            for path in paths
            for number, lines in enumerate(islice(chunks([path], CHUNK), -(-most // CHUNK) or None))
        )
        for count in pool.imap_unordered(_write, jobs):
            written += count
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary.to_dict()))
    return written


def read_silver(folder: Path, variant: Variant) -> list[Shelf]:
    """What a variant learns from, a shelf for each shape."""
    found: dict[str, list[Shelf]] = {}
    for path in sorted(folder.glob("*.safetensors")):
        corpus, _, shape = path.stem.split("-")
        if not variant.corpora or corpus in variant.corpora:
            arrays = load_file(path)
            batch = MixtureBatch(*(arrays[f"batch.{f.name}"] for f in fields(MixtureBatch)))
            targets = MixtureTargets(*(arrays[f"targets.{f.name}"] for f in fields(MixtureTargets)))
            found.setdefault(shape, []).append(Shelf(batch, targets))
    shelves = [join(found[shape]) for shape in sorted(found)]
    return [_by_first_mention(s) for s in shelves] if variant.labels == FIRST_MENTION else shelves


def _by_first_mention(shelf: Shelf) -> Shelf:
    """As if whoever has been named were acted on from then on, and nobody knew of mixtures."""
    named = np.maximum.accumulate(shelf.recipes.near[..., 0] > 0, axis=1)
    targets = shelf.targets
    return replace(
        shelf,
        targets=replace(
            targets, entities=named.astype(np.uint8), grouped=np.zeros_like(targets.grouped)
        ),
    )


def _count(lines: Sequence[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for recipe in map(parse, lines):
        for step in recipe.steps:
            counts.update(words(step))
        for ingredient in recipe.ingredients:
            counts.update(lemma(word) for word in words(ingredient.text))
    return counts


def _set_vocabulary(data: dict[str, object]) -> None:
    global _vocabulary  # one for each process, sent once
    _vocabulary = Vocabulary.from_dict(data)


def _write(job: tuple[Path, Sequence[str]]) -> int:
    stem, lines = job
    assert _vocabulary is not None
    examples = silver_examples(lines, WeakLabeller(load_lexicon()), _vocabulary)
    shelves = shelve(examples)
    for shape, shelf in shelves.items():
        arrays = {f"batch.{f.name}": getattr(shelf.recipes, f.name) for f in fields(MixtureBatch)}
        arrays |= {
            f"targets.{f.name}": getattr(shelf.targets, f.name) for f in fields(MixtureTargets)
        }
        save_file(arrays, f"{stem}-{SHAPES.index(shape):02}.safetensors")
    return sum(map(len, shelves.values()))
