"""The encoder's first convolution by looking up: a word of the vocabulary gives the same to its
neighbours wherever it stands. Many recipes are encoded so at a third of the time; for a few, making
the tables takes longer than the products they spare. NumPy only."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from npn.network.mixtures.packed import Floats, Integers

OF_WORDS, OF_MARKS = "tables.words", "tables.marks"


def with_tables(weights: Mapping[str, Floats]) -> dict[str, Floats]:
    """The same weights, and what each word and each mark gives to words at every distance; a mark
    gives the bias to its own."""
    near = weights["encoder.W_near"]
    tables = {OF_WORDS: weights["words"] @ near, OF_MARKS: weights["marks"] @ near}
    for table in tables.values():
        table[:, 0] = 0  # no word
    tables[OF_MARKS][len(near) // 2] += weights["encoder.b_near"]
    return {**weights, **tables}


def convolve_near(p: Mapping[str, Floats], words: Integers, marks: Integers) -> Floats:
    """(P, D): the first convolution, by the tables, of words that begin and end with none."""
    of_words, of_marks = p[OF_WORDS], p[OF_MARKS]
    result = np.zeros((len(words), of_words.shape[-1]), np.float32)
    inner = result[len(of_words) // 2 : -(len(of_words) // 2)]
    for k, (of_word, of_mark) in enumerate(zip(of_words, of_marks, strict=True)):
        neighbours = slice(k, k + len(inner))
        inner += of_word.take(words[neighbours], axis=0)
        inner += of_mark.take(marks[neighbours], axis=0)
    return result
