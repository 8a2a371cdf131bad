"""Recipes packed for tracking: no room is kept for sentences that are not there.

Training wants batches of one shape (`MixtureBatch`) and gradients; tracking wants to do nothing in
vain. So the walk through packed recipes is written for NumPy alone, and a test holds it to the
equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.integer]
GAP = 2  # empty words after each sentence: as many as the encoder looks ahead


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """B recipes with N sentences: the first sentences of all recipes, then all second ones, and so
    on. The recipes with most sentences come first, so that at any time those that are still under
    way are the first ones.

    Pairs of sentence and ingredient are numbered in this order too, and among the n sentences of
    one time by ingredient, then by recipe: what is known of them lies in memory with the recipes
    innermost (..., I, n), for these are more than ingredients. Words are numbered as in
    `MixtureBatch`."""

    words: Integers  # (P,)
    marks: Integers  # (P,)
    starts: Integers  # (N,) the first word of each sentence
    counts: Sequence[int]  # (T,) recipes under way at each time
    recipes: Integers  # (N,) whose sentence each is
    pairs: Integers  # (N, I) the numbers of the pairs
    signs: NDArray[np.uint8]  # (bytes, N * I) of each pair, eight signs to the byte
    step_signs: Floats  # (N, S)
    named_in: Integers  # (M,) for each ingredient that a sentence names, which sentence, in order
    named_pairs: Integers  # (M,) and the pair, numbered from the first of its time
    said_words: Integers  # (M, 3) and words: first and second mention, the verb
    keys: Integers  # (N, 8) words: verbs and references
    name_words: Integers  # the words of all names, by vocabulary
    name_lengths: Integers  # (Q,) of each name that has words
    named: Integers  # (Q,) whose it is: the number among all ingredients (I, B)
    present: NDArray[np.bool_]  # (B, I)
    places: Floats  # (N, K, G)
    place_words: Integers  # (N, K) words
    place_pairs: Floats  # (N, K, I, R)
    place_present: Floats  # (N, K)
    serving: Floats  # (B,) 1 where serving counts as acting on food
