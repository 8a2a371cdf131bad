"""From signs to a batch of arrays, the same for training and for tracking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from npn.network.mixtures.batch import MixtureBatch
from npn.runtime.mixtures_reader import MOST_KEYS, MOST_NAME_WORDS, SentenceSigns
from npn.runtime.mixtures_signs import (
    DECISION,
    PLACE_PAIR_SIGNS,
    PLACE_SIGNS,
    SIGNS,
    STEP_SIGNS,
)

GAP = 2  # empty words after each sentence: as many as the encoder looks ahead
_OF_WORDS = frozenset({"words", "marks", "sentences", "starts"})  # the rest is of recipes
_NUMBERS = ("signs", "step_signs", "present", "steps", "places", "place_pairs", "place_present")


@dataclass(frozen=True, slots=True)
class RecipeSigns:
    """A recipe as the network reads it: the words of each ingredient's names, and its sentences.
    `states` are what the ingredients' lines say; `serving` says whether serving counts as acting on
    food, 0 to 1."""

    names: list[list[int]]
    sentences: list[SentenceSigns]
    states: list[dict[str, str]]
    serving: float = 0.0


def collate(recipes: Sequence[RecipeSigns]) -> MixtureBatch:
    """A batch of NumPy arrays, with room for one sentence and one ingredient at least."""
    B = len(recipes)
    T = max((len(r.sentences) for r in recipes), default=0) or 1
    n = max((len(r.names) for r in recipes), default=0) or 1
    K = max((len(s.places) for r in recipes for s in r.sentences), default=0)
    count = sum(len(r.sentences) for r in recipes)
    length = GAP + sum(len(s.words) + GAP for r in recipes for s in r.sentences)
    words, marks, sentences = (np.zeros(length, np.int32) for _ in range(3))
    starts = np.zeros(count, np.int64)
    rows = np.zeros((B, T), np.int32)
    signs = np.zeros((B, T, n * len(SIGNS)), np.uint8)
    step_signs = np.zeros((B, T, len(STEP_SIGNS)), np.uint8)
    near = np.zeros((B, T, n, 3), np.int32)
    keys = np.zeros((B, T, MOST_KEYS), np.int32)
    names = np.zeros((B, n, MOST_NAME_WORDS), np.int32)
    present = np.zeros((B, n), np.uint8)
    steps = np.zeros((B, T), np.uint8)
    places = np.zeros((B, T, K, len(PLACE_SIGNS)), np.uint8)
    place_words = np.zeros((B, T, K), np.int32)
    place_pairs = np.zeros((B, T, K, n, len(PLACE_PAIR_SIGNS)), np.uint8)
    place_present = np.zeros((B, T, K), np.uint8)
    number, at = 0, GAP
    for b, recipe in enumerate(recipes):
        present[b, : len(recipe.names)] = 1
        steps[b, : len(recipe.sentences)] = 1
        for i, name in enumerate(recipe.names):
            names[b, i, : len(name)] = name
        for t, one in enumerate(recipe.sentences):
            number += 1
            starts[number - 1] = at
            rows[b, t] = number
            end = at + len(one.words)
            words[at:end] = one.words
            marks[at:end] = one.marks
            sentences[at:end] = number
            signs[b, t, one.on] = 1
            step_signs[b, t, one.step_on] = 1
            if one.near:
                own = np.array(one.near, np.int32)
                near[b, t, : len(own)] = np.where(own, own + (at - 1), 0)
            for k, key in enumerate(one.keys):
                keys[b, t, k] = key + at - 1
            for k, place in enumerate(one.places):
                places[b, t, k, place.on] = 1
                place_words[b, t, k] = place.at + at - 1 if place.at else 0
                place_present[b, t, k] = 1
                for i, column in place.pairs:
                    place_pairs[b, t, k, i, column] = 1
            at = end + GAP
    return MixtureBatch(
        words,
        marks,
        sentences,
        starts,
        rows,
        signs.reshape(B, T, n, len(SIGNS)),
        step_signs,
        near,
        keys,
        names,
        present,
        steps,
        places,
        place_words,
        place_pairs,
        place_present,
        np.array([r.serving for r in recipes], np.float32),
    )


def to_floats(batch: MixtureBatch) -> MixtureBatch:
    """Signs and presence as numbers to multiply with."""
    return replace(batch, **{name: getattr(batch, name).astype(np.float32) for name in _NUMBERS})


def with_unaided(batch: MixtureBatch) -> MixtureBatch:
    """Every recipe twice: as it is, and then as if the rules had not decided anything. The words
    are those of both."""
    unaided = replace(
        batch,
        signs=batch.signs.copy(),
        step_signs=batch.step_signs.copy(),
        places=batch.places.copy(),
        place_pairs=batch.place_pairs.copy(),
    )
    unaided.signs[..., -len(DECISION) :] = 0
    unaided.step_signs[..., STEP_SIGNS.index("decision shown")] = 0
    unaided.places[..., PLACE_SIGNS.index("proposed")] = 0
    unaided.place_pairs[..., PLACE_PAIR_SIGNS.index("proposed for it")] = 0
    return MixtureBatch(
        *(
            getattr(batch, one.name)
            if one.name in _OF_WORDS
            else np.concatenate([getattr(batch, one.name), getattr(unaided, one.name)])
            for one in fields(MixtureBatch)
        )
    )
