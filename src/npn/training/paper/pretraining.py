"""What a network begins with: skip-gram vectors of the training set for words, entities and, in an
ablation, actions."""

from __future__ import annotations

import torch
from torch import Tensor

from npn.networks.paper.batch import UNKNOWN
from npn.networks.paper.equations import name_vectors
from npn.networks.paper.network import NeuralProcessNetwork, RecipeNetwork
from npn.training.config import Experiment
from npn.training.data.prepared import Prepared, principal_directions

RIDGE = 1.0  # against names of words that hardly occur


def initialise(network: RecipeNetwork, experiment: Experiment, prepared: Prepared) -> None:
    """Fill in the embeddings, and freeze those of actions where the experiment says so."""
    options, training = experiment.network, experiment.training
    with torch.no_grad():
        if training.embeddings == "skipgram":
            _initialise_words(network, experiment, prepared)
        if isinstance(network, NeuralProcessNetwork):
            embeddings = network.action_selector.F
            if training.action_embeddings == "skipgram":
                embeddings.copy_(prepared.embeddings(actions=options.memory_size)["actions"])
            embeddings.requires_grad_(training.train_action_embeddings)


def _initialise_words(network: RecipeNetwork, experiment: Experiment, prepared: Prepared) -> None:
    options, training = experiment.network, experiment.training
    wanted = {"words": options.word_size}
    if training.entity_embeddings == "skipgram":
        wanted["entities"] = options.memory_size
    vectors = prepared.embeddings(**wanted)
    words = _spread(vectors["words"], training.embedding_spread)
    network.words.copy_(words)
    memory = network.entity_memory
    if training.entity_embeddings == "skipgram":
        entities = _spread(vectors["entities"], training.embedding_spread)
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
    ids, first = _first_of_each(arrays["ingredients"].long())
    known = ids > UNKNOWN
    ids, first = ids[known], first[known]
    ends = arrays["ingredient_token_offsets"]
    start, length = ends[first], ends[first + 1] - ends[first]
    column = torch.arange(max(int(length.max()) if len(length) else 0, 1))
    there = column < length[:, None]
    spelling = torch.where(there, start[:, None] + column, 0)
    words = arrays["ingredient_tokens"].to(torch.int64)
    if not len(words):
        return ids, vectors.new_zeros(len(ids), vectors.shape[1])
    names: Tensor = name_vectors(vectors[words[spelling]], there.float())
    return ids, names


def _first_of_each(values: Tensor) -> tuple[Tensor, Tensor]:
    distinct, place = torch.unique(values, return_inverse=True)
    first = torch.full_like(distinct, len(values))
    return distinct, first.scatter_reduce(0, place, torch.arange(len(values)), "amin")
