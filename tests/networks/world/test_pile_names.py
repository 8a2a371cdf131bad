"""What the text calls a pile."""

from __future__ import annotations

import npn
from npn.networks.world.features import read_grammar
from npn.recipe import Recipe
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon


def test_what_only_comes_along_does_not_name_the_dish() -> None:
    recipe = Recipe.from_lists(
        "Salad",
        ["1 squash", "1 can chickpeas", "4 tbsp tahini", "1 lemon", "1 clove garlic"],
        [
            "Roast the squash with the chickpeas in a pan.",
            "Whisk the tahini, lemon and garlic in a bowl to make a dressing.",
            "Drizzle the squash with half of the dressing.",
            "Pour over the remaining dressing.",
        ],
    )
    grammar = read_grammar(recipe, WeakLabeller(load_lexicon()))
    meant = [(one.step, one.part) for one in grammar.products if one.noun == "dressing"]
    assert meant == [(1, False), (2, True), (3, True)]
    for pile in npn.load("world").track(recipe).piles(after=3):
        assert pile.name != "dressing" or 0 not in pile.ingredients


def names_after(recipe: Recipe) -> list[list[str | None]]:
    """The names of the piles of several things, after each step."""
    trace = npn.load("world").track(recipe)
    return [[pile.name for pile in step.piles if len(pile.of) > 1] for step in trace.steps]


def test_a_pile_has_the_name_that_a_later_step_calls_it_by() -> None:
    recipe = Recipe.from_lists(
        "A Plain Afternoon",
        ["2 eggs", "1 cup milk", "1 cup flour", "1 tsp salt"],
        [
            "Whisk the eggs with the milk in a jug.",
            "Sift the flour and salt into a bowl.",
            "Pour the egg mixture over the flour and stir.",
            "Let the batter rest for ten minutes.",
        ],
    )
    names = names_after(recipe)
    assert names[0] == ["egg mixture"]
    assert names[2] == names[3] == ["batter"]


def test_baked_dough_has_the_noun_of_the_title() -> None:
    recipe = Recipe.from_lists(
        "Grandmother's Oat Cookies II",
        ["1 cup butter", "1 cup sugar", "2 cups oats", "1 cup flour"],
        [
            "Cream the butter and sugar in a bowl.",
            "Stir in the oats and flour until a soft dough forms.",
            "Roll the dough into balls, place on a baking sheet and bake for 12 minutes.",
        ],
    )
    assert names_after(recipe)[1:] == [["dough"], ["cookies"]]


def test_verbs_and_sheets_for_cookies_name_nothing() -> None:
    recipe = Recipe.from_lists(
        "Supper",
        ["4 chicken breasts", "2 cups pecans", "1 tbsp oil"],
        [
            "Roll the chicken in the pecans on a plate, coating on all sides.",
            "Stir the oil in to blend and place all on a cookie sheet.",
        ],
    )
    assert not {"coating", "blend", "cookie"} & {n for step in names_after(recipe) for n in step}


def test_what_is_put_together_under_a_heading_is_what_the_heading_says() -> None:
    recipe = Recipe.from_dict(
        {
            "title": "For Sunday",
            "ingredients": ["500 g beef", "1 onion", "1 can tomatoes", "50 g butter", "50 g flour"],
            "steps": [
                "Brown the beef with the onion in a pot.",
                "Add the tomatoes and simmer for an hour.",
                "Melt the butter in a saucepan, stir in the flour and cook for a minute.",
            ],
            "step_sections": ["For the meat sauce:", "For the meat sauce:", "To assemble"],
        }
    )
    names = names_after(recipe)
    assert names[:2] == [["meat sauce"], ["meat sauce"]]
    assert names[2] == ["meat sauce", None]
