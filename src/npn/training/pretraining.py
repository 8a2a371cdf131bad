"""What a network begins with: skip-gram vectors of the training set for words, entities and, in an
ablation, actions."""

from __future__ import annotations

import torch
from torch import Tensor

from npn.network.batch import UNKNOWN
from npn.network.equations import name_vectors
from npn.network.network import NeuralProcessNetwork
from npn.training.config import Experiment
from npn.training.prepared import Prepared

RIDGE = 1.0  # against names of words that hardly occur


def initialise(network: NeuralProcessNetwork, experiment: Experiment, prepared: Prepared) -> None:
    """Fill in the embeddings, and freeze those of actions where the experiment says so."""
    options, training = experiment.network, experiment.training
    wanted = {}
    if training.embeddings == "skipgram":
        wanted = {"words": options.word_size, "entities": options.memory_size}
    if training.action_embeddings == "skipgram":
        wanted["actions"] = options.memory_size
    vectors = prepared.embeddings(**wanted) if wanted else {}
    with torch.no_grad():
        if "words" in wanted:
            network.words.copy_(vectors["words"])
            network.entity_memory.E.copy_(vectors["entities"])
            network.entity_memory.W_name.copy_(_name_projection(vectors, prepared))
        if "actions" in wanted:
            network.action_selector.F.copy_(vectors["actions"])
    network.action_selector.F.requires_grad_(training.train_action_embeddings)


def _name_projection(vectors: dict[str, Tensor], prepared: Prepared) -> Tensor:
    """The matrix that best turns the words of the names of known entities into these entities:
    where an unknown one then begins."""
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
        return vectors["entities"].new_zeros(
            vectors["entities"].shape[1], vectors["words"].shape[1]
        )
    names: Tensor = name_vectors(vectors["words"][words[spelling]], there.float()).double()
    gram = names.T @ names + RIDGE * torch.eye(names.shape[1], dtype=torch.float64)
    solution = torch.linalg.solve(gram, names.T @ vectors["entities"][ids].double())
    projection: Tensor = solution.T.float()
    return projection


def _first_of_each(values: Tensor) -> tuple[Tensor, Tensor]:
    distinct, place = torch.unique(values, return_inverse=True)
    first = torch.full_like(distinct, len(values))
    return distinct, first.scatter_reduce(0, place, torch.arange(len(values)), "amin")
