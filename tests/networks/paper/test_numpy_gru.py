"""A sentence is read the same whatever is read with it."""

import numpy as np
import pytest

from networks import SIZES
from npn.networks.paper.batch import pack
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.forward import ENCODERS, NumpyNetwork

WORDS, SIZE, HIDDEN = 9, 4, 3


@pytest.fixture(scope="module")
def made() -> NumpyNetwork:
    random = np.random.default_rng(0)
    shapes = {"weight_ih": (9, SIZE), "weight_hh": (9, HIDDEN), "bias_ih": (9,), "bias_hh": (9,)}
    parameters = {
        f"{encoder}.gru.{name}_l0": random.normal(size=shape).astype(np.float32)
        for encoder in ENCODERS
        for name, shape in shapes.items()
    }
    words = random.normal(size=(WORDS, SIZE)).astype(np.float32)
    return NumpyNetwork({**parameters, "words": words}, NetworkConfig(SIZES))


def encode(made: NumpyNetwork, sentences: list[list[int]]) -> np.ndarray:
    order, counts, rows = pack(np.array([len(one) for one in sentences]))
    words = np.array([word for one in sentences for word in one], np.int64)
    return made.encode(words[order], counts.tolist())[:, rows]


@pytest.mark.parametrize("vocabulary", [2, 4, WORDS])
def test_many_sentences_are_read_as_each_alone(made: NumpyNetwork, vocabulary: int) -> None:
    random = np.random.default_rng(vocabulary)
    sentences: list[list[int]] = [
        random.integers(vocabulary, size=random.integers(0, 12)).tolist() for _ in range(300)
    ]
    together = encode(made, sentences)
    for number, sentence in enumerate(sentences):
        alone = encode(made, [sentence])[:, 0]
        np.testing.assert_allclose(together[:, number], alone, atol=1e-6)


def test_a_sentence_without_words_says_nothing(made: NumpyNetwork) -> None:
    assert not encode(made, [[], []]).any()
    assert not encode(made, [[1], []])[:, 1].any()
