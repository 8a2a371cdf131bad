"""The tracking baselines of the paper's table 2.

Each has the face of `NeuralProcessNetwork`, so one trainer, one contract test and one tracker serve
them all. What a baseline does not have is empty in its outcome: no actions, no memory, and no end
state but "no change".
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from npn.networks.common.network import bias, table, weight
from npn.networks.common.operations import sigmoid
from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, Batch, Outcome
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import (
    EntityMemory,
    EntitySelector,
    RecipeNetwork,
    SentenceEncoder,
    StatePredictors,
    in_place,
)

LAYERS = 2
POSITIONS = 50  # words of a sentence that have a mask of their own; later ones share the last
SPREAD = 0.1  # of weights at first, as in Henaff et al.


class Baseline(RecipeNetwork):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        # A baseline has neither actions nor a choice between this step's entities and the last's.
        options = replace(config.options, recurrent_attention=False, action_connections=False)
        self.config = replace(config, options=options)
        self.words = table(config.sizes.words, options.word_size)
        self.entity_memory = EntityMemory(self.config)

    def outcome(
        self,
        attention: Tensor,
        batch: Batch,
        *,
        proposals: Tensor | None = None,
        memory: Tensor | None = None,
        end_states: tuple[Tensor, ...] | None = None,
    ) -> Outcome:
        """What is said with `attention` (B, T, I); none is paid in steps that are only padding."""
        attention = attention * batch.steps[..., None]
        steps = attention.shape[:2]
        if end_states is None:
            end_states = tuple(attention.new_zeros(*steps, 1) for _ in self.config.sizes.end_states)
        return Outcome(
            action_logits=attention.new_zeros(*steps, 0),
            sentence_attention=attention,
            choice=None,
            attention=attention,
            proposals=attention.new_zeros(*steps, 0) if proposals is None else proposals,
            memory=attention.new_zeros(*attention.shape, 0) if memory is None else memory,
            end_states=end_states,
        )


class EntityRecognizer(Baseline):
    """The two-layer LSTM entity recognizer. The paper does not describe it. This is the smallest
    thing that bears the name: an LSTM reads the step, and a bilinear score of its last state with
    an ingredient's key says whether the step is about that ingredient. It says nothing of state
    changes."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__(config)
        options = self.config.options
        self.lstm = nn.LSTM(
            options.word_size, options.hidden_size, num_layers=LAYERS, dropout=options.dropout
        )
        self.W = weight(options.memory_size, options.hidden_size)
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, batch: Batch) -> Outcome:
        query = equations.attention_query(self._encode(batch), None, self.W, self.dropout)
        d = equations.sentence_attention(self.keys(batch), query, batch.present)
        return self.outcome(d, batch)

    def _encode(self, batch: Batch) -> Tensor:
        """(B, T, H); zero for a sentence without a word."""
        words = self.vectors(batch.words)
        if not len(batch.counts):
            return in_place(words.new_zeros(0, self.lstm.hidden_size), batch)
        # Layer by layer, so that what is dropped between them depends on PyTorch's seed alone.
        for layer, weights in enumerate(self.lstm.all_weights):
            seen = self.dropout(words) if layer else words
            words = self._layer(seen, batch.counts, list(weights))
        states, _ = pad_packed_sequence(PackedSequence(words, batch.counts))  # (L, N, H)
        there, _ = pad_packed_sequence(PackedSequence(batch.words != PAD, batch.counts))
        last = there.sum(0).sub(1).clamp(min=0)  # of each sentence's words, past which is padding
        chosen = last[None, :, None].expand(1, -1, states.shape[-1])
        return in_place(states.gather(0, chosen)[0], batch)

    def _layer(self, words: Tensor, counts: Tensor, weights: list[Tensor]) -> Tensor:
        """The hidden vectors (P, H) after each of the packed words (P, D)."""
        nothing = words.new_zeros(1, int(counts[0]), self.lstm.hidden_size)
        states: Tensor
        states, _, _ = torch.lstm(
            words, counts, [nothing, nothing], weights, True, 1, 0.0, self.training, False
        )
        return states


class AdaptedGRU(Baseline):
    """Entities and state changes, each on its own. Two encoders read a step. From one, entities are
    selected as in the paper's network (equation 2 without action weights); from the other, end
    states are predicted. Nothing passes from one step to the next, or from entities to state
    changes: the least a network can have."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__(config)
        options, ends = self.config.options, config.sizes.end_states
        self.entity_encoder = SentenceEncoder(options.word_size, options.hidden_size)
        self.state_encoder = SentenceEncoder(options.word_size, options.hidden_size)
        self.entity_selector = EntitySelector(self.config)
        self.W_s = nn.ParameterList(weight(count, options.hidden_size) for count in ends)
        self.b_s = nn.ParameterList(bias(count) for count in ends)
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, batch: Batch) -> Outcome:
        words = self.vectors(batch.words)
        h = self.entity_encoder(words, batch)
        selector = self.entity_selector
        summary = equations.sentence_summary(h, selector.W_1, selector.b_1, self.dropout)
        query = equations.attention_query(summary, None, selector.W_2, self.dropout)
        d = equations.sentence_attention(self.keys(batch), query, batch.present)
        h = self.state_encoder(words, batch)
        end_states = tuple(
            equations.end_state_logits(h, W, b, self.dropout)
            for W, b in zip(self.W_s, self.b_s, strict=True)
        )
        return self.outcome(d, batch, proposals=h, end_states=end_states)


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
    """The adapted Recurrent Entity Network (Henaff et al. 2017). There is one memory cell an
    ingredient. A gate, from the sentence, the cell and its key, says how far the sentence is
    written to the cell; the paper reads that gate as the selection of entities, and uses it again,
    normalised, to read the cells that the state predictors see. The sentence is encoded twice: once
    for the gate, once for what is written. Cells, keys and words are of one size: `memory_size`,
    `hidden_size` and `word_size` agree."""

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
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, batch: Batch) -> Outcome:
        words = self.vectors(batch.words)
        keys = self.keys(batch)
        content = self.content_encoder(words, batch)
        gates, cells, read = self._walk(self.gate_encoder(words, batch), content, keys, batch)
        predictors = self.state_predictors
        end_states = equations.end_states(
            list(predictors.W_s), list(predictors.b_s), read, content, self.dropout
        )
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
            gate = sigmoid((cells @ s[..., None])[..., 0] + by_key[t]) * there[t]
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
