"""The generators in PyTorch: they own the parameters, and read whole sequences with cuDNN."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from npn.networks.common.network import bias, table, weight
from npn.networks.generator import equations
from npn.networks.generator.batch import Context
from npn.networks.generator.config import LONGEST_PROGRESS, GeneratorConfig
from npn.networks.generator.forward import (
    ContextVectors,
    GeneratorStepper,
    Look,
    Parameters,
    look,
    read,
    target_log_probabilities,
)
from npn.networks.paper.batch import Ids, pack


class GeneratorNetwork(nn.Module):
    """Parameters are called as in `npn.networks.generator.config`."""

    def __init__(self, config: GeneratorConfig) -> None:
        super().__init__()
        self.config = config
        V, D, H = config.words, config.word_size, config.hidden_size
        self.words = table(V, D)
        self.context = nn.GRU(D, H, bidirectional=True, batch_first=True)
        self.decoder = nn.GRU(D, H, batch_first=True)
        self.W_5 = weight(H, 2 * H)
        self.W_o, self.b_o = weight(V, H), bias(V)
        if config.reads_states:
            self.states = nn.GRU(config.state_size, H, bidirectional=True, batch_first=True)
        if config.attends:
            self.W_a = weight(H, 2 * H)
            self.W_c = weight(H, 4 * H if config.copies else 3 * H)
        if config.copies:
            self.features = nn.ParameterList(table(size, D) for size in config.features)
            self.W_u, self.b_u = weight(H, 2 * D), bias(H)
            self.W_k, self.b_k = weight(H, 2 * D + H), bias(H)
            self.W_b = weight(H, H)
            self.W_g, self.b_g = weight(3, H), bias(3)
            self.W_f = weight(H, 2 * H)
            self.progress = nn.Parameter(torch.zeros(LONGEST_PROGRESS, H))
        self.dropout = nn.Dropout(config.dropout)

    def parameters_by_name(self) -> Parameters:
        return dict(self.named_parameters())

    def forward(self, context: Context, written: Tensor) -> tuple[ContextVectors, Look]:
        """Where the decoder is after each of the words `written` (B, T), ids of the vocabulary, of
        which the first is <start>."""
        p = self.parameters_by_name()
        reading = read(p, self.config, context, self.sequences)
        x = self.dropout(equations.rows(p["words"], written))
        s, _ = self.decoder(x, reading.first[None].contiguous())
        return reading, look(p, self.config, reading, s)

    def log_likelihood(
        self, context: Context, written: Tensor, encoded: Tensor, forms: Tensor, places: Tensor
    ) -> Tensor:
        """(P,) of the words that follow `written`, given (B, T) by ids and forms, at `places` of
        the B times T: those that are not padding."""
        reading, looked = self(context, written)
        p = self.parameters_by_name()
        found: Tensor = target_log_probabilities(
            p, reading, looked, encoded, forms, places, self.dropout
        )
        return found

    def sequences(self, name: str, x: Tensor, lengths: Ids) -> tuple[Tensor, Tensor]:
        """`lengths` are on the host. What has no length at all stays zero."""
        gru: nn.GRU = getattr(self, name)
        return (read_packed if x.is_cuda else read_padded)(gru, x, np.asarray(lengths))

    def stepper(self) -> GeneratorStepper:
        """To decode with; the module should be in evaluation."""
        detached = {name: p.detach() for name, p in self.named_parameters()}
        return GeneratorStepper(self.config, detached, self.sequences)


def read_packed(gru: nn.GRU, x: Tensor, lengths: Ids) -> tuple[Tensor, Tensor]:
    """For cuDNN: no work is done beyond `lengths`."""
    B, L = x.shape[:2]
    places, counts, rank = pack(lengths, np.arange(B) * L)
    if not len(counts):
        nothing = x.new_zeros(B, 2 * gru.hidden_size)
        return nothing[:, None].expand(B, L, -1), nothing
    there = torch.from_numpy(places).to(x.device, non_blocking=True)
    packed = PackedSequence(x.flatten(0, 1).index_select(0, there), torch.from_numpy(counts))
    outputs, last = gru(packed)
    states = x.new_zeros(B * L, 2 * gru.hidden_size).index_copy(0, there, outputs.data)
    both = nn.functional.pad(torch.cat([last[0], last[1]], -1), (0, 0, 0, 1))
    rows = torch.from_numpy(rank).to(x.device, non_blocking=True)
    return states.view(B, L, -1), both.index_select(0, rows)


def read_padded(gru: nn.GRU, x: Tensor, lengths: Ids) -> tuple[Tensor, Tensor]:
    """For processors without cuDNN, where the gradients of packed sequences take most of the time:
    each way by itself, from the first word on, over padding and all."""
    B, L = x.shape[:2]
    count = torch.from_numpy(lengths)[:, None]
    column = torch.arange(L)
    there = (column < count)[..., None]
    backwards = torch.where(column < count, count - 1 - column, column)[..., None]
    last = (count - 1).clamp(min=0)[..., None].expand(B, 1, gru.hidden_size)
    nothing = x.new_zeros(1, B, gru.hidden_size)
    found, ends = [], []
    for way, weights in enumerate(gru.all_weights):
        read = x.gather(1, backwards.expand_as(x)) if way else x
        flat: list[Tensor] = [*weights]
        states, _ = torch.gru(read, nothing, flat, True, 1, 0.0, gru.training, False, True)
        states = states * there
        ends.append(states.gather(1, last)[:, 0])
        found.append(states.gather(1, backwards.expand_as(states)) if way else states)
    return torch.cat(found, -1), torch.cat(ends, -1)
