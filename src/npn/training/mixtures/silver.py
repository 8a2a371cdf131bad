"""Corpora become batches on disk, by many processes at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from itertools import chain, islice
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
from npn.runtime.mixtures_batches import collate
from npn.training.mixtures.examples import chunks, parse, silver_examples
from npn.training.mixtures.targets import MixtureTargets, collate_targets

CHUNK = 2_048  # recipes a process reads at a time; batches are of alike sizes among them
BATCH = 256
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
    """Write batches of the first `most` recipes of each corpus (all, if 0) to `folder`; returns how
    many recipes they hold."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary.to_dict()))
    written = 0
    with Pool(processes, _set_vocabulary, (vocabulary.to_dict(),)) as pool:
        parts = (islice(chunks([path], CHUNK), -(-most // CHUNK) or None) for path in paths)
        jobs = ((number, lines, folder) for number, lines in enumerate(chain(*parts)))
        for count in pool.imap_unordered(_write, jobs):
            written += count
    return written


def read_batches(folder: Path) -> list[tuple[MixtureBatch, MixtureTargets]]:
    batches = []
    for path in sorted(folder.glob("*.safetensors")):
        arrays = load_file(path)
        batches.append(
            (
                MixtureBatch(*(arrays[f"batch.{one.name}"] for one in fields(MixtureBatch))),
                MixtureTargets(*(arrays[f"targets.{one.name}"] for one in fields(MixtureTargets))),
            )
        )
    return batches


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


def _write(job: tuple[int, Sequence[str], Path]) -> int:
    number, lines, folder = job
    assert _vocabulary is not None
    examples = silver_examples(lines, WeakLabeller(load_lexicon()), _vocabulary)
    examples.sort(key=lambda e: (len(e.signs.sentences), len(e.signs.names)))
    for start in range(0, len(examples), BATCH):
        some = examples[start : start + BATCH]
        signs = [e.signs for e in some]
        batch = collate(signs)
        targets = collate_targets(signs, [e.targets for e in some])
        arrays = {f"batch.{one.name}": getattr(batch, one.name) for one in fields(batch)}
        arrays |= {f"targets.{one.name}": getattr(targets, one.name) for one in fields(targets)}
        save_file(
            {name: np.ascontiguousarray(array) for name, array in arrays.items()},
            folder / f"{number:04}-{start:05}.safetensors",
        )
    return len(examples)
