"""The Neural Process Network: section 2, its five modules in the order in which data meets them."""

from __future__ import annotations

from torch import Tensor, nn

from npn.networks.paper import equations
from npn.networks.paper.action_selector import ActionSelector
from npn.networks.paper.batch import PAD, Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.encoder import SentenceEncoder, encode_twice
from npn.networks.paper.entity_selector import EntitySelector
from npn.networks.paper.outcome import Outcome
from npn.networks.paper.parameters import table
from npn.networks.paper.recurrence import recurrent_attention
from npn.networks.paper.simulation import Applicator, EntityMemory
from npn.networks.paper.state_predictors import StatePredictors


class NeuralProcessNetwork(nn.Module):
    passes_over_padding = True  # among the words of a sentence

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        options = config.options
        self.config = config
        self.words = table(config.sizes.words, options.word_size)
        self.action_encoder = SentenceEncoder(options.word_size, options.hidden_size)
        self.entity_encoder = SentenceEncoder(options.word_size, options.hidden_size)
        self.action_selector = ActionSelector(config)
        self.entity_selector = EntitySelector(config)
        self.entity_memory = EntityMemory(config)
        self.applicator = Applicator(config)
        self.state_predictors = StatePredictors(config)

    def action_logits(self, batch: Batch) -> Tensor:
        """The action selector alone, as it is pretrained."""
        return self.action_selector.logits(self.action_encoder(self._vectors(batch.words), batch))

    def keys(self, batch: Batch) -> Tensor:
        """e_i0 (B, I, E), which is also the memory before the first step."""
        names = equations.name_vectors(
            self._vectors(batch.names), (batch.names != PAD).to(self.words.dtype)
        )
        keys: Tensor = self.entity_memory(batch, names)
        return keys

    def forward(self, batch: Batch) -> Outcome:
        words = self._vectors(batch.words)
        h_action, h = encode_twice(self.action_encoder, self.entity_encoder, words, batch)
        logits = self.action_selector.logits(h_action)
        w_p = equations.sigmoid(logits)
        normalised, f = self.action_selector(w_p)

        keys = self.keys(batch)
        seen = w_p if self.config.options.action_weights == "raw" else normalised
        d, c = self.entity_selector(h, seen, keys, batch.present)
        a = self._attention(d, c, keys, batch)

        k, memory = self.applicator(f, a, keys)
        return Outcome(logits, d, c, a, k, memory, self.state_predictors(k, h))

    def _vectors(self, words: Tensor) -> Tensor:
        return nn.functional.embedding(words, self.words, padding_idx=PAD)

    def _attention(self, d: Tensor, c: Tensor | None, keys: Tensor, batch: Batch) -> Tensor:
        """No attention is paid in steps that are only padding, so they change no memory."""
        if c is not None:
            first = equations.first_attention(
                self.config.options.first_attention, keys, batch.present
            )
            d = recurrent_attention(d, c, first)
        steps: Tensor = batch.steps
        return d * steps[..., None]
