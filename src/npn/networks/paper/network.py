"""The Neural Process Network in PyTorch: its modules in the order in which a batch meets them.

They own the parameters; what is done with them is in `forward.py`, the mathematics in
`equations.py`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from npn.networks.common.network import bias, table, weight
from npn.networks.common.operations import Array
from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, UNKNOWN, Batch, Outcome
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.forward import action_logits, first_memory, simulate_recipes

HOLD = 1e4  # opens a GRU's update gate so far that the state passes through, to the last bit
HOLD_COLUMNS = 4  # one would do; four keep the rows of cuDNN's inputs aligned
LOCATION = 0  # in `npn.trace.STATE_TYPES`, whose order the predictors follow


def to_device(array: Array, device: torch.device) -> Tensor:
    """The tensor of a NumPy array. A GPU fetches it by itself, while the program goes on."""
    tensor: Tensor = torch.from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor


def batch_to_device(batch: Batch, device: torch.device) -> Batch:
    """A batch of NumPy arrays as tensors, all on the device but the counts."""
    moved = batch.map(lambda array: to_device(array, device))
    return replace(moved, counts=torch.from_numpy(batch.counts))


class SentenceEncoder(nn.Module):
    """Section 2.2: a GRU whose last hidden vector is the sentence. There are two in the network:
    one for the action selector, one for the entity selector."""

    def __init__(self, word_size: int, hidden_size: int) -> None:
        super().__init__()
        self.gru = nn.GRU(word_size, hidden_size)

    def forward(self, words: Tensor, batch: Batch) -> Tensor:
        """h_t (B, T, H) from the vectors (P, D) of the batch's packed words; zero for a sentence
        without a word."""
        (encoded,) = encode([self.gru], words, batch)
        return encoded


def encode(grus: Sequence[nn.GRU], words: Tensor, batch: Batch) -> Sequence[Tensor]:
    """The h_t (B, T, H) of each of several GRUs of one size that read the same words."""
    if not len(batch.counts):
        last = [words.new_zeros(0, gru.hidden_size) for gru in grus]
    elif batch.words.is_cuda or bool((batch.words == PAD).any()):
        last = list(side_by_side(grus, words, batch).chunk(len(grus), -1))
    else:  # a processor, and no word is padding
        last = [last_hidden(gru, words, batch.counts) for gru in grus]
    return [in_place(one, batch) for one in last]


def side_by_side(grus: Sequence[nn.GRU], words: Tensor, batch: Batch) -> Tensor:
    """The last hidden vectors (N, nH) of n GRUs of one size, as one GRU of n times the size in
    which none sees another: a device waits for one word after the other, not for arithmetic.

    A padding word leaves its sentence as it is, so that batches of one form can be played by one
    recorded graph.
    """
    many, size, width = len(grus), grus[0].hidden_size, words.shape[1]
    W_i, W_h, b_i, b_h = (
        torch.stack(same_kind).view(many, 3, size, *same_kind[0].shape[1:])
        for same_kind in zip(*(gru.all_weights[0] for gru in grus), strict=True)
    )
    apart = torch.diag_embed(W_h.movedim(0, -1)).permute(0, 3, 1, 4, 2)  # (3, n, H, n, H)
    hold = words.new_zeros(3, many, size, HOLD_COLUMNS)
    hold[1].fill_(HOLD)  # reset, update, new
    W_i = torch.cat([W_i.transpose(0, 1), hold], -1)
    inputs = width + HOLD_COLUMNS
    gates = 3 * many * size
    shapes: list[tuple[int, ...]] = [(gates, inputs), (gates, many * size), (gates,), (gates,)]
    # One after the other in memory, as cuDNN wants them.
    flat = torch.cat(
        [W_i.flatten(), apart.flatten()] + [b.transpose(0, 1).flatten() for b in (b_i, b_h)]
    )
    parts = torch.split(flat, [math.prod(shape) for shape in shapes])
    weights = [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]
    padding = (batch.words == PAD)[:, None].to(words.dtype).expand(-1, HOLD_COLUMNS)
    nothing = words.new_zeros(1, int(batch.counts[0]), many * size)
    seen = torch.cat([words, padding], -1)
    training = grus[0].training
    _, last = torch.gru(seen, batch.counts, nothing, weights, True, 1, 0.0, training, False)
    return last[0]


def last_hidden(gru: nn.GRU, words: Tensor, counts: Tensor) -> Tensor:
    """The hidden vectors (N, H) after each sentence's last word, from the packed vectors (P, D) of
    their words; the first of `counts` is N."""
    nothing = words.new_zeros(1, int(counts[0]), gru.hidden_size)
    weights: list[Tensor] = [*gru.all_weights[0]]
    _, last = torch.gru(words, counts, nothing, weights, True, 1, 0.0, gru.training, False)
    return last[0]


def in_place(encoded: Tensor, batch: Batch) -> Tensor:
    """The encoded sentences (N, H) where they stand (B, T, H), zero where there is none."""
    padded = nn.functional.pad(encoded, (0, 0, 0, 1))
    # The gradient of plain indexing would add up all the padding, one after the other.
    return nn.functional.embedding(batch.rows, padded, padding_idx=len(encoded))


class ActionSelector(nn.Module):
    """Section 2.3, equation 1."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        hidden, actions = config.options.hidden_size, config.sizes.actions
        self.W_h, self.b_h = weight(hidden, hidden), bias(hidden)
        self.W_p, self.b_p = weight(actions, hidden), bias(actions)
        self.F = table(actions, config.options.memory_size)


