"""Sentence encoder: section 2.2. All sentences of a batch in one call."""

from __future__ import annotations

import math

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
        if len(batch.counts) == 0:
            encoded = words.new_zeros(0, self.gru.hidden_size)
        elif words.is_cuda:
            _, last = self.gru(PackedSequence(words, batch.counts))
            encoded = last[0]
        else:
            encoded = last_hidden(self.gru, words, batch.counts)
        return _in_place(encoded, batch)


def encode_twice(
    first: SentenceEncoder, second: SentenceEncoder, words: Tensor, batch: Batch
) -> tuple[Tensor, Tensor]:
    """What each of two encoders of one size makes of the same words."""
    if not words.is_cuda or len(batch.counts) == 0:
        return first(words, batch), second(words, batch)
    h_first, h_second = _in_place(both_last_hidden(first, second, words, batch), batch).chunk(2, -1)
    return h_first, h_second


def both_last_hidden(
    first: SentenceEncoder, second: SentenceEncoder, words: Tensor, batch: Batch
) -> Tensor:
    """The last hidden vectors (N, 2H) of two encoders, as one GRU of twice the size in which
    neither sees the other: a device waits for one word after the other, not for arithmetic."""
    size = first.gru.hidden_size
    W_i, W_h, b_i, b_h = (
        torch.stack(pair).view(2, 3, size, *pair[0].shape[1:])
        for pair in zip(first.gru.all_weights[0], second.gru.all_weights[0], strict=True)
    )
    apart = torch.diag_embed(W_h.movedim(0, -1)).permute(0, 3, 1, 4, 2)  # (3, 2, H, 2, H)
    shapes = [(6 * size, words.shape[1]), (6 * size, 2 * size), (6 * size,), (6 * size,)]
    # One after the other in memory, as cuDNN wants them.
    flat = torch.cat(
        [W_i.transpose(0, 1).flatten(), apart.flatten()]
        + [b.transpose(0, 1).flatten() for b in (b_i, b_h)]
    )
    parts = torch.split(flat, [math.prod(shape) for shape in shapes])
    weights = [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]
    nothing = words.new_zeros(1, int(batch.counts[0]), 2 * size)
    training = first.training
    _, last = torch.gru(words, batch.counts, nothing, weights, True, 1, 0.0, training, False)
    return last[0]


def _in_place(encoded: Tensor, batch: Batch) -> Tensor:
    """The encoded sentences (N, H) where they stand (B, T, H), zero where there is none."""
    padded = nn.functional.pad(encoded, (0, 0, 0, 1))
    # The gradient of plain indexing would add up all the padding, one after the other.
    return nn.functional.embedding(batch.rows, padded, padding_idx=len(encoded))
