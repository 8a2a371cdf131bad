"""Amounts that steps state, and what an abbreviation's full stop does to them."""

from __future__ import annotations

import pytest

from npn.language.words import words
from npn.recipe import Amount
from npn.rules.grammar.references import Share, find_stated_amount


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("Melt 2 Tbsp. butter", Amount(2, unit="tablespoon")),
        ("Melt 2 Tbsp butter", Amount(2, unit="tablespoon")),
        ("Add 4 oz. butter", Amount(4, unit="ounce")),
        ("Add 1 T butter", Amount(1, unit="tablespoon")),
        ("Add 1 T. butter", Amount(1, unit="tablespoon")),
        ("Add 1 t butter", Amount(1, unit="teaspoon")),
        ("Stir in half of the butter", Share(1 / 2)),
        ("Bake for 2 hours. Butter", None),
        ("In a heavy skillet melt 1 1/2 cups butter", Amount(1.5, unit="cup")),
        ("Brush a total of 3 tablespoons butter", Amount(3, unit="tablespoon")),
        ("In a pan melt half the butter", Share(1 / 2)),
        ("Melt half of the 2 tablespoons butter", Share(1 / 2)),
        ("Melt a quarter cup of the butter", Amount(0.25, unit="cup")),
    ],
)
def test_the_amount_before_a_name(step: str, expected: Amount | Share | None) -> None:
    text = words(step)
    found = find_stated_amount(text, text.index("butter"))
    assert (found and found.amount) == expected
