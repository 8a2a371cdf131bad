"""Sentence encoder: section 2.2. All sentences of a batch in one call."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from npn.network.batch import Batch
from npn.network.gru import last_hidden


class SentenceEncoder(nn.Module):
    """A GRU whose last hidden vector is the sentence. There are two in the network: one for the
    action selector, one for the entity selector."""

    def __init__(self, word_size: int, hidden_size: int) -> None:
        super().__init__()
        self.gru = nn.GRU(word_size, hidden_size)

    def forward(self, words: Tensor, batch: Batch) -> Tensor:
        """h_t (B, T, H) from the vectors (P, D) of the batch's packed words; zero for a sentence
        without a word."""
        nothing = words.new_zeros(1, self.gru.hidden_size)
        if len(batch.counts) == 0:
            encoded = nothing
        elif words.is_cuda:
            _, last = self.gru(PackedSequence(words, batch.counts))
            encoded = torch.cat([last[0], nothing])
        else:
            encoded = torch.cat([last_hidden(self.gru, words, batch.counts), nothing])
        return encoded[batch.rows]
