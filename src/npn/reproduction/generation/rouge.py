"""ROUGE-L in all the ways that the field computes it.

All rest on the longest common subsequence of a candidate and its reference. They differ in what a
token is (words alone, their stems, words and marks, with or without the token that ends a
sentence), in how precision and recall are joined (beta weighs recall: 1.2 in the image captioning
tools, large in the first ROUGE), and in whether sentences are averaged, their counts added up, or
the whole corpus is read as one long sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain

import numpy as np
from rouge_score.tokenizers import DefaultTokenizer

from npn.evaluation.bootstrap import Array
from npn.language.words import words

BETAS = (1.0, 1.2, 2.0, 8.0)
END = "</s>"  # as a generator ends its sentence


def plain_words(text: str) -> list[str]:
    """The words of a text without its marks."""
    return [word for word in words(text) if word[0].isalnum()]


TOKENS: dict[str, Callable[[str], Sequence[str]]] = {
    "words": plain_words,
    "stems": DefaultTokenizer(use_stemmer=True).tokenize,
    "words and marks": words,
    "words, marks and an end": lambda text: [*words(text), END],
}


def rouge_variants(candidates: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    """Every variant by its name, in percent."""
    found: dict[str, float] = {}
    for name, tokenize in TOKENS.items():
        sides = [list(map(tokenize, texts)) for texts in (candidates, references)]
        each = np.array([_lengths(*pair) for pair in zip(*sides, strict=True)], np.float64)
        whole = [list(chain.from_iterable(side)) for side in sides]
        levels = {
            "mean over steps": each,
            "counts added up": each.sum(axis=0, keepdims=True),
            "one long text": np.array([_lengths(*whole)], np.float64),
        }
        for level, lengths in levels.items():
            for score, values in rouge_scores(lengths).items():
                found[f"{name}, {level}, {score}"] = 100 * float(values.mean())
    return found


def rouge_scores(lengths: Array) -> dict[str, Array]:
    """Precision, recall and their F for each beta, from rows of three lengths: of what is common,
    of the candidate and of the reference."""
    common, candidate, reference = lengths.T
    precision, recall = _share(common, candidate), _share(common, reference)
    scores = {"precision": precision, "recall": recall}
    for beta in BETAS:
        both = (1 + beta**2) * precision * recall
        scores[f"F, beta {beta:g}"] = _share(both, recall + beta**2 * precision)
    return scores


def _share(part: Array, whole: Array) -> Array:
    """0 of nothing."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _lengths(candidate: Sequence[str], reference: Sequence[str]) -> tuple[int, int, int]:
    return lcs_length(candidate, reference), len(candidate), len(reference)


def lcs_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """How long the longest common subsequence is. A bit of `row` is 0 where a longer one ends, so
    that whole texts of 100,000 words take seconds."""
    places: dict[Hashable, int] = {}
    for at, token in enumerate(other):
        places[token] = places.get(token, 0) | 1 << at
    full = (1 << len(other)) - 1
    row = full
    for token in one:
        met = row & places.get(token, 0)
        row = ((row + met) | (row - met)) & full
    return len(other) - row.bit_count()
