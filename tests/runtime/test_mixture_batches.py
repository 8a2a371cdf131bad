"""Signs become arrays."""

from string import ascii_lowercase

import numpy as np
import pytest
from mixture_models import RECIPES, WORDS

import npn
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.runtime.mixtures_batches import RecipeSigns, collate
from npn.runtime.mixtures_pairs import Standing, fields
from npn.runtime.mixtures_reader import MOST_WORDS, Reader
from npn.runtime.mixtures_signs import SIGNS

LABELLER = WeakLabeller(load_lexicon())
NAMED = tuple(SIGNS.index(sign) for sign in ("never named", "named before"))


def read(recipe: npn.Recipe) -> tuple[Reader, RecipeSigns]:
    reader = Reader.begin(LABELLER, Vocabulary(WORDS), recipe.ingredients)
    read = [reader.read(s) for step in recipe.steps for s in LABELLER.sentences(step)]
    return reader, RecipeSigns(reader.names(), read, reader.first_states(), 0.5)


def test_signs_stand_in_the_columns_of_their_names() -> None:
    _, recipe = read(npn.Recipe.from_lists("", ["butter", "salt"], ["Melt the butter in a pan."]))
    batch = collate([recipe])
    butter, salt = ({SIGNS[k] for k in np.flatnonzero(row)} for row in batch.signs[0, 0])
    assert {"named", "selected", "never named", "first of the list", "wet"} <= butter
    assert {"dry", "last of the list"} <= salt
    assert "named" not in salt
    assert batch.near[0, 0].tolist()[0][0] == batch.starts[0] + 2  # the third word


def test_signs_of_a_long_list_stand_with_their_ingredients() -> None:
    lines = [f"1 c gizmo{first}{last}" for first in "abcd" for last in ascii_lowercase]
    _, recipe = read(npn.Recipe.from_lists("", lines, ["Mix the gizmoac and the gizmocy."]))
    for sign in ("named", "selected", "mixed after"):
        on = collate([recipe]).signs[0, 0, :, SIGNS.index(sign)]
        assert np.flatnonzero(on).tolist() == [2, 76], sign


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: str(recipe.title))
def test_what_stands_between_sentences_is_what_the_states_say(recipe: npn.Recipe) -> None:
    reader, _ = read(recipe)
    afresh = Standing.at_first(reader.rules.names, reader.rules.scene.effects.states)
    ignored = fields(range(len(recipe.ingredients))) * sum(1 << column for column in NAMED)
    assert reader.standing.pairs | ignored == afresh.pairs | ignored
    assert reader.standing.locations == afresh.locations


def test_what_is_left_out_is_read_along() -> None:
    """A sentence with "except" is looked at twice by the rules, and read whole by the network."""
    text = "Mix all ingredients except the butter."
    reader = Reader.begin(
        LABELLER, Vocabulary(WORDS), [npn.Ingredient("butter"), npn.Ingredient("flour")]
    )
    assert len(reader.read(text).words) == 7


def test_what_follows_in_an_endless_sentence_is_not_read() -> None:
    lines = [npn.Ingredient("butter"), npn.Ingredient("flour")]
    begun = f"Melt the butter in a pan, {'slowly ' * MOST_WORDS}"
    for text in (begun, f"{begun}, stir 2 cups of it into the flour in a bowl, and bake the cake"):
        read = Reader.begin(LABELLER, Vocabulary(WORDS), lines).read(text)
        assert len(read.words) == len(read.marks) == MOST_WORDS
        assert [key for key in read.keys if key] == [1]
        assert read.near.keys() == {0}


def test_a_name_that_an_endless_sentence_is_cut_in_is_not_read() -> None:
    lines = [npn.Ingredient("1 can cream of mushroom soup")]
    for words in range(MOST_WORDS - 6, MOST_WORDS + 1):
        text = f"Heat {'slowly ' * (words - 1)}cream of mushroom soup."
        near = Reader.begin(LABELLER, Vocabulary(WORDS), lines).read(text).near
        whole = words + 4 <= MOST_WORDS
        assert near == ({0: (words + 4, 0, 1)} if whole else {})


def test_a_word_has_one_mark_whatever_else_it_may_be() -> None:
    """A verb is marked as one even where it names an ingredient, too."""
    reader = Reader.begin(LABELLER, Vocabulary(WORDS), [npn.Ingredient("1 c cream")])
    verb, _, mention, *_ = reader.read("Cream the cream in 2 bowls.").marks
    again, _, number, *_ = reader.read("Cream for 2 minutes.").marks
    assert verb == again
    assert len({verb, mention, number}) == 3


def test_the_fields_of_some_are_those_of_each() -> None:
    for who in [(), (0,), (3, 1), (63, 64), (200, 2)]:
        assert fields(who) == fields({*who}) == sum(fields([i]) for i in who)


def test_food_that_the_list_lacks_is_told_once() -> None:
    reader = Reader.begin(LABELLER, Vocabulary(WORDS), [npn.Ingredient("butter")])
    for sentence in ("Melt the butter with salt.", "Add water and salt.", "Serve with butter."):
        reader.read(sentence)
    assert reader.unlisted == ("salt", "water")
