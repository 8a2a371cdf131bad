"""What the tracking baselines share: words, the ingredients' keys, and the form of what they say.

Each has the face of `NeuralProcessNetwork`, so one trainer, one contract test and one tracker
serve them all. What a baseline does not have is empty in its outcome: no actions,
no memory, and no end state but "no change".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from torch import Tensor, nn

from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.outcome import Outcome
from npn.networks.paper.parameters import table
from npn.networks.paper.simulation import EntityMemory


class Baseline(nn.Module, ABC):
    """Keys are those of the paper's network: an embedding of the entity, or its name's words."""

    passes_over_padding = True  # among the words of a sentence

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        # A baseline has neither actions nor a choice between this step's entities and the last's.
        options = replace(config.options, recurrent_attention=False, action_connections=False)
        self.config = replace(config, options=options)
        self.words = table(config.sizes.words, options.word_size)
        self.entity_memory = EntityMemory(self.config)

    @abstractmethod
    def forward(self, batch: Batch) -> Outcome:
        """What it says of a batch."""

    def vectors(self, words: Tensor) -> Tensor:
        return nn.functional.embedding(words, self.words, padding_idx=PAD)

    def keys(self, batch: Batch) -> Tensor:
        """(B, I, E)"""
        names = equations.name_vectors(
            self.vectors(batch.names), (batch.names != PAD).to(self.words.dtype)
        )
        keys: Tensor = self.entity_memory(batch, names)
        return keys

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
