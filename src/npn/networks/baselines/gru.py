"""The adapted GRU of the paper's table 2: entities and state changes, each on its own.

Two encoders read a step. From one, entities are selected as in the paper's network (equation 2
without action weights); from the other, end states are predicted. Nothing passes from one step to
the next, or from entities to state changes: the least a network can have.
"""

from __future__ import annotations

from torch import nn

from npn.networks.baselines.baseline import Baseline
from npn.networks.paper import equations
from npn.networks.paper.batch import Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.encoder import SentenceEncoder
from npn.networks.paper.entity_selector import EntitySelector
from npn.networks.paper.outcome import Outcome
from npn.networks.paper.parameters import bias, weight


class AdaptedGRU(Baseline):
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
        d, _ = self.entity_selector(h, h, self.keys(batch), batch.present)
        h = self.state_encoder(words, batch)
        end_states = tuple(
            equations.end_state_logits(h, W, b, self.dropout)
            for W, b in zip(self.W_s, self.b_s, strict=True)
        )
        return self.outcome(d, batch, proposals=h, end_states=end_states)
