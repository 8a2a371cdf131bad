"""Sentence encoder: section 2.2. All sentences of a batch in one call."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from npn.networks.paper.batch import PAD, Batch
from npn.networks.paper.gru import last_hidden

HOLD = 1e4  # opens a GRU's update gate so far that the state passes through, to the last bit
HOLD_COLUMNS = 4  # one would do; four keep the rows of cuDNN's inputs aligned


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
        elif _on_processor(batch):
            encoded = last_hidden(self.gru, words, batch.counts)
        else:
            encoded = side_by_side([self.gru], words, batch)
        return in_place(encoded, batch)


def encode_twice(
    first: SentenceEncoder, second: SentenceEncoder, words: Tensor, batch: Batch
) -> tuple[Tensor, Tensor]:
    """What each of two encoders of one size makes of the same words."""
    if len(batch.counts) == 0 or _on_processor(batch):
        return first(words, batch), second(words, batch)
    both = in_place(side_by_side([first.gru, second.gru], words, batch), batch)
    h_first, h_second = both.chunk(2, -1)
    return h_first, h_second


def side_by_side(grus: Sequence[nn.GRU], words: Tensor, batch: Batch) -> Tensor:
    """The last hidden vectors (N, nH) of n GRUs of one size, as one GRU of n times the size in
    which none sees another: a device waits for one word after the other, not for arithmetic.

    A padding word leaves its sentence as it is, so that batches of one form can be played by one
    recorded graph.
    """
    many, size, width = len(grus), grus[0].hidden_size, words.shape[1]
    W_i, W_h, b_i, b_h = (
        torch.stack(alike).view(many, 3, size, *alike[0].shape[1:])
        for alike in zip(*(gru.all_weights[0] for gru in grus), strict=True)
    )
    apart = torch.diag_embed(W_h.movedim(0, -1)).permute(0, 3, 1, 4, 2)  # (3, n, H, n, H)
    hold = words.new_zeros(3, many, size, HOLD_COLUMNS)
    hold[1].fill_(HOLD)  # reset, update, new
    W_i = torch.cat([W_i.transpose(0, 1), hold], -1)
    inputs = width + HOLD_COLUMNS
    gates = 3 * many * size
    shapes: list[tuple[int, ...]] = [(gates, inputs), (gates, many * size), (gates,), (gates,)]
    # One after the other in memory, as cuDNN wants them.
    flat = torch.cat(
        [W_i.flatten(), apart.flatten()] + [b.transpose(0, 1).flatten() for b in (b_i, b_h)]
    )
    parts = torch.split(flat, [math.prod(shape) for shape in shapes])
    weights = [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]
    padding = (batch.words == PAD)[:, None].to(words.dtype).expand(-1, HOLD_COLUMNS)
    nothing = words.new_zeros(1, int(batch.counts[0]), many * size)
    seen = torch.cat([words, padding], -1)
    training = grus[0].training
    _, last = torch.gru(seen, batch.counts, nothing, weights, True, 1, 0.0, training, False)
    return last[0]


def _on_processor(batch: Batch) -> bool:
    """Whether our own GRU reads the batch: it is no faster on a device, and knows no padding."""
    return not batch.words.is_cuda and not bool((batch.words == PAD).any())


def in_place(encoded: Tensor, batch: Batch) -> Tensor:
    """The encoded sentences (N, H) where they stand (B, T, H), zero where there is none."""
    padded = nn.functional.pad(encoded, (0, 0, 0, 1))
    # The gradient of plain indexing would add up all the padding, one after the other.
    return nn.functional.embedding(batch.rows, padded, padding_idx=len(encoded))
