"""Food that the steps use and the list lacks."""

import pytest

from npn.knowledge.unlisted import unlisted_food
from npn.language.names import name_ingredient

PASTA = ["8 oz pasta", "1/4 c olive oil"]


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        (["Boil the pasta in water with salt."], ("water", "salt")),
        (["Butter a dish and dust it with powdered sugar."], ("butter", "powdered sugar")),
        (["Add water.", "Add more water."], ("water",)),
        (["Stir in the oil."], ()),  # the olive oil of the list
        (["Set the dish in a water bath.", "Roll to the size of an egg."], ()),
        (["Cook until the butter melts."], ()),
        ([], ()),
    ],
)
def test_staples_that_no_line_names_are_unlisted(
    sentences: list[str], found: tuple[str, ...]
) -> None:
    assert unlisted_food([name_ingredient(line) for line in PASTA], sentences) == found
