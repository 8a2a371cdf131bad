"""Sentences fit to print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.networks.generator.decoding import to_text


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("bake for 30 minutes .", "Bake for 30 minutes."),
        ("add salt , pepper and oil ;", "Add salt, pepper and oil."),
        ("bake at 350 degrees f for 1/2 hour", "Bake at 350 degrees F for 1/2 hour."),
        ("heat to 180 ° c .", "Heat to 180°C."),
        ("pour into a 9 - inch pan .", "Pour into a 9-inch pan."),
        ("cook 2 - 3 minutes .", "Cook 2-3 minutes."),
        ("sift confectioners ' sugar .", "Sift confectioners' sugar."),
        ("stir in cheese ( if used ) .", "Stir in cheese (if used)."),
        ("stir in cheese ) .", "Stir in cheese."),
        ("stir ( in cheese .", "Stir in cheese."),
        ("top with parmesan and dijon mustard .", "Top with Parmesan and Dijon mustard."),
        ("don't boil !", "Don't boil!"),
        ("do not stir - it burns .", "Do not stir - it burns."),
        ('test with a " pick " .', 'Test with a "pick".'),
        ('pour into a 9 x 9 " pan .', 'Pour into a 9 x 9" pan.'),
        ("add egg and/or milk", "Add egg and/or milk."),
        ("1 cup at a time , add flour .", "1 cup at a time, add flour."),
        ("", ""),
    ],
)
def test_words_become_a_sentence(said: str, printed: str) -> None:
    assert to_text(said.split()) == printed


@given(st.lists(st.sampled_from(["(", ")", '"', "-", ",", ".", "°", "f", "2", "mix", "'"])))
def test_any_words_can_be_printed(words: list[str]) -> None:
    text = to_text(words)
    assert text.count("(") == text.count(")")
    assert not text.startswith(" ")
    assert "  " not in text
    assert text == "" or text[-1] in ".!?\"')°"
