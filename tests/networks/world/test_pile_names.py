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
    meant = [(step, part) for step, noun, part in grammar.products if noun == "dressing"]
    assert meant == [(1, False), (2, True), (3, True)]
    for pile in npn.load("world").track(recipe).piles(after=3):
        assert pile.name != "dressing" or 0 not in pile.ingredients
