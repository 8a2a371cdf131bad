"""The encoder's first convolution by looking up: a word of the vocabulary gives the same to its
neighbours wherever it stands. Many recipes are encoded so at a third of the time; for a few, making
the tables takes longer than the products they spare. NumPy only."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from npn.network.equations import Array
from npn.network.mixtures.batch import MixtureBatch

OF_WORDS, OF_MARKS = "tables.words", "tables.marks"
BLOCK = 512  # words: as many as a processor keeps at hand


def with_tables(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """The same weights, and what each word and each mark gives to words at every distance."""
    near = weights["encoder.W_near"]
    tables = {OF_WORDS: weights["words"] @ near, OF_MARKS: weights["marks"] @ near}
    for table in tables.values():
        table[:, 0] = 0  # no word
    return {**weights, **tables}


def convolve_near(p: Mapping[str, Array], batch: MixtureBatch) -> Array:
    """(P, D): the first convolution, by the tables."""
    of_words, of_marks = p[OF_WORDS], p[OF_MARKS]
    half = len(of_words) // 2
    words, marks = np.pad(batch.words, half), np.pad(batch.marks, half)
    result = np.tile(p["encoder.b_near"], (len(batch.words), 1))
    for at in range(0, len(result), BLOCK):
        block = result[at : at + BLOCK]
        for k, (of_word, of_mark) in enumerate(zip(of_words, of_marks, strict=True)):
            neighbours = slice(at + k, at + k + len(block))
            block += of_word.take(words[neighbours], axis=0)
            block += of_mark.take(marks[neighbours], axis=0)
    return result
