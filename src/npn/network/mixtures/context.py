"""The sentence encoder for packed recipes, with NumPy: what `encoder` does, block by block."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from npn.network.mixtures.packed import GAP, Floats, Integers, PackedBatch
from npn.network.mixtures.rectified import rectified
from npn.network.mixtures.tables import OF_WORDS, convolve_near

BLOCK = 1024  # words: as many as a processor keeps at hand


def encode_packed(p: Mapping[str, Floats], batch: PackedBatch) -> Floats:
    """The words in their contexts (P, D); zero where there is no word."""
    context = np.empty((len(batch.words), p["words"].shape[1]), np.float32)
    gaps = np.append(batch.starts, len(batch.words))[:, None] - np.arange(1, GAP + 1)
    for first, after in pairwise(_cuts(batch.starts)):
        begin, end = gaps[first].min(), gaps[after].max() + 1
        own = gaps[first : after + 1].reshape(-1) - begin
        _encode(p, batch.words[begin:end], batch.marks[begin:end], own, context[begin:end])
    return context


def _cuts(starts: Integers) -> list[int]:
    """Between which sentences a block ends and another begins."""
    if starts[-1] < BLOCK:
        return [0, len(starts)]
    return [*np.unique(starts // BLOCK, return_index=True)[1].tolist(), len(starts)]


def _encode(
    p: Mapping[str, Floats], words: Integers, marks: Integers, gaps: Integers, context: Floats
) -> None:
    """A block of sentences, of which the words `gaps` before, between and after are none."""
    if OF_WORDS in p:
        near = convolve_near(p, words, marks)
    else:
        x = p["words"].take(words, axis=0)
        x += p["marks"].take(marks, axis=0)
        x[gaps] = 0
        near = _convolve(x, p["encoder.W_near"])
        near += p["encoder.b_near"]
    rectified(near)
    near[gaps] = 0
    far = _convolve(near, p["encoder.W_far"])
    far += p["encoder.b_far"]
    rectified(far)
    far[gaps] = 0
    np.add(far, near, out=context)


def _convolve(x: Floats, W: Floats) -> Floats:
    """x (P, D), W (width, D, D'): each word with its neighbours. Every `width` words one after the
    other are a row to multiply, without copying; so it goes in as many turns."""
    width = len(W)
    result = np.zeros((len(x), W.shape[-1]), np.float32)  # there is no word at either end
    flat = W.reshape(-1, W.shape[-1])
    for turn in range(min(width, len(x) - width + 1)):
        count = (len(x) - turn) // width
        rows = x[turn : turn + count * width].reshape(count, -1)
        np.matmul(rows, flat, out=result[turn + width // 2 :: width][:count])
    return result
