"""Pairs of steps so far and the next one."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_generation_data import RECIPES, write_data

from npn.networks.generator.batch import ContextExample
from npn.training.generator.data import GenerationData
from npn.training.generator.pairs import Pairs
from npn.training.generator.run import spell

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> GenerationData:
    return GenerationData(write_data(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def pairs(data: GenerationData) -> Pairs:
    return Pairs(data.part("train"), CPU)


def spelled(data: GenerationData, forms: torch.Tensor, example: ContextExample) -> str:
    """Forms as they are numbered in pairs: <start> and <end>, the recipe's own, and all others."""
    words = [*data.words, "<start>", "<end>", *example.extra_words, "<other>"]
    return " ".join(words[i] for i in forms.tolist())


def test_every_step_follows_all_that_came_before(data: GenerationData, pairs: Pairs) -> None:
    expected = [
        ("".join(f" {step} <end>" for step in steps[:n]), f"{steps[n]} <end>")
        for _, steps in RECIPES
        for n in range(len(steps))
    ]
    every = np.arange(len(pairs))
    batch, examples = pairs.batch(every), pairs.examples(every)
    context, targets = batch.inputs, batch.labels
    there = torch.zeros(targets.forms.numel(), dtype=torch.bool)
    there[targets.places] = True
    there = there.view(targets.forms.shape)
    for n, (before, after) in enumerate(expected):
        read, said = context.forms[n][context.word_mask[n]], targets.forms[n][there[n]]
        assert spelled(data, read, examples[n]) == "<start>" + before
        copied = " ".join(
            word if word in (*data.words, "<end>", *examples[n].extra_words) else "<other>"
            for word in after.split()
        )
        assert spelled(data, said, examples[n]) == copied
    assert (targets.written[:, 0] == pairs.start).all()
    assert (targets.written[:, 1:][there[:, 1:]] == targets.encoded[:, :-1][there[:, 1:]]).all()


def test_names_follow_their_recipe(data: GenerationData, pairs: Pairs) -> None:
    examples = pairs.examples(np.arange(len(pairs)))
    context, row = pairs.context(examples), 0
    for names, steps in RECIPES:
        for step in range(len(steps)):
            named = context.name_mask[row]
            found = spelled(data, context.name_forms[row][named], examples[row])
            assert found == " ".join(names)
            owners = [n for n, name in enumerate(names) for _ in name.split()]
            assert context.owners[row][named].tolist() == owners
            assert int(context.steps[row]) == step
            row += 1
    sugar = context.name_forms[0].tolist().index(data.words.index("sugar"))
    assert data.words[int(context.previous[0, sugar])] == "brown"
    assert int(context.previous[0, sugar - 1]) == 0


def test_features_are_those_before_the_step(data: GenerationData, pairs: Pairs) -> None:
    features = data.part("train").arrays["features"].T
    context = pairs.batch(np.array([1, 3, 4])).inputs  # recipe 0 step 1, recipe 1 steps 0 and 1
    assert (context.features[0, :3].numpy() == features[3:6]).all()
    assert (context.features[1, :2].numpy() == features[9:11]).all()
    assert (context.features[2, :2].numpy() == features[11:13]).all()
    assert not context.present[1, 2]


def test_a_batch_is_what_its_pairs_are_alone(pairs: Pairs) -> None:
    many = pairs.batch(np.array([2, 6, 0])).inputs
    one = pairs.batch(np.array([6])).inputs
    width, names = one.words.shape[1], one.names.shape[1]
    assert (many.words[1, :width] == one.words[0]).all()
    assert not many.word_mask[1, width:].any()
    assert (many.names[1, :names] == one.names[0]).all()


def test_batches_hold_every_pair_once(pairs: Pairs) -> None:
    seen = np.concatenate(list(pairs.batches(3, np.random.default_rng(3))))
    assert sorted(seen.tolist()) == list(range(len(pairs)))


def test_words_beyond_the_vocabulary_are_the_recipes_own(
    data: GenerationData, pairs: Pairs
) -> None:
    last = len(pairs) - 1  # after "peel quince ."
    examples = pairs.examples(np.array([last, 0]))
    context = pairs.context(examples)
    size = len(data.words) + 2
    assert context.extra.shape == (2, 2)
    assert (context.extra[0] == 1).all()
    assert context.name_forms[0, 0] == context.forms[0, 2]
    said = (int(context.forms[0, 1]), size - 3)
    assert spell(said, examples[0], data.words) == ["peel", "never"]
    named = context.name_forms[1][context.name_mask[1]].tolist()
    assert spell(named, examples[1], data.words) == ["butter", "brown", "sugar", "quince"]


def test_what_no_pair_asks_for_is_known(data: GenerationData, pairs: Pairs) -> None:
    assert "never" in {data.words[i] for i in pairs.unsaid() if i < len(data.words)}
    assert data.words.index("butter") not in pairs.unsaid()
