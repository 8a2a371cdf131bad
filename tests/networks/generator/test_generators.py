"""What holds for every generator, in NumPy and in PyTorch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import generator_contexts as contexts
import numpy as np
import pytest
import torch
from generator_contexts import END, START, V

from npn.networks.generator.batch import collate
from npn.networks.generator.config import KINDS, Kind, parameter_shapes
from npn.networks.generator.forward import (
    ContextVectors,
    log_probabilities,
    look,
    read,
    read_both_ways,
    target_log_probabilities,
)
from npn.networks.generator.network import GeneratorNetwork, read_packed, read_padded

SAID = np.array([[START, 6, 9], [START, 7, 5], [START, 6, 4], [START, 8, 2]])


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_those_that_are_known_without_torch(kind: Kind) -> None:
    model = contexts.generator(kind)
    found = {name: tuple(p.shape) for name, p in model.named_parameters()}
    assert found == parameter_shapes(model.config)


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_says_what_torch_says(kind: Kind) -> None:
    model = contexts.generator(kind)
    context = contexts.batch()
    steppers = model.stepper(), contexts.in_numpy(model)
    with torch.no_grad():
        states = [
            steppers[0].begin(contexts.to_torch(context)),
            steppers[1].begin(context),
        ]
        for last in SAID.T:
            told: list[Any] = []
            for n, stepper in enumerate(steppers):
                scores, states[n] = stepper.step(states[n], np.ascontiguousarray(last))
                told.append(scores)
            np.testing.assert_allclose(np.exp(told[0].numpy()), np.exp(told[1]), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_says_what_each_says_alone(kind: Kind) -> None:
    stepper = contexts.in_numpy(contexts.generator(kind))
    scores, _ = stepper.step(stepper.begin(contexts.batch()), np.full(4, START))
    for n, one in enumerate(contexts.examples()):
        alone, _ = stepper.step(stepper.begin(collate([one])), np.array([START]))
        width = V + len(one.extra)
        np.testing.assert_allclose(scores[n, :width], alone[0, :width], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_add_up_to_one(kind: Kind) -> None:
    stepper = contexts.in_numpy(contexts.generator(kind))
    scores, _ = stepper.step(stepper.begin(contexts.batch()), np.full(4, START))
    sums = np.exp(scores).sum(axis=1)
    # The last has no ingredients: what it would copy of their names is lost.
    np.testing.assert_allclose(sums[:3], 1, atol=1e-5)
    assert sums[3] <= 1 + 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_teacher_forcing_and_single_steps_agree(kind: Kind) -> None:
    model = contexts.generator(kind)
    context = contexts.to_torch(contexts.batch())
    following = np.concatenate([SAID[:, 1:], np.full((4, 1), END)], axis=1)
    wanted = torch.from_numpy(following)
    with torch.no_grad():
        places = torch.arange(SAID.size)
        at_once = model.log_likelihood(context, torch.from_numpy(SAID), wanted, wanted, places)
        at_once = at_once.view(SAID.shape)
        stepper = model.stepper()
        state = stepper.begin(context)
        for t, last in enumerate(SAID.T):
            scores, state = stepper.step(state, np.ascontiguousarray(last))
            one = scores.gather(1, wanted[:, t : t + 1])[:, 0]
            torch.testing.assert_close(one, at_once[:, t], atol=1e-4, rtol=1e-4)


def test_numpy_and_torch_agree_on_what_a_target_is_worth() -> None:
    model = contexts.generator("world")
    context = contexts.batch()
    arrays = {name: p.detach().numpy() for name, p in model.named_parameters()}
    encoded = np.array([[6, 9], [1, 1], [1, 4], [8, 2]])
    forms = np.array([[6, 9], [V, V + 1], [V, 4], [8, 2]])
    s = np.random.default_rng(1).normal(size=(4, 2, 12)).astype(np.float32)
    reading = read(arrays, model.config, context, partial(read_both_ways, arrays))
    places = np.array([0, 1, 2, 4, 5, 7])
    looked = look(arrays, model.config, reading, s)
    ours = target_log_probabilities(arrays, reading, looked, encoded, forms, places)
    p = dict(model.named_parameters())
    with torch.no_grad():
        there = read(p, model.config, contexts.to_torch(context), model.read_sequences)
        theirs = target_log_probabilities(
            p,
            there,
            look(p, model.config, there, torch.from_numpy(s)),
            torch.from_numpy(encoded),
            torch.from_numpy(forms),
            torch.from_numpy(places),
        )
    np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-4)


def looked_around(kind: Kind) -> tuple[GeneratorNetwork, ContextVectors, Any]:
    model = contexts.generator(kind)
    p = dict(model.named_parameters())
    with torch.no_grad():
        reading = read(p, model.config, contexts.to_torch(contexts.batch()), model.read_sequences)
        return model, reading, look(p, model.config, reading, reading.first[:, None])


def test_no_attention_is_paid_to_padding() -> None:
    _, reading, looked = looked_around("world")
    assert (looked.context[:, 0][~reading.word_mask] == 0).all()
    assert (looked.names[:, 0][~reading.name_mask] == 0).all()
    assert looked.names[3].sum() == 0  # no ingredient at all


def test_what_is_copied_is_of_this_recipe() -> None:
    """With the gate on the names alone, nothing but words of the names has any probability."""
    model, reading, looked = looked_around("world")
    gate = torch.tensor([0.0, 1.0, 0.0]).expand(4, 1, 3)
    only = replace(looked, gate=gate)
    with torch.no_grad():
        chances = log_probabilities(dict(model.named_parameters()), reading, only).exp()
    context = contexts.batch()
    for n in range(3):
        named = set(context.name_forms[n][context.name_mask[n]].tolist())
        assert set((chances[n] > 1e-6).nonzero()[:, 0].tolist()) == named
        torch.testing.assert_close(chances[n].sum(), torch.tensor(1.0))


def test_words_beyond_the_vocabulary_can_be_copied() -> None:
    one = contexts.context_of(3, "mix the quince .", "quince | ghee")
    assert list(one.extra_words) == ["quince", "ghee"]
    assert list(one.name_forms) == [V, V + 1]
    stepper = contexts.in_numpy(contexts.generator("world"))
    scores, state = stepper.step(stepper.begin(collate([one])), np.array([START]))
    assert scores.shape == (1, V + 2)
    assert (np.exp(scores[0, V:]) > 1e-4).all()
    again, _ = stepper.step(state, np.array([V + 1]))  # and be fed back
    as_unknown, _ = stepper.step(state, np.array([1]))
    np.testing.assert_allclose(again, as_unknown)


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_rows_changes_nothing(kind: Kind) -> None:
    stepper = contexts.in_numpy(contexts.generator(kind))
    state = stepper.begin(contexts.batch())
    rows = np.array([2, 0, 2])
    some, _ = stepper.step(stepper.select(state, rows), np.full(3, START))
    all_rows, _ = stepper.step(state, np.full(4, START))
    np.testing.assert_allclose(some, all_rows[rows], atol=1e-6)


def test_the_hadamard_product_of_both_encoders_begins_the_sentence() -> None:
    model = contexts.generator("npn")
    context = contexts.batch()
    p = {name: one.detach().numpy() for name, one in model.named_parameters()}
    sequences = partial(read_both_ways, p)
    _, words = sequences("context", p["words"][context.words], context.lengths)
    _, states = sequences("states", context.states, context.ingredients)
    reading = read(p, model.config, context, sequences)
    np.testing.assert_allclose(reading.first, (words * states) @ p["W_5"].T, rtol=1e-5)


@pytest.mark.parametrize("lengths", [[3, 0, 5, 1], [0, 0], [4]])
def test_sequences_are_read_alike_packed_and_padded(lengths: list[int]) -> None:
    torch.manual_seed(1)
    gru = torch.nn.GRU(4, 6, bidirectional=True, batch_first=True)
    x = torch.randn(len(lengths), 6, 4)
    found = [read(gru, x, torch.tensor(lengths)) for read in (read_packed, read_padded)]
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_eight_pairs_are_learnt_by_heart() -> None:
    verbs = ["add", "mix", "bake", "melt"]
    names = ["butter", "flour", "sugar", "quince"]
    pairs = [
        (contexts.context_of(n, f"{verb} the {name} .", f"{name} | salt"), ["chill", name, "."])
        for n, (verb, name) in enumerate((v, n) for v in verbs for n in names[::2])
    ]
    context = contexts.to_torch(collate([one for one, _ in pairs]))
    for kind in KINDS:
        torch.manual_seed(1)
        model = GeneratorNetwork(contexts.config(kind))
        forms = torch.tensor([[*map(contexts.encode, words), END] for _, words in pairs])
        said = torch.nn.functional.pad(forms[:, :-1], (1, 0), value=START)
        places = torch.arange(said.numel())
        optimizer = torch.optim.Adam(model.parameters(), 0.02)
        loss = torch.tensor(0.0)
        for _ in range(120):
            optimizer.zero_grad()
            loss = -model.log_likelihood(context, said, forms, forms, places).mean()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        assert loss < 0.05, kind
