"""The generators in PyTorch: they own the parameters, and read whole sequences with cuDNN."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from npn.networks.common.network import bias, table, weight
from npn.networks.common.operations import embed
from npn.networks.generator.batch import Context
from npn.networks.generator.config import LONGEST_PROGRESS, GeneratorConfig
from npn.networks.generator.forward import (
    ContextVectors,
    GeneratorStepper,
    Ids,
    Look,
    look,
    read,
    target_log_probabilities,
)


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

    def forward(self, context: Context, written: Tensor) -> tuple[ContextVectors, Look]:
        """Where the decoder is after each of the words `written` (B, T), ids of the vocabulary, of
        which the first is <start>."""
        p = dict(self.named_parameters())
        reading = read(p, self.config, context, self.read_sequences)
        x = self.dropout(embed(p["words"], written))
        s, _ = self.decoder(x, reading.first[None].contiguous())
        return reading, look(p, self.config, reading, s)

    def log_likelihood(
        self, context: Context, written: Tensor, encoded: Tensor, forms: Tensor, places: Tensor
    ) -> Tensor:
        """(P,) of the words that follow `written`, given (B, T) by ids and forms, at `places` of
        the B times T: those that are not padding."""
        reading, looked = self(context, written)
        found: Tensor = target_log_probabilities(
            dict(self.named_parameters()), reading, looked, encoded, forms, places, self.dropout
        )
        return found

    def read_sequences(self, name: str, x: Tensor, lengths: Ids) -> tuple[Tensor, Tensor]:
        """`lengths` are on the host. What has no length at all stays zero."""
        gru: nn.GRU = getattr(self, name)
        return (read_packed if x.is_cuda else read_padded)(gru, x, torch.from_numpy(lengths))

    def stepper(self) -> GeneratorStepper:
        """To decode with; the module should be in evaluation."""
        detached = {name: p.detach() for name, p in self.named_parameters()}
        return GeneratorStepper(self.config, detached, self.read_sequences)


def read_packed(gru: nn.GRU, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """For cuDNN: no work is done beyond `lengths`."""
    at_least_one = lengths.clamp(min=1)  # cuDNN reads no empty sequences
    packed = pack_padded_sequence(x, at_least_one, batch_first=True, enforce_sorted=False)
    outputs, last = gru(packed)
    states, _ = pad_packed_sequence(outputs, batch_first=True, total_length=x.shape[1])
    there = (lengths > 0).to(x.device)[:, None]
    return states * there[..., None], torch.cat([last[0], last[1]], -1) * there


def read_padded(gru: nn.GRU, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """For processors without cuDNN, where the gradients of packed sequences take most of the time:
    each way by itself, from the first word on, over padding and all."""
    B, L = x.shape[:2]
    count, column = lengths[:, None], torch.arange(L)
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
