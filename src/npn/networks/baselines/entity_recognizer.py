"""The two-layer LSTM entity recognizer of the paper's table 2.

The paper does not describe it. This is the smallest thing that bears the name: an LSTM reads the
step, and a bilinear score of its last state with an ingredient's key says whether the step is about
that ingredient. It says nothing of state changes.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from npn.networks.baselines.baseline import Baseline
from npn.networks.paper import equations
from npn.networks.paper.batch import Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.encoder import in_place
from npn.networks.paper.outcome import Outcome
from npn.networks.paper.parameters import weight

LAYERS = 2


class EntityRecognizer(Baseline):
    passes_over_padding = False

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
        _, (last, _) = self.lstm(PackedSequence(words, batch.counts))
        return in_place(last[-1], batch)
