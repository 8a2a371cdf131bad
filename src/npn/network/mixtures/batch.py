"""Recipes as numbers, in the form that the mixture network reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from npn.network.equations import Array


@dataclass(frozen=True, slots=True)
class MixtureBatch:
    """B recipes, padded to T sentences, I ingredients, K places. The words of all sentences lie in
    one row with two empty ones after each sentence and before the first; a word is known by its
    number in that row, 0 is none."""

    words: Array  # (P,)
    marks: Array  # (P,) the part each word plays
    sentences: Array  # (P,) which of the N sentences, from 1, a word is in; 0 for none
    starts: Array  # (N,) the first word of each sentence
    rows: Array  # (B, T) which sentence stands where; 0 is none
    signs: Array  # (B, T, I, F)
    step_signs: Array  # (B, T, S)
    near: Array  # (B, T, I, 3) words: first and second mention, the verb
    keys: Array  # (B, T, 8) words: verbs and references
    names: Array  # (B, I, W) words of the names, by vocabulary
    present: Array  # (B, I)
    steps: Array  # (B, T)
    places: Array  # (B, T, K, G)
    place_words: Array  # (B, T, K) words
    place_pairs: Array  # (B, T, K, I, R)
    place_present: Array  # (B, T, K)
    serving: Array  # (B,) 1 where serving counts as acting on food

    def map(self, change: Callable[[Array], Array]) -> MixtureBatch:
        return MixtureBatch(*(change(getattr(self, one.name)) for one in fields(self)))
