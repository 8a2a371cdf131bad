"""Entity selector: section 2.4, equations 2 and 3."""

from __future__ import annotations

from torch import Tensor, nn

from npn.networks.paper import equations
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.parameters import bias, weight


class EntitySelector(nn.Module):
    """Without `recurrent_attention` (an ablation) a sentence's own attention is final."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        options = config.options
        hidden = options.hidden_size
        seen = hidden + (config.sizes.actions if options.action_connections else 0)
        self.W_1, self.b_1 = weight(hidden, hidden), bias(hidden)
        self.W_2 = weight(options.memory_size, seen, inputs=hidden)
        self._recurrent = options.recurrent_attention
        self._connected = options.action_connections
        if self._recurrent:
            self.W_3, self.b_3 = weight(3, hidden), bias(3)
        self.dropout = nn.Dropout(options.dropout)

    def forward(
        self, h: Tensor, actions: Tensor, keys: Tensor, present: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """d (B, T, I), and the choice c (B, T, 3) where attention is recurrent."""
        summary = equations.sentence_summary(h, self.W_1, self.b_1, self.dropout)
        query = equations.attention_query(
            summary, actions if self._connected else None, self.W_2, self.dropout
        )
        d = equations.sentence_attention(keys, query, present)
        if not self._recurrent:
            return d, None
        return d, equations.attention_choice(summary, self.W_3, self.b_3, self.dropout)
