"""Food that the steps use and the list lacks."""

import pytest

from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.language.words import words
from npn.rules.grammar.references import staples

PASTA = ["8 oz pasta", "1/4 c olive oil"]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Boil the pasta in water with salt.", ["water", "salt"]),
        ("Butter a dish and dust it with powdered sugar.", ["butter", "powdered sugar"]),
        ("Stir in the oil.", []),  # the olive oil of the list
        ("Set the dish in a water bath.", []),
        ("Roll to the size of an egg.", []),
        ("Cook until the butter melts.", []),
        ("Coat the pasta with olive oil or butter.", []),
        ("Mist the dish with vegetable oil spray.", []),
        ("", []),
    ],
)
def test_staples_that_no_line_names_are_unlisted(sentence: str, found: list[str]) -> None:
    text, names = words(sentence), [name_ingredient(line) for line in PASTA]
    assert staples(text, (), Matcher(names).match(text), names) == found
