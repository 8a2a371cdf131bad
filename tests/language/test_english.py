from __future__ import annotations

import pytest

from npn.language.words import looks_english
from npn.recipe import Recipe


@pytest.mark.parametrize(
    "step",
    [
        "Mix the flour and the butter until smooth.",
        "Mix. Bake 30 min.",
        "Fry.",
        "Sauté the jalapeños in crème fraîche.",
        "Spread pâte over la baguette de campagne, then bake until it is hot in the oven.",
    ],
)
def test_english(step: str) -> None:
    assert looks_english(Recipe.from_lists("", ["egg"], [step]))


@pytest.mark.parametrize(
    "step",
    [
        "Die Butter mit dem Zucker schaumig rühren und die Eier zugeben.",
        "Mélanger la farine et le beurre dans un saladier.",
        "Batir los huevos con el azúcar hasta que estén espumosos.",
        "Sbattere le uova con lo zucchero e la farina.",
        "Die Butter mit Zucker, salt und Mehl verrühren.",
        "Meng de bloem met het zout en de boter.",
        "Rör ihop mjöl och smör på låg värme.",
        "小麦粉とバターを混ぜる。",
        "Смешайте муку с маслом.",
    ],
)
def test_other_languages(step: str) -> None:
    assert not looks_english(Recipe.from_lists("", ["egg"], [step]))
