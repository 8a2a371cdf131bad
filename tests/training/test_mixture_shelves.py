"""Recipes on shelves are what they were, and each ablation takes away what it says."""

from pathlib import Path

import numpy as np
import pytest
import torch

from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_batches import collate
from npn.runtime.mixtures_settings import sizes_for
from npn.runtime.mixtures_signs import MATCHING
from npn.training.mixtures.examples import Example, silver_examples
from npn.training.mixtures.learning import LossWeights, hide, loss_of, to_floats
from npn.training.mixtures.prediction import HIDDEN, SHOWN
from npn.training.mixtures.schedule import PRETRAINING, Learner
from npn.training.mixtures.shelves import SHAPES, Shape, join, lay_out, own_shapes, shelve
from npn.training.mixtures.targets import collate_targets
from npn.training.mixtures.trust import trust_rules
from npn.training.mixtures.unaided import without_decisions
from npn.training.mixtures.variants import VARIANTS

VOCABULARY = Vocabulary(("<pad>", "<unk>", "melt", "the", "butter", "flour", "add", "stir", "."))
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    lines = Path(__file__).with_name("own_recipes.jsonl").read_text().splitlines()
    return silver_examples(lines, WeakLabeller(load_lexicon()), VOCABULARY)


@pytest.fixture(scope="module")
def network() -> MixtureNetwork:
    torch.manual_seed(0)
    network = MixtureNetwork(sizes_for(len(VOCABULARY)), 0.3).eval()
    with torch.no_grad():
        for p in network.parameters():  # what begins at zero would hide what it is multiplied with
            p.add_(torch.randn_like(p), alpha=0.1)
    return network


def test_a_network_says_the_same_of_recipes_on_a_shelf(
    examples: list[Example], network: MixtureNetwork
) -> None:
    some = examples[:3]
    signs = [one.signs for one in some]
    batch = to_floats(collate(signs).map(torch.from_numpy))
    targets = collate_targets(signs, [one.targets for one in some]).map(torch.from_numpy)
    shelf = join([lay_out(examples[1:3], SHAPES[-1]), lay_out(examples[:1], SHAPES[-1])]).to(CPU)
    raw, shelved_targets = shelf.take(torch.tensor([2, 0, 1]))
    shelved = to_floats(raw)
    with torch.no_grad():
        ours, theirs = network(batch), network(shelved)
        steps, n = batch.steps.shape[1], batch.present.shape[1]
        there = batch.steps[..., None] * batch.present[:, None] > 0
        for name in ("scores", "attention"):
            one, other = getattr(ours, name), getattr(theirs, name)[:, :steps, :n]
            np.testing.assert_allclose(one[there], other[there], atol=1e-5)
        np.testing.assert_allclose(
            loss_of(ours, batch, targets, LossWeights()),
            loss_of(theirs, shelved, shelved_targets, LossWeights()),
            rtol=1e-4,
        )


def test_each_recipe_stands_on_the_smallest_shelf_that_holds_it(examples: list[Example]) -> None:
    shelves = shelve(examples)
    assert sum(map(len, shelves.values())) == len(examples)
    for shape, shelf in shelves.items():
        smaller = [one for one in SHAPES if one < shape]
        rows = zip(shelf.recipes.steps, shelf.recipes.present, strict=True)
        sizes = {(int(steps.sum()), int(present.sum())) for steps, present in rows}
        own = {(e.sentences, e.ingredients): e for e in map(Shape.of, examples)}
        assert not any(one.holds(own[size]) for one in smaller for size in sizes)


def test_own_shapes_hold_everything(examples: list[Example]) -> None:
    shelves = shelve(examples, own_shapes(examples, 3))
    assert sum(map(len, shelves.values())) == len(examples)


def test_without_memory_nothing_is_ever_together(examples: list[Example]) -> None:
    forgetting = MixtureNetwork(sizes_for(len(VOCABULARY)), 0.0, memory=False).eval()
    batch = to_floats(collate([e.signs for e in examples]).map(torch.from_numpy))
    with torch.no_grad():
        assert not forgetting(batch).together.any()


def test_without_matching_nobody_is_named(examples: list[Example]) -> None:
    raw = to_floats(collate([e.signs for e in examples]).map(torch.from_numpy))
    batch = hide(raw, VARIANTS["no-matching"].seen(SHOWN))
    assert raw.near.any()
    assert raw.signs[..., : len(MATCHING)].any()
    assert not batch.near.any()
    assert not batch.signs.any()
    assert (batch.marks <= raw.marks).all()
    assert (batch.marks != raw.marks).any()


def test_a_network_that_trusts_the_rules_says_their_changes(
    examples: list[Example], network: MixtureNetwork
) -> None:
    trusting = MixtureNetwork(network.sizes, 0.0).eval()
    trusting.load(network.parameters_by_name())
    trust_rules(trusting, 100.0)
    example = examples[0]
    batch = to_floats(collate([example.signs]).map(torch.from_numpy))
    targets = collate_targets([example.signs], [example.targets])
    with torch.no_grad():
        said = [ends.argmax(-1).numpy() for ends in trusting(batch).end_states]
    for s, classes in enumerate(said):
        changed = targets.ends[..., s] > 0
        np.testing.assert_array_equal(classes[changed], targets.ends[..., s][changed])


def test_weights_that_take_no_notice_of_decisions_say_what_is_said_without_them(
    examples: list[Example], network: MixtureNetwork
) -> None:
    weights = {n: p.detach().numpy() for n, p in network.parameters_by_name().items()}
    unaided = MixtureNetwork(network.sizes, 0.0).eval()
    unaided.load({n: torch.from_numpy(a) for n, a in without_decisions(weights).items()})
    raw = to_floats(collate([e.signs for e in examples]).map(torch.from_numpy))
    with torch.no_grad():
        ours, theirs = unaided(hide(raw, SHOWN)), network(hide(raw, HIDDEN))
        assert not torch.allclose(network(hide(raw, SHOWN)).scores, theirs.scores)
    for name in ("scores", "together", "places"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-5)
    for one, other in zip(ours.end_states, theirs.end_states, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_learning_lowers_the_loss(examples: list[Example]) -> None:
    torch.manual_seed(0)
    learner = Learner.begin(MixtureNetwork(sizes_for(len(VOCABULARY)), 0.0), PRETRAINING)
    step = learner.on(lay_out(examples, own_shapes(examples, 1)[0]).to(CPU))
    losses = []
    for _ in range(12):
        step(torch.arange(len(examples)))
        losses.append(learner.mean_loss(1))
    assert losses[-1] < 0.7 * losses[0]
