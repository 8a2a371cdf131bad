"""Recipes that say nearly the same, and those that only sound alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from npn.training.data.near_duplicates import find_features, keep_one_of_each
from npn.training.data.ragged import join_offsets, offsets_of, places_of

LONG = """sift the flour with the salt into a bowl then rub in the butter until it looks like crumbs
and add just enough cold water to bring the dough together before you chill it an hour""".split()
SMALL = st.lists(st.integers(0, 6), max_size=8)


def kept(*recipes: tuple[Sequence[str], Sequence[str]], order: Sequence[int] = ()) -> list[int]:
    """Of recipes given by their words and their ingredients."""
    words = sorted({word for text, _ in recipes for word in text})
    entities = sorted({name for _, names in recipes for name in names})
    features, offsets = find_features(
        (
            np.array([words.index(word) for text, _ in recipes for word in text], np.int32),
            offsets_of([len(text) for text, _ in recipes]),
            words,
        ),
        (
            np.array([entities.index(name) for _, names in recipes for name in names], np.int32),
            offsets_of([len(names) for _, names in recipes]),
            entities,
        ),
    )
    ranks = np.array(order or range(len(recipes)), np.int64)
    return [int(recipe) for recipe in keep_one_of_each(features, offsets, ranks)]


def test_one_word_more_is_the_same_recipe() -> None:
    assert kept((LONG, ["flour"]), ([*LONG, "overnight"], ["flour"])) == [0]


def test_another_opening_and_a_comment_are_the_same_recipe() -> None:
    changed = ["first", *LONG[1:], "this", "was", "my", "aunt's"]
    assert kept((LONG, ["flour", "butter"]), (changed, ["flour", "butter"])) == [0]


def test_half_of_another_recipe_is_not_the_same() -> None:
    other = [*LONG[: len(LONG) // 2], *reversed(LONG[: len(LONG) // 2])]
    assert kept((LONG, ["flour"]), (other, ["milk"])) == [0, 1]


def test_the_same_short_words_for_other_ingredients_are_not_the_same() -> None:
    words = "mix all ingredients and chill".split()
    assert kept((words, ["beer", "lime", "salt"]), (words, ["milk", "egg", "honey"])) == [0, 1]


def test_the_first_in_order_stays() -> None:
    again = [*LONG, "please"]
    assert kept((LONG, []), (again, []), order=[1, 0]) == [1]


def test_recipes_of_few_words_and_none_are_no_trouble() -> None:
    assert kept((["mix"], []), ([], []), (["mix", "well"], ["egg"])) == [0, 1, 2]


@given(st.lists(SMALL), st.data())
def test_lists_taken_out_are_the_lists(lists: list[list[int]], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(range(len(lists))), max_size=10) if lists else
                       st.just([]))  # fmt: skip
    flat = np.array([item for one in lists for item in one], np.int64)
    places, taken = places_of(offsets_of([len(one) for one in lists]), np.array(wanted, np.int64))
    assert flat[places].tolist() == [item for i in wanted for item in lists[i]]
    assert taken.tolist() == offsets_of([len(lists[i]) for i in wanted]).tolist()


@given(st.lists(SMALL, min_size=1))
def test_offsets_join(parts: list[list[int]]) -> None:
    joined = join_offsets([offsets_of(lengths) for lengths in parts])
    assert joined.tolist() == offsets_of([n for lengths in parts for n in lengths]).tolist()
