"""The GRU has two bodies: PyTorch's and NumPy's."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from networks import SIZES
from npn.networks.paper.batch import EncodedRecipe, collate, pack
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.forward import ENCODERS, NumpyNetwork
from npn.networks.paper.network import SentenceEncoder, last_hidden, side_by_side


def test_two_encoders_in_one_gru_read_as_each_alone() -> None:
    torch.manual_seed(1)
    encoders = [SentenceEncoder(3, 4).double() for _ in range(2)]
    batch = collate([EncodedRecipe([[2, 3, 4], [5], [6, 7]], [], [])]).map(torch.from_numpy)
    words = torch.randn(6, 3, dtype=torch.double, requires_grad=True)
    together = side_by_side([one.gru for one in encoders], words, batch)
    alone = torch.cat([last_hidden(one.gru, words, batch.counts) for one in encoders], -1)
    torch.testing.assert_close(together, alone)
    weight = torch.randn_like(alone)
    parameters = [words, *encoders[0].parameters(), *encoders[1].parameters()]
    for mine, other in zip(
        torch.autograd.grad((together * weight).sum(), parameters),
        torch.autograd.grad((alone * weight).sum(), parameters),
        strict=True,
    ):
        torch.testing.assert_close(mine, other)


def test_padding_words_leave_a_sentence_as_it_is() -> None:
    torch.manual_seed(2)
    encoder = SentenceEncoder(3, 4).double()
    table = torch.randn(8, 3, dtype=torch.double, requires_grad=True)

    def read(sentences: list[list[int]]) -> tuple[torch.Tensor, ...]:
        batch = collate([EncodedRecipe(sentences, [], [])]).map(torch.from_numpy)
        encoded = encoder(nn.functional.embedding(batch.words, table), batch)[0]
        loss = (encoded * torch.arange(4)).sum()
        return encoded, *torch.autograd.grad(loss, [table, *encoder.parameters()])

    plain = read([[2, 3, 4], [5], [6, 7]])
    filled = read([[2, 3, 4, 0], [5, 0, 0], [6, 7]])
    for mine, other in zip(filled, plain, strict=True):
        torch.testing.assert_close(mine, other)


def test_both_bodies_say_the_same() -> None:
    torch.manual_seed(3)
    encoders = {name: SentenceEncoder(3, 4) for name in ENCODERS}
    parameters = {
        f"{name}.{key}": value.detach().numpy()
        for name, encoder in encoders.items()
        for key, value in encoder.state_dict().items()
    }
    table = torch.randn(8, 3)
    batch = collate([EncodedRecipe([[2, 3, 4], [5], [6, 7]], [], [])])
    mine = NumpyNetwork({**parameters, "words": table.numpy()}, NetworkConfig(SIZES))
    encoded = mine.encode(batch.words, batch.counts.tolist()).take(batch.rows[0], 1)
    tensors = batch.map(torch.from_numpy)
    words = nn.functional.embedding(tensors.words, table)
    for one, encoder in zip(encoded, encoders.values(), strict=True):
        np.testing.assert_allclose(one, encoder(words, tensors)[0].detach().numpy(), atol=1e-6)


@given(lengths=st.lists(st.integers(0, 7), min_size=1, max_size=8))
def test_packing_keeps_every_word_of_every_sentence(lengths: list[int]) -> None:
    words, counts, rows = pack(np.array(lengths))
    assert sorted(words.tolist()) == list(range(sum(lengths)))
    starts = np.cumsum([0, *lengths])
    edges = np.cumsum([0, *counts.tolist()])
    for sentence, length in enumerate(lengths):
        if length == 0:
            assert rows[sentence] == (counts[0] if len(counts) else 0)
        read = [words[edges[t] + rows[sentence]] for t in range(length)]
        assert read == list(range(starts[sentence], starts[sentence + 1]))
