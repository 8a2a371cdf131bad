"""State predictors: section 2.6, equation 8."""

from __future__ import annotations

from torch import Tensor, nn

from npn.networks.paper import equations
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.parameters import bias, weight

LOCATION = 0  # in `npn.trace.STATE_TYPES`, whose order the predictors follow


class StatePredictors(nn.Module):
    """One classifier a type; class 0 is "no change". Location also sees the sentence."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        sizes, options = config.sizes.end_states, config.options
        inputs = [options.memory_size] * len(sizes)
        inputs[LOCATION] += options.hidden_size
        self.W_s = nn.ParameterList(weight(n, i) for n, i in zip(sizes, inputs, strict=True))
        self.b_s = nn.ParameterList(bias(n) for n in sizes)
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, k: Tensor, h: Tensor) -> tuple[Tensor, ...]:
        """The logits (B, T, C) of each type's end states."""
        return tuple(
            equations.end_state_logits(
                equations.with_sentence(k, h) if s == LOCATION else k, W, b, self.dropout
            )
            for s, (W, b) in enumerate(zip(self.W_s, self.b_s, strict=True))
        )
