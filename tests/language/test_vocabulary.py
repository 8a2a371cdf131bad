from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npn.language.vocabulary import PAD, UNKNOWN, UNKNOWN_ID, rank_words, word_id

COUNTS = {"onion": 3, "add": 9, "the": 20, "stir": 3, "egg": 3}


def test_common_words_come_first_and_ties_in_alphabetical_order() -> None:
    assert rank_words(COUNTS, 9) == (PAD, UNKNOWN, "the", "add", "egg", "onion", "stir")
    assert rank_words(COUNTS, 9)[UNKNOWN_ID] == UNKNOWN


def test_size_counts_words_but_not_the_special_ones() -> None:
    assert rank_words(COUNTS, 3) == (PAD, UNKNOWN, "the", "add", "egg")
    assert rank_words(COUNTS, 0) == (PAD, UNKNOWN)


def test_counts_may_hold_the_special_words() -> None:
    assert rank_words({UNKNOWN: 7, "egg": 1}, 9) == (PAD, UNKNOWN, "egg")


@given(st.dictionaries(st.text(), st.integers(min_value=1)))
def test_the_order_of_counting_changes_nothing(counts: dict[str, int]) -> None:
    assert rank_words(dict(reversed(counts.items())), 9) == rank_words(counts, 9)


def test_a_word_goes_before_its_lemma_and_its_lemma_before_unknown() -> None:
    known = {"onion": 2, "onions": 3, "egg": 4}
    assert [word_id(word, known) for word in ("onions", "eggs", "leeks")] == [3, 4, UNKNOWN_ID]
