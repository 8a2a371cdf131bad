"""From suggestions to counts: what each has in common with the step that came, word by word
(sacrebleu's and rouge-score's own counts) and in what both say; one row for every recipe of the
test part."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from npn.evaluation.bootstrap import Array
from npn.evaluation.generation import COUNTS, Overlap, ReadStep, count_step
from npn.language.matching import Matcher
from npn.language.names import IngredientNames, name_ingredient
from npn.language.tokens import words
from npn.reproduction.generation.outputs import Pair
from npn.reproduction.generation.step_reading import StepReader
from npn.rules.lexicon.lexicon import load_lexicon
from npn.training.generator.data import GenerationData, GenerationPart

ROUGE_SIGNATURE = "rouge-score rougeL F-measure, no stemming, mean over steps"


class WordOverlap:
    """`known` are the training sentences, as `normal` spells them. Case does not count: the
    generators write lower case and are capitalised for print."""

    def __init__(self, known: Container[str]) -> None:
        # Counts of one sentence are all we take, and effective order has no part in them.
        self._bleu = BLEU(lowercase=True, effective_order=True)
        self._rouge = RougeScorer(["rougeL"])
        self._known = known

    def __call__(self, candidate: str, reference: str) -> Overlap:
        bleu = self._bleu.sentence_score(candidate, [reference])
        return Overlap(
            tuple(bleu.counts),
            tuple(bleu.totals),
            bleu.sys_len,
            bleu.ref_len,
            self._rouge.score(reference, candidate)["rougeL"].fmeasure,
            normal(candidate) in self._known,
        )


def bleu_signature(candidate: str, reference: str) -> str:
    """What sacrebleu says of how corpus BLEU is computed."""
    bleu = BLEU(lowercase=True)
    bleu.corpus_score([candidate], [[reference]])
    return str(bleu.get_signature())


def normal(sentence: str) -> str:
    """A sentence as its words alone: marks and case do not make a copy another sentence."""
    return " ".join(word for word in words(sentence) if word[0].isalnum())


def training_sentences(sentences: Iterable[str]) -> frozenset[str]:
    return frozenset(map(normal, sentences))


class Counter:
    """Counts what suggestions for the steps `pairs` of `recipes` have in common with these."""

    def __init__(
        self,
        recipes: GenerationPart,
        pairs: Sequence[Pair],
        reader: StepReader,
        overlap: WordOverlap,
    ) -> None:
        self.pairs = pairs
        self._reader, self._overlap = reader, overlap
        self._rows = {recipe: row for row, recipe in enumerate(dict(pairs))}
        self.references = [" ".join(recipes.sentence(*pair)) for pair in pairs]
        self._names = {
            recipe: [name_ingredient(" ".join(name)) for name in recipes.names(recipe)]
            for recipe in self._rows
        }
        self._matchers = {recipe: Matcher(names) for recipe, names in self._names.items()}
        self._read = [
            self._reading(recipe, sentences)
            for (recipe, _), sentences in zip(pairs, self.references, strict=True)
        ]

    def count(self, suggestions: Sequence[str]) -> Array:
        counts = np.zeros((len(self._rows), len(COUNTS)))
        for (recipe, _), sentences, came, reading in zip(
            self.pairs, suggestions, self.references, self._read, strict=True
        ):
            counts[self._rows[recipe]] += count_step(
                self._overlap(sentences, came), self._reading(recipe, sentences), reading
            )
        return counts

    def _reading(self, recipe: int, step: str) -> ReadStep:
        names: Sequence[IngredientNames] = self._names[recipe]
        return self._reader.read(step, names, self._matchers[recipe])


def make_counter(folder: Path, pairs: Sequence[Pair]) -> Counter:
    """For suggestions of generators that were trained on the data in `folder`."""
    data = GenerationData(folder)
    train = data.part("train")
    sentences = (" ".join(train.sentence(recipe, step)) for recipe, step in train.pairs.tolist())
    reader = StepReader(load_lexicon(), common_names(train))
    return Counter(data.part("test"), pairs, reader, WordOverlap(training_sentences(sentences)))


def common_names(part: GenerationPart) -> list[str]:
    """Names of ingredients, the commonest first."""
    counts: dict[str, int] = {}
    for recipe in range(part.recipes):
        for name in part.names(recipe):
            spelt = " ".join(name)
            counts[spelt] = counts.get(spelt, 0) + 1
    return sorted(counts, key=lambda name: (-counts[name], name))


def count_many(
    folder: Path, pairs: Sequence[Pair], sentences: Sequence[Sequence[str]], jobs: int
) -> list[Array]:
    """The counts of many lists of suggestions, each for all pairs; by several processes."""
    if jobs == 1:
        counter = make_counter(folder, pairs)
        return [counter.count(one) for one in sentences]
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (folder, pairs)) as pool:
        return list(pool.map(_count, sentences))


_counters: list[Counter] = []  # of this process


def _begin(folder: Path, pairs: Sequence[Pair]) -> None:
    _counters.append(make_counter(folder, pairs))


def _count(sentences: Sequence[str]) -> Array:
    return _counters[0].count(sentences)
