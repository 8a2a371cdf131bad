"""Blocks, with tables or without, give what the convolutions do."""

import numpy as np

from npn.network.equations import keep
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.context import BLOCK, encode_packed
from npn.network.mixtures.encoder import encode
from npn.network.mixtures.packed import PackedBatch
from npn.network.mixtures.tables import with_tables

WORDS, MARKS, D = 30, 5, 8


def made_up(sentences: int) -> tuple[MixtureBatch, PackedBatch]:
    """Only what the encoder reads: sentences of three words, two empty ones around each."""
    random = np.random.default_rng(1)
    numbers = [[0, 0], *[[k, k, k, 0, 0] for k in range(1, sentences + 1)]]
    number = np.concatenate(numbers).astype(np.int32)
    words = np.where(number, random.integers(1, WORDS, len(number)), 0).astype(np.int32)
    marks = np.where(number, random.integers(1, MARKS, len(number)), 0).astype(np.int32)
    starts = 2 + 5 * np.arange(sentences)
    padded = MixtureBatch(words, marks, number, *[np.zeros(0)] * 14)
    return padded, PackedBatch(words, marks, starts, [], *[np.zeros(0)] * 17)  # type: ignore[arg-type]


def test_blocks_give_what_the_convolutions_do() -> None:
    random = np.random.default_rng(2)
    shapes = {
        "words": (WORDS, D),
        "marks": (MARKS, D),
        "encoder.W_near": (5, D, D),
        "encoder.b_near": (D,),
        "encoder.W_far": (3, D, D),
        "encoder.b_far": (D,),
    }
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    kept = weights["words"].copy()
    for sentences in (1, 2, BLOCK):
        padded, packed = made_up(sentences)
        convolved = encode(weights, padded, keep)
        assert convolved.shape == (2 + 5 * sentences, D)
        assert convolved[padded.sentences > 0].any()
        assert not convolved[padded.sentences == 0].any()
        for some in (weights, with_tables(weights)):
            assert np.allclose(encode_packed(some, packed), convolved, rtol=1e-4, atol=1e-4)
    assert (weights["words"] == kept).all()
