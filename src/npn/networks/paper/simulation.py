"""Simulation module: section 2.5, equations 4 to 7."""

from __future__ import annotations

from torch import Tensor, nn

from npn.networks.paper import equations, walk
from npn.networks.paper.batch import UNKNOWN, Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.parameters import bias, table, weight


class EntityMemory(nn.Module):
    """The entities' keys, which are also their first values."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        size = config.options.memory_size
        self.E = table(config.sizes.entities, size)
        self.W_name = weight(size, config.options.word_size)

    def forward(self, batch: Batch, names: Tensor) -> Tensor:
        """e_i0 (B, I, E). `names` (B, I, D) speak for entities the vocabulary does not know."""
        keys: Tensor = equations.entity_keys(
            nn.functional.embedding(batch.entities, self.E),
            names,
            batch.entities != UNKNOWN,
            self.W_name,
        )
        return keys


class Applicator(nn.Module):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        size = config.options.memory_size
        self.W_4 = weight(size, size, size)  # action, output, entity
        self.b_4 = bias(size)
        self._epsilon = config.options.epsilon
        self._normalise_memory = config.options.normalise_memory

    def forward(self, f: Tensor, a: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        """The proposals k (B, T, E), and the memory (B, T, I, E) after each step."""
        operators = equations.action_operators(f, self.W_4)
        if self._normalise_memory:
            return equations.simulate(
                a, operators, keys, self.b_4, epsilon=self._epsilon, normalise_memory=True
            )
        return walk.simulate(a, operators, keys, self.b_4, epsilon=self._epsilon)
