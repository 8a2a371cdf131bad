"""The adapted Recurrent Entity Network of the paper's table 2 (Henaff et al. 2017).

One memory cell an ingredient. A gate, from the sentence, the cell and its key, says how far the
sentence is written to the cell; the paper reads that gate as the selection of entities, and uses it
again, normalised, to read the cells that the state predictors see. The sentence is encoded twice:
once for the gate, once for what is written.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from npn.networks.baselines.baseline import Baseline
from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.encoder import in_place
from npn.networks.paper.outcome import Outcome
from npn.networks.paper.state_predictors import StatePredictors

POSITIONS = 50  # words of a sentence that have a mask of their own; later ones share the last
SPREAD = 0.1  # of weights at first, as in Henaff et al.


class MaskEncoder(nn.Module):
    """s_t: the sum of the sentence's word vectors, each times the mask of its position."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.masks = nn.Parameter(torch.ones(POSITIONS, size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, words: Tensor, batch: Batch) -> Tensor:
        """(B, T, D) from the vectors (P, D) of the batch's packed words."""
        if not len(batch.counts):
            return in_place(words.new_zeros(0, words.shape[-1]), batch)
        there = (batch.words != PAD)[:, None]
        packed = PackedSequence(self.dropout(words) * there, batch.counts)
        grid, _ = pad_packed_sequence(packed)  # (L, N, D)
        last = self.masks[-1:].expand(max(len(grid) - POSITIONS, 0), -1)
        masks = torch.cat([self.masks[: len(grid)], last])
        return in_place((grid * masks[:, None]).sum(0), batch)


class RecurrentEntityNetwork(Baseline):
    """Cells, keys and words are of one size: `memory_size`, `hidden_size` and `word_size` agree."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__(config)
        options = self.config.options
        size = options.memory_size
        if not size == options.word_size == options.hidden_size:
            raise ValueError("words, cells and keys of an entity network are of one size")
        self.gate_encoder = MaskEncoder(size, options.dropout)
        self.content_encoder = MaskEncoder(size, options.dropout)
        self.U, self.V, self.W = (nn.Parameter(SPREAD * torch.randn(size, size)) for _ in range(3))
        self.slope = nn.Parameter(torch.ones(size))  # of PReLU: the identity at first
        self.state_predictors = StatePredictors(self.config)

    def forward(self, batch: Batch) -> Outcome:
        words = self.vectors(batch.words)
        keys = self.keys(batch)
        content = self.content_encoder(words, batch)
        gates, cells, read = self._walk(self.gate_encoder(words, batch), content, keys, batch)
        end_states = self.state_predictors(read, content)
        return self.outcome(gates, batch, proposals=read, memory=cells, end_states=end_states)

    def _walk(
        self, asked: Tensor, content: Tensor, keys: Tensor, batch: Batch
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gates (B, T, I), cells (B, T, I, D) after each step, and what is read (B, T, D)."""
        epsilon = self.config.options.epsilon
        # What does not change from step to step, worked out at once.
        by_key = torch.einsum("btd,bid->bti", asked, keys).unbind(1)
        written = (keys @ self.V.T)[:, None] + (content @ self.W.T)[:, :, None]
        there = (batch.steps[..., None] & batch.present[:, None]).to(keys.dtype).unbind(1)
        cells = keys
        gates, memories, reads = [], [], []
        for t, (s, new) in enumerate(zip(asked.unbind(1), written.unbind(1), strict=True)):
            gate = equations.sigmoid((cells @ s[..., None])[..., 0] + by_key[t]) * there[t]
            cells = cells + gate[..., None] * self._activate(cells @ self.U.T + new)
            cells = equations.unit_length(cells, epsilon)
            gates.append(gate)
            memories.append(cells)
            reads.append(
                equations.entity_summary(equations.normalise_attention(gate, epsilon), cells)
            )
        return torch.stack(gates, 1), torch.stack(memories, 1), torch.stack(reads, 1)

    def _activate(self, x: Tensor) -> Tensor:
        return torch.where(x > 0, x, self.slope * x)
