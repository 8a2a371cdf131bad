"""What a network begins with: skip-gram vectors of the training set for words, entities and, in an
ablation, actions, at any width, so that sizes of networks are settings."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.networks.paper.batch import UNKNOWN, filled, rectangle
from npn.networks.paper.equations import name_vectors
from npn.networks.paper.network import NeuralProcessNetwork, RecipeNetwork
from npn.training.config import Experiment
from npn.training.data.piecework import EMBEDDINGS
from npn.training.data.prepared import Prepared
from npn.training.data.ragged import places_of

RIDGE = 1.0  # against names of words that hardly occur


def initialise(network: RecipeNetwork, experiment: Experiment, prepared: Prepared) -> None:
    """Fill in the vectors of words, entities and actions as the experiment says, and freeze those
    of actions where it says so."""
    options, training = experiment.network, experiment.training
    with torch.no_grad():
        if training.embeddings == "skipgram":
            _initialise_words(network, experiment, prepared)
        if isinstance(network, NeuralProcessNetwork):
            embeddings = network.action_selector.F
            if training.action_embeddings == "skipgram":
                embeddings.copy_(skipgram_vectors(prepared, "actions", options.memory_size))
            embeddings.requires_grad_(training.train_action_embeddings)


def _initialise_words(network: RecipeNetwork, experiment: Experiment, prepared: Prepared) -> None:
    options, training = experiment.network, experiment.training
    words = skipgram_vectors(prepared, "words", options.word_size)
    words = _spread(words, training.embedding_spread)
    network.words.copy_(words)
    memory = network.entity_memory
    if training.entity_embeddings == "skipgram":
        entities = skipgram_vectors(prepared, "entities", options.memory_size)
        entities = _spread(entities, training.embedding_spread)
        memory.E.copy_(entities)
        memory.W_name.copy_(_name_projection(words, entities, prepared))
    else:
        ids, names = _entity_names(words, prepared)
        if options.memory_size == options.word_size:
            projection = torch.eye(options.word_size)
        else:  # as much of the names as there is room for
            projection = principal_directions(names, options.memory_size)
        memory.E[ids] = names @ projection
        memory.W_name.copy_(projection.T)


def _spread(vectors: Tensor, spread: float) -> Tensor:
    if not spread:
        return vectors
    apart = vectors - vectors.mean(0)  # what all words share would add up over a sentence
    return apart * (spread / apart.std())


def _name_projection(words: Tensor, entities: Tensor, prepared: Prepared) -> Tensor:
    """The matrix that best turns the words of the names of known entities into these entities:
    where an unknown one then begins."""
    ids, means = _entity_names(words, prepared)
    names = means.double()
    gram = names.T @ names + RIDGE * torch.eye(names.shape[1], dtype=torch.float64)
    solution = torch.linalg.solve(gram, names.T @ entities[ids].double())
    projection: Tensor = solution.T.float()
    return projection


def _entity_names(vectors: Tensor, prepared: Prepared) -> tuple[Tensor, Tensor]:
    """The ids of the entities that the training set has, and the means of their names' words."""
    arrays = prepared.split("train")
    ids, first = np.unique(arrays["ingredients"], return_index=True)
    known = ids > UNKNOWN
    ids, first = ids[known], first[known]
    places, offsets = places_of(arrays["ingredient_token_offsets"], first)
    there = filled(np.diff(offsets))
    words = rectangle(arrays["ingredient_tokens"][places].astype(np.int64), there)
    names = name_vectors(vectors[torch.from_numpy(words)], torch.from_numpy(there).float())
    return torch.from_numpy(ids.astype(np.int64)), names


# -- Vectors of one width from vectors of another.

SEED = 1


def skipgram_vectors(prepared: Prepared, name: str, width: int) -> Tensor:
    """The vectors of words, entities or actions: those that were prepared at this width, or made
    from the widest."""
    if EMBEDDINGS not in prepared.hashes:
        raise NpnError(
            f"{prepared.folder} was prepared without embeddings: prepare it with them, or set "
            'training.embeddings to "random"'
        )
    arrays = prepared.read(EMBEDDINGS)
    there = [arrays[key] for key in (name, f"wide_{name}") if key in arrays]
    best = min(there, key=lambda one: (one.shape[1] != width, -one.shape[1]))
    return with_width(torch.from_numpy(best), width)


def principal_directions(vectors: Tensor, width: int) -> Tensor:
    """The `width` directions (D, width) along which `vectors` (N, D) differ most from zero, the
    first ones first; past the last direction there is, columns of zeros."""
    _, _, directions = torch.linalg.svd(vectors.double(), full_matrices=False)
    chosen = directions[:width].T.to(vectors.dtype)
    missing = vectors.new_zeros(vectors.shape[1], width - chosen.shape[1])
    return torch.cat([chosen, missing], 1)


def with_width(vectors: Tensor, width: int) -> Tensor:
    """`vectors` (N, D) as (N, width): narrower ones keep as much as they can of all dot products,
    wider ones get columns that are random near zero, as skip-gram's vectors begin."""
    rows, size = vectors.shape
    if width < size:
        narrower: Tensor = vectors @ principal_directions(vectors, width)
        return narrower
    random = torch.rand(rows, width - size, generator=torch.Generator().manual_seed(SEED))
    more = (random - 0.5) / width * (vectors != 0).any(1, keepdim=True)  # padding stays zero
    return torch.cat([vectors, more.to(vectors.dtype)], 1)
