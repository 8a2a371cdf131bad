"""Each equation of the paper against a case worked out by hand, in both libraries."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from npn.networks.common import operations
from npn.networks.paper import equations as eq

Make = Callable[[Any], Any]


def numpy_array(values: Any) -> Any:
    return np.array(values, dtype=np.float32)


def torch_tensor(values: Any) -> Any:
    return torch.tensor(values, dtype=torch.float32)


both = pytest.mark.parametrize("make", [numpy_array, torch_tensor], ids=["numpy", "torch"])


def same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found.tolist(), expected, atol=1e-6)


@both
def test_the_sigmoid_is_right_and_never_overflows(make: Make) -> None:
    with np.errstate(all="raise"):
        same(operations.sigmoid(make([0.0, math.log(3), -1000.0, 1000.0])), [0.5, 0.75, 0.0, 1.0])


@both
def test_softmax(make: Make) -> None:
    same(operations.softmax(make([[0.0, math.log(3)], [1000.0, 0.0]])), [[0.25, 0.75], [1.0, 0.0]])


@both
def test_equation_1_averages_the_selected_actions(make: Make) -> None:
    # hidden = relu([1, -1]) = [1, 0]; logits = [ln 3, 0] and then w_p = [.75, .5]
    h = make([[[1.0, -1.0]]])
    identity, zero = make([[1.0, 0.0], [0.0, 1.0]]), make([0.0, 0.0])
    out = make([[math.log(3), 5.0], [0.0, 5.0]])
    w_p = operations.sigmoid(eq.action_logits(h, identity, zero, out, zero))
    same(w_p, [[[0.75, 0.5]]])
    normalised = eq.normalise_actions(w_p, 0.0)
    same(normalised, [[[0.6, 0.4]]])
    same(eq.action_summary(normalised, make([[10.0, 0.0], [0.0, 10.0]])), [[[6.0, 4.0]]])


@both
def test_equation_2_compares_the_sentence_and_its_actions_with_each_key(make: Make) -> None:
    summary = eq.sentence_summary(make([[[2.0, -1.0]]]), make([[1.0, 1.0]]), make([0.5]))
    same(summary, [[[1.5]]])  # relu(2 - 1 + .5)
    query = eq.attention_query(summary, make([[[0.2]]]), make([[2.0, 0.0], [0.0, 10.0]]))
    same(query, [[[3.0, 2.0]]])
    keys, ln3 = make([[[1.0, -1.0], [0.0, 0.0], [9.0, 9.0]]]), math.log(3)
    d = eq.sentence_attention(keys, query * ln3, make([[1.0, 1.0, 0.0]]))
    same(d, [[[0.75, 0.5, 0.0]]])  # the third is not there


@both
def test_without_action_connections_the_query_sees_the_sentence_alone(make: Make) -> None:
    same(eq.attention_query(make([[[1.5]]]), None, make([[2.0]])), [[[3.0]]])


@both
def test_equation_3_chooses_between_this_step_the_previous_and_none(make: Make) -> None:
    d = make([[[0.8, 0.0], [0.2, 1.0], [0.5, 0.5]]])
    c = make([[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]])
    a = eq.recurrent_attention(d, c, make([[0.0, 0.0]]))
    same(a, [[[0.8, 0.0], [0.5, 0.5], [0.25, 0.25]]])


@both
def test_the_first_step_inherits_what_it_is_told(make: Make) -> None:
    d, c = make([[[0.0, 0.0]]]), make([[[0.0, 1.0, 0.0]]])
    present = make([[1.0, 0.0]]) > 0
    first = eq.first_attention(0.5, make([[[1.0], [1.0]]]), present)
    same(eq.recurrent_attention(d, c, first), [[[0.5, 0.0]]])


@both
def test_equations_4_and_5_average_the_selected_entities(make: Make) -> None:
    alpha = eq.normalise_attention(make([[[0.5, 0.25, 0.25]]]) * 0.8, 0.0)
    same(alpha, [[[0.5, 0.25, 0.25]]])
    e = make([[[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]]])
    same(eq.entity_summary(alpha[:, 0], e), [[1.0, 1.0]])


@both
def test_equation_6_is_bilinear_in_action_and_entity(make: Make) -> None:
    # Indexed by action, output, entity: output 0 multiplies action 0 with entity 1.
    tensor = make([[[0.0, 3.0], [0.0, 0.0]], [[0.0, 0.0], [-1.0, 0.0]]])
    operators = eq.action_operators(make([[[2.0, 1.0]]]), tensor)
    same(operators, [[[[0.0, 6.0], [-1.0, 0.0]]]])
    k = eq.apply_action(operators[:, 0], make([[1.0, 0.5]]), make([0.5, 0.25]))
    same(k, [[3.5, 0.0]])  # relu([3 + .5, -1 + .25])


@both
def test_equation_7_overwrites_in_proportion_to_attention(make: Make) -> None:
    e = make([[[1.0], [1.0], [1.0]]])
    same(eq.update_entities(make([[0.0, 0.5, 1.0]]), make([[3.0]]), e), [[[1.0], [2.0], [3.0]]])


@both
def test_the_walk_carries_the_memory_from_step_to_step(make: Make) -> None:
    # One number an entity; each step doubles what it selects.
    a = make([[[1.0, 0.0], [1.0, 1.0]]])
    operators, memory = make([[[[2.0]], [[2.0]]]]), make([[[1.0], [4.0]]])
    k, memories = eq.simulate(a, operators, memory, make([0.0]), epsilon=0.0)
    same(k, [[[2.0], [6.0]]])  # 2 * 1; then 2 * (2 + 4) / 2
    same(memories, [[[[2.0], [4.0]], [[6.0], [6.0]]]])


@both
def test_selecting_nothing_leaves_the_memory_unchanged(make: Make) -> None:
    memory = make([[[1.0], [4.0]]])
    a, operators = make([[[0.0, 0.0]]]), make([[[[2.0]]]])
    _, memories = eq.simulate(a, operators, memory, make([0.7]), epsilon=1e-8)
    same(memories[:, 0], [[[1.0], [4.0]]])


@both
def test_entities_can_be_kept_at_unit_length(make: Make) -> None:
    a, operators = make([[[0.0]]]), make([[[[1.0, 0.0], [0.0, 1.0]]]])
    memory, bias = make([[[3.0, 4.0]]]), make([0.0, 0.0])
    _, memories = eq.simulate(a, operators, memory, bias, epsilon=1e-8, normalise_memory=True)
    same(memories, [[[[0.6, 0.8]]]])


@both
def test_equation_8_scores_end_states_of_the_proposal(make: Make) -> None:
    k, h = make([[[2.0]]]), make([[[3.0]]])
    same(eq.end_state_logits(k, make([[1.0], [2.0]]), make([0.5, 0.0])), [[[2.5, 4.0]]])
    same(eq.end_state_logits(eq.with_sentence(k, h), make([[1.0, 10.0]]), make([0.0])), [[[32.0]]])


@both
def test_an_unknown_ingredient_is_the_average_of_its_words(make: Make) -> None:
    words = make([[[[2.0, 0.0], [4.0, 2.0], [9.0, 9.0]], [[9.0, 9.0]] * 3]])
    names = eq.name_vectors(words, make([[[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]))
    same(names, [[[3.0, 1.0], [0.0, 0.0]]])
    known = make([[0.0, 1.0]]) > 0
    keys = eq.entity_keys(make([[[7.0], [8.0]]]), names, known, make([[1.0, 2.0]]))
    same(keys, [[[5.0], [8.0]]])
