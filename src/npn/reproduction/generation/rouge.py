"""ROUGE-L in all the ways that the field computes it.

All rest on the longest common subsequence of a candidate and its reference. They differ in what a
token is (words alone, their stems, words and marks, with or without the token that ends a
sentence), in how precision and recall are joined (beta weighs recall: 1.2 in the image captioning
tools, large in the first ROUGE), and in whether sentences are averaged, their counts added up, or
the whole corpus is read as one long sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from npn.language.words import words

BETAS = (1.0, 1.2, 2.0, 8.0)
END = "</s>"  # as a generator ends its sentence
Tokenizer = Callable[[str], Sequence[str]]


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


@dataclass(frozen=True, slots=True)
class Lengths:
    """Of one pair, or of many added up."""

    common: float
    candidate: float
    reference: float

    @property
    def precision(self) -> float:
        return self.common / self.candidate if self.candidate else 0.0

    @property
    def recall(self) -> float:
        return self.common / self.reference if self.reference else 0.0

    def f(self, beta: float) -> float:
        precision, recall = self.precision, self.recall
        if not precision + recall:
            return 0.0
        return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def rouge_variants(candidates: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    """Every variant by its name, in percent."""
    found: dict[str, float] = {}
    for name, tokenize in TOKENS.items():
        pairs = [
            (tokenize(candidate), tokenize(reference))
            for candidate, reference in zip(candidates, references, strict=True)
        ]
        each = [Lengths(lcs_length(a, b), len(a), len(b)) for a, b in pairs]
        summed = Lengths(*(sum(getattr(x, n) for x in each) for n in Lengths.__slots__))
        for scores, level in (
            (_mean(each), "mean over steps"),
            (_scores(summed), "counts added up"),
        ):
            found |= {f"{name}, {level}, {score}": value for score, value in scores.items()}
        whole = [[token for pair in pairs for token in pair[side]] for side in (0, 1)]
        text = Lengths(lcs_length(*whole), len(whole[0]), len(whole[1]))
        found |= {f"{name}, one long text, {key}": one for key, one in _scores(text).items()}
    return {name: 100 * value for name, value in found.items()}


def _scores(lengths: Lengths) -> dict[str, float]:
    joined = {f"F, beta {beta:g}": lengths.f(beta) for beta in BETAS}
    return {"precision": lengths.precision, "recall": lengths.recall, **joined}


def _mean(each: Sequence[Lengths]) -> dict[str, float]:
    scores = [_scores(one) for one in each]
    return {name: float(np.mean([one[name] for one in scores])) for name in scores[0]}


def _words(text: str) -> list[str]:
    return [word for word in words(text) if word[0].isalnum()]


def _stems(text: str) -> list[str]:
    from rouge_score.tokenizers import DefaultTokenizer

    if not _stemmers:
        _stemmers.append(DefaultTokenizer(use_stemmer=True).tokenize)
    return list(_stemmers[0](text))


_stemmers: list[Tokenizer] = []
TOKENS: dict[str, Tokenizer] = {
    "words": _words,
    "stems": _stems,
    "words and marks": words,
    "words, marks and an end": lambda text: [*words(text), END],
}
