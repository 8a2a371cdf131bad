"""MiniLM's files become the first weights of the encoder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from npn.errors import NpnError
from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import parameter_shapes
from npn.networks.world.reading import WordPieces
from npn.recipe import Recipe
from npn.training.world.minilm import (
    LINEAR,
    NORMS,
    SPECIAL,
    count_words,
    cut_pieces,
    own_pieces,
    read_encoder,
    read_pieces,
)

PIECES = [*SPECIAL, "butter", "##milk", "carburettor", "b", "##b", "ж"]
SIZES = WorldSizes(3, width=8, heads=2, layers=2, inner=12, positions=5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model with MiniLM's names and small sizes, each tensor with numbers of its own."""
    generator = np.random.default_rng(0)

    def some(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return generator.normal(size=shape).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": some(len(PIECES), 8),
        "embeddings.position_embeddings.weight": some(9, 8),
        "embeddings.token_type_embeddings.weight": some(2, 8),
        "embeddings.LayerNorm.weight": some(8),
        "embeddings.LayerNorm.bias": some(8),
    }
    for n in range(3):
        for their in LINEAR.values():
            outputs = 12 if their == "intermediate.dense" else 8
            inputs = 12 if their == "output.dense" else 8
            tensors[f"encoder.layer.{n}.{their}.weight"] = some(outputs, inputs)
            tensors[f"encoder.layer.{n}.{their}.bias"] = some(outputs)
        for their in NORMS.values():
            tensors[f"encoder.layer.{n}.{their}.weight"] = some(8)
            tensors[f"encoder.layer.{n}.{their}.bias"] = some(8)
    save_file(tensors, tmp_path / "model.safetensors")
    (tmp_path / "vocab.txt").write_text("".join(f"{piece}\n" for piece in PIECES))
    return tmp_path


def test_all_of_the_encoder_but_what_is_ours_alone_is_there(folder: Path) -> None:
    found = read_encoder(folder, ["[UNK]", "butter", "b"], SIZES)
    wanted = {
        name: shape
        for name, shape in parameter_shapes(SIZES).items()
        if name.startswith(("encoder.", "embeddings."))
    }
    ours = {"embeddings.lines", "embeddings.steps", "embeddings.sections", "embeddings.marks"}
    assert {name: one.shape for name, one in found.items()} == {
        name: shape for name, shape in wanted.items() if name not in ours
    }


def test_a_piece_keeps_its_vector(folder: Path) -> None:
    some = read_encoder(folder, ["[UNK]", "butter", "b"], SIZES)["embeddings.pieces"]
    every = WorldSizes(len(PIECES), width=8, heads=2, layers=2, inner=12, positions=5)
    whole = read_encoder(folder, PIECES, every)["embeddings.pieces"]
    np.testing.assert_array_equal(some[1], whole[PIECES.index("butter")])


def test_sizes_that_are_not_minilms_are_refused(folder: Path) -> None:
    with pytest.raises(NpnError, match="MiniLM does not fit the sizes"):
        read_encoder(folder, PIECES, WorldSizes(len(PIECES), width=16, heads=2, layers=2))


def test_too_many_layers_are_refused(folder: Path) -> None:
    sizes = WorldSizes(len(PIECES), width=8, heads=2, layers=4, inner=12, positions=5)
    with pytest.raises(NpnError, match="does not hold MiniLM's weights"):
        read_encoder(folder, PIECES, sizes)


def test_the_vocabulary_keeps_what_recipes_need_and_plain_characters(folder: Path) -> None:
    pieces = read_pieces(folder)
    assert pieces == PIECES
    kept = cut_pieces(pieces, Counter({"buttermilk": 8, "carburettor": 7}), fewest=8)
    assert kept == [*SPECIAL, "butter", "##milk", "b", "##b"]


def test_without_minilm_frequent_words_and_all_characters_are_pieces() -> None:
    recipe = Recipe.from_lists("Rôti", ["2 cups stock"], ["Boil the stock.", "Cool the stock."])
    pieces = own_pieces(count_words([recipe]), fewest=2)
    assert pieces[: len(SPECIAL) + 2] == [*SPECIAL, "stock", "the"]
    wordpieces = WordPieces(pieces)
    assert [pieces[n] for n in wordpieces("rôti")] == ["r", "##o", "##t", "##i"]
    assert [pieces[n] for n in wordpieces("stock")] == ["stock"]
