"""The walk in place leads where the equations of the simulation do."""

from dataclasses import fields, replace

import numpy as np
import pytest
from mixture_models import RECIPES, WORDS, make_model

import npn
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.equations import keep
from npn.network.mixtures.packed import PackedBatch
from npn.network.mixtures.simulation import Memory, first_memory, simulate
from npn.network.mixtures.walk import Walker
from npn.runtime.mixtures_batches import RecipeSigns, pack, to_floats, with_unaided
from npn.runtime.mixtures_reader import Reader

LABELLER = WeakLabeller(load_lexicon())
WEIGHTS = make_model().weights


def signs(recipe: npn.Recipe) -> RecipeSigns:
    reader = Reader.begin(LABELLER, Vocabulary(WORDS), recipe.ingredients)
    read = [reader.read(s) for step in recipe.steps for s in LABELLER.sentences(step)]
    return RecipeSigns(reader.names(), read, reader.first_states())


def batch(recipes: list[npn.Recipe]) -> PackedBatch:
    read = sorted(map(signs, recipes), key=lambda one: -len(one.sentences))
    return with_unaided(to_floats(pack(read)))


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


def ready(recipes: list[npn.Recipe]) -> tuple[PackedBatch, np.ndarray, Memory]:
    """A batch, pairs of its sentences and ingredients made up, and a memory of names made up."""
    packed = batch(recipes)
    hidden, word = WEIGHTS["entity.b"].shape[0], WEIGHTS["words"].shape[1]
    names = random(*packed.present.shape, word)
    pairs = random(*packed.signs.shape[:2], hidden)
    return packed, pairs, first_memory(WEIGHTS, names)


@pytest.mark.parametrize("recipes", [RECIPES, RECIPES[:1], RECIPES[1:2]], ids=len)
def test_the_walk_in_place_says_what_the_equations_do(recipes: list[npn.Recipe]) -> None:
    packed, pairs, memory = ready(recipes)
    kept = [getattr(memory, one.name).copy() for one in fields(Memory)]
    _, _, attention, hidden, together, after = simulate(WEIGHTS, packed, pairs, memory, keep)
    walked = Walker(WEIGHTS).walk(packed, pairs, memory, with_together=True)
    assert walked.together is not None
    np.testing.assert_allclose(walked.attention, attention, atol=1e-5)
    np.testing.assert_allclose(walked.hidden, hidden, atol=1e-5)
    np.testing.assert_allclose(walked.together, together, atol=1e-5)
    for one, before in zip(fields(Memory), kept, strict=True):
        ours, theirs = getattr(walked.memory, one.name), getattr(after, one.name)
        assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, theirs, atol=1e-5, err_msg=one.name)
        assert (getattr(memory, one.name) == before).all(), "the memory walked from is another's"


def test_a_walk_goes_on_from_a_memory() -> None:
    packed, pairs, memory = ready(RECIPES[2:3])
    walker, first = Walker(WEIGHTS), len(packed.counts) // 2
    whole = walker.walk(packed, pairs, memory, with_together=False)
    assert whole.together is None
    at = sum(packed.counts[:first])
    begun = replace(packed, counts=packed.counts[:first], near=packed.near[:at])
    rest = replace(packed, counts=packed.counts[first:], near=packed.near[at:])
    halfway = walker.walk(begun, pairs[:at], memory, with_together=False)
    end = walker.walk(rest, pairs[at:], halfway.memory, with_together=False)
    np.testing.assert_allclose(halfway.attention, whole.attention[:at], atol=1e-6)
    np.testing.assert_allclose(end.attention, whole.attention[at:], atol=1e-6)
    np.testing.assert_allclose(end.memory.together, whole.memory.together, atol=1e-6)
