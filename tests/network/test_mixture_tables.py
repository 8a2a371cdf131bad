"""Looking up says what convolving does."""

import numpy as np

from npn.network.equations import keep
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.encoder import encode
from npn.network.mixtures.tables import BLOCK, with_tables

WORDS, MARKS, D = 30, 5, 8


def made_up(sentences: int) -> MixtureBatch:
    """Only what the encoder reads: sentences of three words, two empty ones around each."""
    random = np.random.default_rng(1)
    number = np.concatenate([[0, 0], *[[k, k, k, 0, 0] for k in range(1, sentences + 1)]]).astype(
        np.int32
    )
    words = np.where(number, random.integers(1, WORDS, len(number)), 0).astype(np.int32)
    marks = np.where(number, random.integers(1, MARKS, len(number)), 0).astype(np.int32)
    return MixtureBatch(words, marks, number, *[np.zeros(0)] * 14)


def test_tables_give_what_the_convolution_does() -> None:
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
    for sentences in (0, 1, BLOCK):
        batch = made_up(sentences)
        looked_up = encode(with_tables(weights), batch, keep)
        assert looked_up.shape == (2 + 5 * sentences, D)
        assert np.allclose(looked_up, encode(weights, batch, keep), rtol=1e-4, atol=1e-4)
        assert looked_up[batch.sentences > 0].any() == (sentences > 0)
        assert not looked_up[batch.sentences == 0].any()
    assert (weights["words"] == kept).all()