class EntitySelector(nn.Module):
    """Section 2.4, equations 2 and 3. Without `recurrent_attention` (an ablation) the attention of
    equation 2 is final."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        options = config.options
        hidden = options.hidden_size
        seen = hidden + (config.sizes.actions if options.action_connections else 0)
        self.W_1, self.b_1 = weight(hidden, hidden), bias(hidden)
        self.W_2 = weight(options.memory_size, seen, inputs=hidden)
        if options.recurrent_attention:
            self.W_3, self.b_3 = weight(3, hidden), bias(3)


class EntityMemory(nn.Module):
    """The entities' keys, which are also their first values."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        size = config.options.memory_size
        self.E = table(config.sizes.entities, size)
        self.W_name = weight(size, config.options.word_size)


class Applicator(nn.Module):
    """Simulation module: section 2.5, equations 4 to 7."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        size = config.options.memory_size
        self.W_4 = weight(size, size, size)  # action, output, entity
        self.b_4 = bias(size)


class StatePredictors(nn.Module):
    """Section 2.6, equation 8: one classifier a type; class 0 is "no change". Location also sees
    the sentence."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        sizes, options = config.sizes.end_states, config.options
        inputs = [options.memory_size] * len(sizes)
        inputs[LOCATION] += options.hidden_size
        self.W_s = nn.ParameterList(weight(n, i) for n, i in zip(sizes, inputs, strict=True))
        self.b_s = nn.ParameterList(bias(n) for n in sizes)


class RecipeNetwork(nn.Module, ABC):
    """What the paper's network and its baselines share: they read a batch and say an outcome, and
    keys are an embedding of the entity, or its name's words."""

    config: NetworkConfig
    words: nn.Parameter
    entity_memory: EntityMemory

    @abstractmethod
    def forward(self, batch: Batch) -> Outcome:
        """What it says of a batch."""

    def vectors(self, words: Tensor) -> Tensor:
        return nn.functional.embedding(words, self.words, padding_idx=PAD)

    def keys(self, batch: Batch) -> Tensor:
        """e_i0 (B, I, E), which is also the memory before the first step. Names speak for entities
        that the vocabulary does not know."""
        names = equations.name_vectors(
            self.vectors(batch.names), (batch.names != PAD).to(self.words.dtype)
        )
        entities = nn.functional.embedding(batch.entities, self.entity_memory.E)
        known = batch.entities != UNKNOWN
        keys: Tensor = equations.entity_keys(entities, names, known, self.entity_memory.W_name)
        return keys


class NeuralProcessNetwork(RecipeNetwork):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        options = config.options
        self.config = config
        self.words = table(config.sizes.words, options.word_size)
        self.action_encoder = SentenceEncoder(options.word_size, options.hidden_size)
        self.entity_encoder = SentenceEncoder(options.word_size, options.hidden_size)
        self.action_selector = ActionSelector(config)
        self.entity_selector = EntitySelector(config)
        self.entity_memory = EntityMemory(config)
        self.applicator = Applicator(config)
        self.state_predictors = StatePredictors(config)
        self.dropout = nn.Dropout(options.dropout)

    def action_logits(self, batch: Batch) -> Tensor:
        """The action selector alone, as it is pretrained."""
        h = self.action_encoder(self.vectors(batch.words), batch)
        logits: Tensor = action_logits(dict(self.named_parameters()), h, self.dropout)
        return logits

    def forward(self, batch: Batch) -> Outcome:
        words = self.vectors(batch.words)
        h_action, h = encode([self.action_encoder.gru, self.entity_encoder.gru], words, batch)
        memory = first_memory(self.config, self.keys(batch), batch.present)
        parameters = dict(self.named_parameters())
        return simulate_recipes(parameters, self.config, batch, (h_action, h), memory, self.dropout)
