"""Recipes with made-up names."""

import random

from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.language.words import words
from npn.recipe import Recipe
from npn.training.world.examples import made_up_words, rename

RECIPE = Recipe.from_lists(
    "Soup",
    ["2 c chicken broth", "1 green onion", "1 ts black pepper", "2 carrots"],
    ["Heat the broth.", "Add scallions and carrots.", "Pepper the vegetables.", "Serve."],
)


def renamed_recipe(seed: int = 0) -> Recipe:
    made_up = made_up_words(len(RECIPE.ingredients), random.Random(seed))
    return rename(RECIPE, dict(enumerate(made_up)))


def test_every_name_is_another_in_the_list_and_in_the_text() -> None:
    renamed = renamed_recipe()
    broth, onion, _, carrots = (one.text.split()[-1] for one in renamed.ingredients)
    assert [one.text.split()[:-1] for one in renamed.ingredients[:2]] == [["2", "cup"], ["1"]]
    assert renamed.steps[0] == f"Heat the {broth}."
    assert renamed.steps[1] == f"Add {onion} and {carrots}."
    assert renamed.steps[3] == "Serve."
    text = " ".join([*renamed.steps, *(one.text for one in renamed.ingredients)])
    assert not {"broth", "onion", "carrots", "chicken"} & set(words(text))


def test_made_up_names_are_found_where_they_stand() -> None:
    renamed = renamed_recipe()
    matcher = Matcher([name_ingredient(one.text) for one in renamed.ingredients])
    assert [m.ingredient for m in matcher.match(words(renamed.steps[1]))] == [1, 3]


def test_renaming_is_the_same_every_time_and_another_for_another_seed() -> None:
    assert renamed_recipe() == renamed_recipe()
    assert renamed_recipe() != renamed_recipe(seed=1)
