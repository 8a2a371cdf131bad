"""What the world network keeps, whatever its weights: NumPy says what PyTorch says, recipes of a
batch do not see each other, padding is nothing, and lines have no order but their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import (
    PIE,
    RUNTIMES,
    SHORTBREAD,
    SIZES,
    Arrays,
    assert_close,
    in_torch,
    inputs,
    numpy_scores,
    random_weights,
    read,
    torch_scores,
)

from npn.networks.world.losses import losses
from npn.networks.world.reading import Kind, WorldInput
from npn.recipe import Recipe
from npn.training.world.examples import Example, weak_targets
from npn.training.world.objective import collate, moved

Scores = Callable[..., Arrays]
each_runtime = pytest.mark.parametrize("scores", RUNTIMES.values(), ids=RUNTIMES)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 1000), number=st.integers(0, 2))
def test_numpy_equals_torch(seed: int, number: int) -> None:
    weights, batched = random_weights(seed), inputs()
    assert_close(
        numpy_scores(weights, [batched[number]], 0), torch_scores(weights, [batched[number]], 0)
    )
    assert_close(numpy_scores(weights, batched, number), torch_scores(weights, batched, number))


@each_runtime
def test_a_batch_of_one_equals_its_row_of_a_padded_batch(scores: Scores) -> None:
    weights, batched = random_weights(), inputs()
    for number, one in enumerate(batched):
        assert_close(scores(weights, batched, number), scores(weights, [one], 0))


@each_runtime
def test_what_a_recipe_is_batched_with_changes_nothing(scores: Scores) -> None:
    weights, (short, long, empty) = random_weights(), inputs()
    wanted = scores(weights, [short], 0)
    for others in ([short], [long], [empty, long], [long, long, short]):
        assert_close(scores(weights, [short, *others], 0), wanted)
        assert_close(scores(weights, [*others, short], len(others)), wanted)


def example(recipe: Recipe, weight: float = 1.0) -> Example:
    one, grammar = read(recipe)
    return Example("", "own", one, weak_targets(one, grammar), weight)


def mean_losses(examples: Sequence[Example]) -> dict[str, float]:
    batch, targets = collate(examples, SIZES)
    cpu = torch.device("cpu")
    with torch.no_grad():
        found = losses(in_torch(random_weights()), moved(batch, cpu), moved(targets, cpu), SIZES)
    return {name: float(one) for name, one in found.items()}


def test_padding_and_recipes_without_weight_change_no_loss() -> None:
    alone = mean_losses([example(SHORTBREAD)])
    beside = mean_losses([example(SHORTBREAD), example(PIE, weight=0.0)])
    assert alone.keys() == beside.keys() >= {"act", "use", "together", "place", "location"}
    for name, value in alone.items():
        assert beside[name] == pytest.approx(value, abs=1e-4), name


# -- The order of lines. The rules may depend on it ("the next three ingredients"), so that here it
# -- is the numbers they made that are put in another order.

PER_LINE = ("act", "use", "fraction", "states")


def permuted(one: WorldInput, order: Sequence[int], *, renumber: bool) -> WorldInput:
    """The input of a recipe without headings, with its lines in another order. Without `renumber`
    each line keeps the number that it had."""
    ends = {
        i: int(np.flatnonzero((one.kinds == Kind.LINE) & (one.orders == i))[-1]) + 1
        for i in range(one.ingredients)
    }
    first, last = int(one.line_starts[0]), ends[one.ingredients - 1]
    lines = [np.arange(one.line_starts[i], ends[i]) for i in order]
    places = np.concatenate([np.arange(first), *lines, np.arange(last, len(one.pieces))])
    orders = one.orders[places].copy()
    if renumber:
        orders[first:last] = np.repeat(np.arange(len(order)), [len(line) for line in lines])
    index = list(order)
    mentions = one.mentions.copy()
    mentions[:, 0] = [index.index(i) for i in one.mentions[:, 0]]
    starts = first + np.cumsum([0, *map(len, lines)])[:-1]
    return replace(
        one,
        pieces=one.pieces[places],
        positions=one.positions[places],
        sections=one.sections[places],
        marks=one.marks[places],
        orders=orders,
        line_starts=starts.astype(np.int32),
        pairs=one.pairs[:, index],
        together=one.together[:, index][:, :, index],
        mentions=mentions,
        place_features=one.place_features[:, index],
    )


@each_runtime
@pytest.mark.parametrize("renumber", [True, False])
def test_permuting_lines_permutes_what_is_said_of_them(scores: Scores, renumber: bool) -> None:
    """With vectors of line numbers that are zero, as they are before training; or with any, if each
    line keeps its number."""
    weights, one, order = random_weights(), read(SHORTBREAD)[0], [2, 0, 1]
    if renumber:
        weights["embeddings.lines"][:] = 0
    before = scores(weights, [one], 0)
    after = scores(weights, [permuted(one, order, renumber=renumber)], 0)
    for name in PER_LINE:
        np.testing.assert_allclose(after[name], before[name][:, order], atol=1e-4, err_msg=name)
    np.testing.assert_allclose(after["verb"], before["verb"], atol=1e-4)


def test_the_number_of_a_line_is_seen() -> None:
    weights, one, order = random_weights(), read(SHORTBREAD)[0], [2, 0, 1]
    before = numpy_scores(weights, [one], 0)
    after = numpy_scores(weights, [permuted(one, order, renumber=True)], 0)
    assert not np.allclose(after["act"], before["act"][:, order], atol=1e-4)
