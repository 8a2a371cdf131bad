"""What is asked of the network, and where the gradient of each loss goes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from networks import OPTIONS, SIZES, make_network, some_recipes
from npn.networks.paper.batch import Batch, Outcome, collate
from npn.networks.paper.equations import recurrent_attention
from npn.networks.paper.losses import Labels, action_loss, coverage_loss, entity_loss, state_loss


def a_batch(steps: int, ingredients: int) -> Batch:
    return Batch(
        words=torch.zeros(0, dtype=torch.long),
        counts=torch.zeros(0, dtype=torch.long),
        rows=torch.zeros(1, steps, dtype=torch.long),
        steps=torch.ones(1, steps, dtype=torch.bool),
        entities=torch.full((1, ingredients), 2),
        present=torch.ones(1, ingredients, dtype=torch.bool),
        names=torch.zeros(1, ingredients, 1, dtype=torch.long),
    )


def some_labels(
    steps: int, ingredients: int, labelled: list[bool], selected: Tensor | None = None
) -> Labels:
    nothing = torch.zeros(1, steps, ingredients)
    return Labels(
        actions=torch.zeros(1, steps, 2),
        labelled=torch.tensor([labelled]),
        selected=nothing if selected is None else selected,
        end_states=(torch.tensor([[[0.0, 0.5, 0.5]] * steps]),),
    )


def an_outcome(d: Tensor, c: Tensor | None, a: Tensor) -> Outcome:
    none = torch.zeros(1)
    return Outcome(none, d, c, a, none, torch.zeros(*d.shape, 1), ())


def test_action_loss_is_the_cross_entropy_of_every_action_per_step() -> None:
    batch, labels = a_batch(2, 1), some_labels(2, 1, [True, True])
    labels = replace(labels, actions=torch.tensor([[[1.0, 0.0], [0.0, 0.0]]]))
    logits = torch.tensor([[[math.log(3), 0.0], [0.0, 0.0]]])
    loss = action_loss(logits, labels, batch)
    assert loss.total.item() == pytest.approx(-math.log(0.75) - 3 * math.log(0.5))
    assert int(loss.count) == 2


def test_entity_loss_counts_labelled_steps_only() -> None:
    batch = a_batch(2, 2)
    labels = some_labels(2, 2, [True, False], torch.tensor([[[1.0, 0.0], [0.0, 0.0]]]))
    a = torch.tensor([[[0.8, 0.4], [0.9, 0.9]]], requires_grad=True)
    loss = entity_loss(a, labels, batch, every_step=False)
    assert loss.total.item() == pytest.approx(-math.log(0.8) - math.log(0.6))
    assert int(loss.count) == 1
    (gradient,) = torch.autograd.grad(loss.total, a)
    assert gradient[0, 0].all()
    assert not gradient[0, 1].any()
    assert int(entity_loss(a, labels, batch, every_step=True).count) == 2


def test_state_loss_takes_several_end_states_for_their_uniform_mixture() -> None:
    batch, labels = a_batch(1, 1), some_labels(1, 1, [True])
    logits = torch.tensor([[[0.0, math.log(2), math.log(5)]]])
    loss = state_loss((logits,), labels, batch)
    assert loss.total.item() == pytest.approx(-0.5 * math.log(2 / 8) - 0.5 * math.log(5 / 8))


def test_coverage_asks_that_attention_sums_to_one() -> None:
    d = torch.tensor([[[0.5, 0.9], [0.25, 0.9]]])
    loss = coverage_loss(
        an_outcome(d, None, d),
        some_labels(2, 2, [False, False]),
        a_batch(2, 2),
        0.0,
        every_step=False,
    )
    assert loss.total.item() == pytest.approx(-(math.log(0.75) + math.log(1)) / 2)
    assert int(loss.count) == 1


@pytest.mark.parametrize("every_step", [False, True])
def test_coverage_flows_only_through_unlabelled_steps(every_step: bool) -> None:
    """Step 1 is labelled: not even what step 2 inherits from it carries a gradient back."""
    d = torch.full((1, 3, 1), 0.2, requires_grad=True)
    c = torch.tensor([[[0.5, 0.4, 0.1]] * 3], requires_grad=True)
    labels = some_labels(3, 1, [False, True, False])
    a = recurrent_attention(d, c, torch.zeros(1, 1))
    loss = coverage_loss(an_outcome(d, c, a), labels, a_batch(3, 1), 0.0, every_step=every_step)
    for gradient in torch.autograd.grad(loss.total, (d, c)):
        touched = gradient[0].abs().sum(-1) > 0
        assert touched.tolist() == [True, every_step, True]


def test_coverage_has_the_same_value_whatever_is_labelled() -> None:
    d, c = torch.rand(1, 4, 3) / 4, torch.softmax(torch.randn(1, 4, 3), -1)
    a = recurrent_attention(d, c, torch.zeros(1, 3))
    values = [
        coverage_loss(
            an_outcome(d, c, a), some_labels(4, 3, labelled), a_batch(4, 3), 0.0, every_step=False
        ).total
        for labelled in ([False] * 4, [True, False, True, False])
    ]
    torch.testing.assert_close(values[0], values[1])


def test_the_entity_loss_reaches_the_action_selector_only_through_its_connection() -> None:
    for connected in (True, False):
        network = make_network(replace(OPTIONS, action_connections=connected))
        said = network(collate(some_recipes()).map(torch.from_numpy))
        said.attention.sum().backward()
        gradient = network.action_selector.W_p.grad
        assert (gradient is not None and bool(gradient.any())) == connected


def test_the_state_loss_reaches_actions_and_entities() -> None:
    network = make_network()
    said = network(collate(some_recipes()).map(torch.from_numpy))
    said.end_states[2].square().sum().backward()
    for parameter in (
        network.action_selector.F,
        network.applicator.W_4,
        network.entity_memory.E,
        network.words,
        network.entity_encoder.gru.weight_hh_l0,
        network.action_encoder.gru.weight_hh_l0,
    ):
        assert isinstance(parameter, Tensor)
        assert parameter.grad is not None
        assert bool(parameter.grad.any())


def test_the_name_of_a_known_ingredient_gets_no_gradient() -> None:
    network = make_network()
    recipes = [replace(r, entities=[2 + i for i in range(len(r.entities))]) for r in some_recipes()]
    network(collate(recipes).map(torch.from_numpy)).memory.sum().backward()
    gradient = network.entity_memory.W_name.grad
    assert gradient is not None
    assert not gradient.any()


def test_sizes_follow_the_vocabulary() -> None:
    network = make_network()
    shapes = [tuple(W.shape) for W in network.state_predictors.W_s]
    assert shapes[0] == (SIZES.end_states[0], OPTIONS.memory_size + OPTIONS.hidden_size)
    assert shapes[1:] == [(n, OPTIONS.memory_size) for n in SIZES.end_states[1:]]
    assert np.prod(network.applicator.W_4.shape) == OPTIONS.memory_size**3
