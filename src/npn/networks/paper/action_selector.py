"""Action selector: section 2.3, equation 1."""

from __future__ import annotations

from torch import Tensor, nn

from npn.networks.paper import equations
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.parameters import bias, table, weight


class ActionSelector(nn.Module):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        hidden, actions = config.options.hidden_size, config.sizes.actions
        self.W_h, self.b_h = weight(hidden, hidden), bias(hidden)
        self.W_p, self.b_p = weight(actions, hidden), bias(actions)
        self.F = table(actions, config.options.memory_size)
        self.dropout = nn.Dropout(config.options.dropout)
        self._epsilon = config.options.epsilon

    def logits(self, h: Tensor) -> Tensor:
        logits: Tensor = equations.action_logits(
            h, self.W_h, self.b_h, self.W_p, self.b_p, self.dropout
        )
        return logits

    def forward(self, w_p: Tensor) -> tuple[Tensor, Tensor]:
        """The normalised weights, and the action summary f_t (B, T, E)."""
        normalised = equations.normalise_actions(w_p, self._epsilon)
        return normalised, equations.action_summary(normalised, self.F)
