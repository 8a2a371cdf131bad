from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.language.words import tokenize, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stir-fry the baker's yeast.", ["Stir-fry", "the", "baker's", "yeast", "."]),
        ("confectioners’ sugar", ["confectioners", "’", "sugar"]),
        ("cook’s half-and-half", ["cook’s", "half-and-half"]),
        ("1 1/2 cups, or 1.5", ["1", "1/2", "cups", ",", "or", "1.5"]),
        ("1,000 g", ["1,000", "g"]),
        ("½ cup or 1½cups", ["½", "cup", "or", "1", "½", "cups"]),
        ("1⁄2 cup", ["1⁄2", "cup"]),
        ("2-3 minutes, 20–25", ["2", "-", "3", "minutes", ",", "20", "–", "25"]),
        ("350F, 180°C or 350ºF.", ["350", "F", ",", "180", "°", "C", "or", "350", "º", "F", "."]),
        ("a 9x13-inch pan", ["a", "9", "x", "13", "-", "inch", "pan"]),
        ("salt & pepper (to taste)", ["salt", "&", "pepper", "(", "to", "taste", ")"]),
        ("crème brûlée, jalapeño", ["crème", "brûlée", ",", "jalapeño"]),
        ("well--done - and 'so'", ["well", "-", "-", "done", "-", "and", "'", "so", "'"]),
        ("low_heat...", ["low", "_", "heat", ".", ".", "."]),
        ("1. Mix", ["1", ".", "Mix"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_words_numbers_and_marks_stand_apart(text: str, expected: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == expected
    assert words(text) == [token.lower() for token in expected]


@given(st.text())
def test_offsets_are_exact_and_only_white_space_is_left_out(text: str) -> None:
    end = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text != ""
        assert not text[end : token.start].strip()
        end = token.end
    assert not text[end:].strip()


@given(st.text("aZéÉ'’-½1/.,°_ \n") | st.text("aZ'-1/.,_ \n"))
def test_words_are_the_tokens_in_lower_case(text: str) -> None:
    assert words(text) == [token.text.lower() for token in tokenize(text)]
