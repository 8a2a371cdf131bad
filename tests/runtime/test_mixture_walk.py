"""What tracking says of packed recipes is what the equations say of padded ones."""

from dataclasses import fields

import numpy as np
import pytest
from mixture_models import RECIPES, WORDS, make_model, to_floats

import npn
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.equations import softmax
from npn.network.mixtures.equations import MixtureOutcome, forward
from npn.network.mixtures.said import KEYS
from npn.network.mixtures.simulation import Memory
from npn.network.mixtures.tables import with_tables
from npn.runtime.mixtures_batches import RecipeSigns, collate
from npn.runtime.mixtures_decoding import Probabilities
from npn.runtime.mixtures_forward import Forward, segment_max
from npn.runtime.mixtures_packing import pack
from npn.runtime.mixtures_reader import Reader
from npn.runtime.mixtures_settings import MixtureSettings
from npn.runtime.mixtures_signs import ENDS

LABELLER = WeakLabeller(load_lexicon())
WEIGHTS = make_model().weights
BY_NONE = MixtureSettings(by_rules=())
MANY_VERBS = npn.Recipe.from_lists(
    "Hash",
    ["2 onions", "1 c butter", "salt"],
    [
        "Peel, chop, salt, fry and stir the onions in butter, cool them, then bake and serve.",
        "Chill the onions, then bake them.",
    ],
)


def signs(recipe: npn.Recipe) -> RecipeSigns:
    reader = Reader.begin(LABELLER, Vocabulary(WORDS), recipe.ingredients)
    read = [reader.read(s) for step in recipe.steps for s in LABELLER.sentences(step)]
    return RecipeSigns(reader.names(), read, reader.first_states(), 0.5)


def all_signs(recipes: list[npn.Recipe]) -> list[RecipeSigns]:
    """Those with most sentences first, as packing asks for."""
    return sorted(map(signs, recipes), key=lambda one: -len(one.sentences))


def equations(recipes: list[RecipeSigns]) -> MixtureOutcome:
    return forward(WEIGHTS, to_floats(collate(recipes)), len(ENDS), segment_max)


def same(said: Probabilities, row: int, padded: MixtureOutcome, b: int, t: int) -> None:
    np.testing.assert_allclose(said.attention[row], padded.attention[b, t], atol=1e-5)
    assert said.together is not None
    np.testing.assert_allclose(said.together[row], padded.together[b, t], atol=1e-5)
    np.testing.assert_allclose(said.places[row], softmax(padded.places[b, t]), atol=1e-5)
    chosen = said.attention[row] > 0.5
    for ours, theirs in zip(said.end_states, padded.end_states, strict=True):
        np.testing.assert_allclose(ours[row][chosen], softmax(theirs[b, t][chosen]), atol=1e-5)
        assert (ours[row][~chosen, 0] == 1).all(), "nothing happens to what is not selected"


@pytest.mark.parametrize("tables", [True, False])
@pytest.mark.parametrize(
    "recipes", [[*RECIPES, MANY_VERBS], RECIPES[:1], RECIPES[1:2], [MANY_VERBS]], ids=len
)
def test_packed_recipes_are_read_as_padded_ones(recipes: list[npn.Recipe], tables: bool) -> None:
    read = all_signs(recipes)
    padded = equations(read)
    network = Forward(WEIGHTS, BY_NONE)
    if tables:
        network.weights = with_tables(network.weights)
    said, _ = network.read(read)
    row = 0
    for t in range(padded.attention.shape[1]):
        for b, one in enumerate(read):
            if t < len(one.sentences):
                same(said, row, padded, b, t)
                row += 1
    assert row == len(said.attention)
    assert said.attention[said.present].any()
    assert not said.attention[~said.present].any()


def test_there_are_sentences_with_few_and_with_many_words_to_attend_to() -> None:
    counts = np.count_nonzero(pack(all_signs([*RECIPES, MANY_VERBS])).keys, axis=1)
    for low, high in ((0, 1), (1, KEYS[0]), KEYS):
        assert ((counts > low) & (counts <= high)).any()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: str(recipe.title))
def test_the_memory_after_a_recipe_is_that_of_the_equations(recipe: npn.Recipe) -> None:
    read = [signs(recipe)]
    memory = Forward(WEIGHTS, BY_NONE).read(read)[1]
    theirs = equations(read).memory
    for one in fields(Memory):
        ours = getattr(memory, one.name)
        assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, getattr(theirs, one.name), atol=1e-5, err_msg=one.name)


def test_a_walk_goes_on_from_a_memory() -> None:
    network, whole = Forward(WEIGHTS, BY_NONE), signs(RECIPES[2])
    said, end = network.read([whole])
    begun, rest = (
        RecipeSigns(whole.names, some, whole.states, whole.serving)
        for some in (whole.sentences[:2], whole.sentences[2:])
    )
    first, memory = network.read([begun])
    kept = [getattr(memory, one.name).copy() for one in fields(Memory)]
    second, after = network.read([rest], memory)
    attention = np.concatenate([first.attention, second.attention])
    np.testing.assert_allclose(attention, said.attention, atol=1e-5)
    np.testing.assert_allclose(after.together, end.together, atol=1e-5)
    for one, before in zip(fields(Memory), kept, strict=True):
        assert (getattr(memory, one.name) == before).all(), "the memory walked from is another's"
