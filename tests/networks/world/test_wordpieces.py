"""Words become the longest pieces that the vocabulary knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import LETTERS, PIECES

from npn.networks.world.reading import LONGEST_WORD, WordPieces

KNOWN = ["[UNK]", "[CLS]", "[MASK]", "s", "shall", "shallow", "##ot", "##s", "##ots", "creme", "e"]


def split(word: str) -> list[str]:
    return [KNOWN[number] for number in WordPieces(KNOWN)(word)]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("shallots", ["shall", "##ots"]),
        ("shallot", ["shall", "##ot"]),
        ("shallows", ["shallow", "##s"]),
        ("crème", ["creme"]),
        ("é", ["e"]),
        ("shalls", ["shall", "##s"]),
        ("shallx", ["[UNK]"]),  # one unknown character makes the word unknown
        ("ots", ["[UNK]"]),  # "##ots" stands inside words only
        ("шалот", ["[UNK]"]),
        ("", ["[UNK]"]),
        ("s" * (LONGEST_WORD + 1), ["[UNK]"]),
    ],
)
def test_the_longest_piece_comes_first(word: str, pieces: list[str]) -> None:
    assert split(word) == pieces


def test_words_are_remembered_up_to_a_bound() -> None:
    wordpieces = WordPieces(KNOWN, remember=1)
    assert [wordpieces(word) for word in ("s", "e", "s", "e")] == [(3,), (10,), (3,), (10,)]


@given(st.text(LETTERS, min_size=1, max_size=LONGEST_WORD))
def test_pieces_put_together_are_the_word(word: str) -> None:
    found = [PIECES[number] for number in WordPieces(PIECES)(word)]
    assert not found[0].startswith("##")
    assert all(piece.startswith("##") for piece in found[1:])
    assert "".join(piece.removeprefix("##") for piece in found) == word


@given(st.text(max_size=50))
def test_every_text_has_a_piece(word: str) -> None:
    assert len(WordPieces(PIECES)(word)) >= 1
