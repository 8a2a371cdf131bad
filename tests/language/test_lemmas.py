import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.language.words import lemma


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("tomatoes", "tomato"),
        ("berries", "berry"),
        ("leaves", "leaf"),
        ("knives", "knife"),
        ("loaves", "loaf"),
        ("halves", "half"),
        ("potatoes", "potato"),
        ("radishes", "radish"),
        ("peaches", "peach"),
        ("quiches", "quiche"),
        ("boxes", "box"),
        ("dishes", "dish"),
        ("peas", "pea"),
        ("cheeses", "cheese"),
        ("sauces", "sauce"),
        ("chives", "chive"),
        ("cookies", "cookie"),
        ("pies", "pie"),
        ("anchovies", "anchovy"),
        ("chilies", "chili"),
        ("kiwis", "kiwi"),
        ("geese", "goose"),
        ("Eggs", "egg"),
        ("baker's", "baker"),
        ("confectioners'", "confectioner"),
        ("all-purpose", "all-purpose"),
        ("egg-whites", "egg-white"),
    ],
)
def test_plurals_become_singular(plural: str, singular: str) -> None:
    assert lemma(plural) == singular


@pytest.mark.parametrize(
    "word",
    "molasses asparagus couscous hummus greens grits swiss watercress gas as is us egg rice "
    "chopped baking octopus haggis bass bus".split(),
)
def test_words_that_are_no_plurals_stay(word: str) -> None:
    assert lemma(word) == word


def test_rare_words_follow_the_rules_too() -> None:
    assert lemma("blintzes") == "blintz"


@given(st.text())
def test_any_text_has_a_base_form(text: str) -> None:
    assert isinstance(lemma(text), str)
