"""The generator that ships: small, quick, and about the recipe at hand."""

from __future__ import annotations

import npn
from npn.networks.generator.generator import SHIPPED, load_generator, read_generator

LARGEST = 20_000_000  # bytes
LINES = ("2 cups flour", "1 cup sugar", "2 quinces, peeled", "1/2 cup butter", "3 eggs")
STEPS = ("Cream the butter and sugar in a large bowl.", "Beat in the eggs.", "Add the flour.")


def test_it_is_small_and_holds_words_only() -> None:
    assert SHIPPED.stat().st_size < LARGEST
    assert not [word for word in read_generator(SHIPPED).words if " " in word]


def test_it_is_no_tracker() -> None:
    from npn.models import SHIPPED as TRACKERS

    assert SHIPPED not in TRACKERS.values()


def test_a_word_that_was_never_learnt_is_never_said() -> None:
    generator = load_generator()
    silent = generator._stepper._p["b_o"] < -1_000
    assert silent[:2].all()  # <pad> and <unk>
    assert silent[generator.config.start]


def test_suggestions_are_sentences_about_this_recipe() -> None:
    found = npn.suggest(npn.Recipe.from_lists("Cake", LINES, STEPS), 5)
    assert len(found) == 5
    for one in found:
        assert one.text[0].isupper() or one.text[0].isdigit()
        assert one.text.endswith((".", "!", "?"))
        assert "<" not in one.text
    assert any(one.effect.entities for one in found)


def test_a_name_that_no_vocabulary_has_can_be_said() -> None:
    """Copied from the list: the ingredient is the recipe's own."""
    lines = ("2 zzyxberries", "1 cup sugar", "1 cup water")
    said = [
        one.text
        for steps in ([], ["Bring the water to a boil."], ["Boil the sugar and water."])
        for one in npn.suggest(npn.Recipe.from_lists("", lines, steps), 6)
    ]
    assert any("zzyxberr" in text.lower() for text in said)


def test_no_name_is_said_twice() -> None:
    """With two names that share no word it has little else to speak of."""
    said = npn.suggest(npn.Recipe.from_lists("", ["6 eggs", "water"], ["Boil the water."]), 6)
    for text in [one.text.lower() for one in said]:
        assert text.count("egg") <= 1
        assert text.count("water") <= 1
