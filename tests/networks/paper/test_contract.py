"""What every network keeps, whatever it is made of: recipes do not see each other, padding is
nothing, and ingredients have no order. A new network joins by adding itself to `READERS`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from networks import (
    READERS,
    VARIANTS,
    Reader,
    make_network,
    numpy_reader,
    read_one,
    said_of,
    some_recipes,
    torch_reader,
)
from npn.networks.paper.batch import Batch, EncodedRecipe, collate
from npn.networks.paper.forward import NumpyNetwork

every_network = pytest.mark.parametrize("read", READERS.values(), ids=READERS)


@every_network
def test_a_batch_of_one_equals_a_row_of_a_batch(read: Reader) -> None:
    recipes = some_recipes()
    together = read(collate(recipes))
    for number, recipe in enumerate(recipes):
        alone = read_one(read, recipe)
        for name, value in said_of(together, number, recipe).items():
            np.testing.assert_allclose(value, alone[name], atol=1e-5, err_msg=name)


@every_network
def test_padding_changes_nothing(read: Reader) -> None:
    recipe = some_recipes()[1]
    alone, padded = collate([recipe]), pad(collate([recipe]))
    before, after = said_of(read(alone), 0, recipe), said_of(read(padded), 0, recipe)
    for name, value in after.items():
        np.testing.assert_allclose(value, before[name], atol=1e-5, err_msg=name)


@every_network
def test_padding_is_never_attended_and_moves_no_memory(read: Reader) -> None:
    recipe = some_recipes()[1]
    said = read(pad(collate([recipe])))
    steps, entities = len(recipe.sentences), len(recipe.entities)
    assert not said.attention[0, steps:].any()
    assert not said.attention[0, :, entities:].any()
    np.testing.assert_allclose(said.memory[0, steps], said.memory[0, steps - 1], atol=1e-6)


@every_network
def test_permuting_ingredients_permutes_the_result(read: Reader) -> None:
    recipe = some_recipes()[0]
    order = np.random.default_rng(3).permutation(len(recipe.entities))
    permuted = EncodedRecipe(
        recipe.sentences,
        [recipe.entities[i] for i in order],
        [recipe.names[i] for i in order],
    )
    before, after = read_one(read, recipe), read_one(read, permuted)
    for name, value in before.items():
        if name in ("attention", "sentence_attention", "memory"):
            value = value[:, order]
        np.testing.assert_allclose(after[name], value, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("variant", VARIANTS)
@given(seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_numpy_equals_torch(variant: str, seed: int) -> None:
    network = make_network(VARIANTS[variant], seed)
    recipes = some_recipes(seed=seed)
    batch = collate(recipes)
    ours, theirs = numpy_reader(network)(batch), torch_reader(network)(batch)
    for number, recipe in enumerate(recipes):
        expected = said_of(theirs, number, recipe)
        for name, value in said_of(ours, number, recipe).items():
            np.testing.assert_allclose(value, expected[name], atol=1e-5, err_msg=name)


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_sentence_at_a_time_equals_the_whole_recipe(variant: str) -> None:
    network = make_network(VARIANTS[variant])
    parameters = {name: value.numpy() for name, value in network.state_dict().items()}
    recipe, numpy_network = some_recipes()[1], NumpyNetwork(parameters, network.config)
    whole = said_of(numpy_network(collate([recipe])), 0, recipe)
    memory = numpy_network.begin(collate([recipe]))
    for t, sentence in enumerate(recipe.sentences):
        one = collate([EncodedRecipe([sentence], recipe.entities, recipe.names)])
        said = numpy_network(one, memory)
        memory = memory.after(said)
        np.testing.assert_allclose(said.attention[0, 0], whole["attention"][t], atol=1e-6)
        np.testing.assert_allclose(said.memory[0, 0], whole["memory"][t], atol=1e-6)


def test_a_recipe_of_no_words_and_no_ingredients_is_read() -> None:
    for read in READERS.values():
        said = read(collate([EncodedRecipe([[]], [], [])]))
        assert np.isfinite(said.memory).all()
        assert not said.attention.any()


def pad(batch: Batch) -> Batch:
    """One sentence, one ingredient and one word of each name more, none of which is there."""

    def more(x: np.ndarray, axes: int, value: int = 0) -> np.ndarray:
        return np.pad(x, [(0, 0)] + [(0, 1)] * axes, constant_values=value)

    return replace(
        batch,
        rows=more(batch.rows, 1, int(batch.counts[0])),
        steps=more(batch.steps, 1),
        entities=more(batch.entities, 1),
        present=more(batch.present, 1),
        names=more(batch.names, 2),
    )
