"""What the paper's network selects in a recipe.

Sentences come first, all of them in one go and each once, however often it comes: to encode them is
most of the work. Then the recipe is walked through. Recipes are read one by one: a product of two
matrices differs in its last bits with the number of rows, and what is said of a recipe must not
depend on what is read with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from npn.networks.common.model_file import ModelVocabulary
from npn.networks.common.operations import softmax
from npn.networks.paper.batch import Ids, pack
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.decoding import (
    SELECTED,
    Actions,
    Choice,
    EndState,
    choose_actions,
    choose_end_states,
    choose_entities,
)
from npn.networks.paper.forward import (
    Flags,
    Floats,
    Parameters,
    end_state_logits,
    first_memory,
    read_sentences,
    walk,
)
from npn.networks.paper.numpy_gru import Encoders

BLOCK = 256  # sentences of which everything is said at once


@dataclass(frozen=True, slots=True)
class Network:
    parameters: Parameters
    config: NetworkConfig
    encoders: Encoders
    vocabulary: ModelVocabulary


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of N sentences before it is known whose they are."""

    h: Floats  # (N, H)
    f: Floats  # (N, E)
    query: Floats  # (N, E)
    choice: Floats | None  # (N, 3)
    actions: list[Actions]


def know(network: Network, sentences: Sequence[Sequence[int]]) -> Known:
    """Of sentences as word ids."""
    order, counts, rows = pack(np.array([len(one) for one in sentences], np.int64))
    words = np.array([word for one in sentences for word in one], np.int64)[order]
    encoded = network.encoders.encode(words, counts.tolist())
    h_action, h = encoded.take(rows, 1)
    f, query, choice, actions = [], [], [], []
    for start in range(0, max(len(h), 1), BLOCK):
        block = slice(start, start + BLOCK)
        read = read_sentences(network.parameters, network.config.options, h_action[block], h[block])
        f.append(read.f)
        query.append(read.query)
        if read.choice is not None:
            choice.append(read.choice)
        actions += choose_actions(read.w_p, network.vocabulary)
    return Known(
        h,
        np.concatenate(f),
        np.concatenate(query),
        np.concatenate(choice) if choice else None,
        actions,
    )


@dataclass(frozen=True, slots=True)
class Numbered:
    """A recipe as numbers: which of the known sentences it has; each ingredient's entity, and for
    those that the vocabulary does not know the words of their names."""

    sentences: Sequence[int]
    entities: Sequence[int]
    names: Sequence[Sequence[int]]


def choose_for(network: Network, known: Known, recipe: Numbered) -> list[Choice]:
    """What is selected in each sentence of a recipe."""
    p, config, vocabulary = network.parameters, network.config, network.vocabulary
    sentences = np.array(recipe.sentences, np.int64)
    entities, present = _rectangle([recipe.entities])
    names, _ = _rectangle(recipe.names)
    walked = walk(
        p,
        config.options,
        known.f.take(sentences, 0),
        known.query.take(sentences, 0),
        None if known.choice is None else known.choice.take(sentences, 0),
        [1] * len(sentences),
        first_memory(p, config.options, entities, present, names),
        present,
    )
    k = np.concatenate([known.f[:0], *[k for k, _ in walked.steps]])
    selected, attention = choose_entities(walked.attention)
    acting = np.flatnonzero((walked.attention > SELECTED).any(axis=1))  # on anybody at all
    end_states: list[Sequence[EndState]] = [()] * len(sentences)
    logits = end_state_logits(
        p, len(vocabulary.end_states), k.take(acting, 0), known.h.take(sentences[acting], 0)
    )
    chosen = choose_end_states(logits, vocabulary, softmax)
    for row, one in zip(acting.tolist(), chosen, strict=True):
        end_states[row] = one
    actions = map(known.actions.__getitem__, recipe.sentences)
    return list(zip(actions, selected, attention, end_states, strict=True))


def _rectangle(rows: Sequence[Sequence[int]]) -> tuple[Ids, Flags]:
    """The rows, padded with zeros, and where they are filled."""
    lengths = [len(row) for row in rows]
    width = max([1, *lengths])
    padded = [[*row, *[0] * (width - length)] for row, length in zip(rows, lengths, strict=True)]
    filled = np.arange(width) < np.array(lengths, np.int64)[:, None]
    return np.array(padded, np.int64).reshape(-1, width), filled
