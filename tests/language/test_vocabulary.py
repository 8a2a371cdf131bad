from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.errors import NpnError
from npn.language.vocabulary import PAD, PAD_ID, UNKNOWN, UNKNOWN_ID, Vocabulary

COUNTS = {"onion": 3, "add": 9, "the": 20, "stir": 3, "egg": 3}


def test_common_words_come_first_and_ties_in_alphabetical_order() -> None:
    vocabulary = Vocabulary.from_counts(COUNTS)
    assert vocabulary.words == (PAD, UNKNOWN, "the", "add", "egg", "onion", "stir")
    assert (vocabulary.id(PAD), vocabulary.id(UNKNOWN)) == (PAD_ID, UNKNOWN_ID) == (0, 1)


def test_size_counts_words_but_not_the_special_ones() -> None:
    vocabulary = Vocabulary.from_counts(COUNTS, size=3)
    assert vocabulary.words == (PAD, UNKNOWN, "the", "add", "egg")
    assert len(vocabulary) == 5
    assert Vocabulary.from_counts(COUNTS, size=0).words == (PAD, UNKNOWN)


def test_counts_may_hold_the_special_words() -> None:
    assert Vocabulary.from_counts({UNKNOWN: 7, "egg": 1}).words == (PAD, UNKNOWN, "egg")


def test_a_word_goes_before_its_lemma_and_its_lemma_before_unknown() -> None:
    vocabulary = Vocabulary.from_counts({"onion": 2, "onions": 1, "egg": 1})
    singular = {"onions": "onion", "eggs": "egg", "leeks": "leek"}.__getitem__
    assert vocabulary.ids(["onions", "eggs", "leeks"], singular) == [
        vocabulary.id("onions"),
        vocabulary.id("egg"),
        UNKNOWN_ID,
    ]
    assert vocabulary.id("eggs") == UNKNOWN_ID
    assert "egg" in vocabulary
    assert "eggs" not in vocabulary


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Vocabulary.from_counts(COUNTS).words = ()  # type: ignore[misc]


@given(st.dictionaries(st.text(), st.integers(min_value=1)))
def test_it_survives_json_and_no_order_of_counting_matters(counts: dict[str, int]) -> None:
    vocabulary = Vocabulary.from_counts(counts)
    assert Vocabulary.from_dict(json.loads(json.dumps(vocabulary.to_dict()))) == vocabulary
    assert Vocabulary.from_counts(dict(reversed(counts.items()))) == vocabulary


def test_the_hash_tells_vocabularies_apart() -> None:
    one, same, swapped, joined = (
        Vocabulary((PAD, UNKNOWN, *words))
        for words in (("egg", "oil"), ("egg", "oil"), ("oil", "egg"), ("egg oil",))
    )
    assert one.hash == same.hash
    assert len({one.hash, swapped.hash, joined.hash}) == 3


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({}, "list of strings"),
        ({"words": "egg"}, "list of strings"),
        ({"words": [PAD, UNKNOWN, 3]}, "list of strings"),
        ({"words": ["egg", PAD, UNKNOWN]}, "begin with"),
        ({"words": [PAD, UNKNOWN, "egg", "oil", "egg"]}, '"egg" is there twice'),
        ({"words": [PAD, UNKNOWN, "egg"], "hash": "0"}, "does not match its hash"),
        ({"words": [PAD, UNKNOWN, "egg"]}, "does not match its hash"),
    ],
)
def test_a_damaged_vocabulary_is_refused_with_the_reason(
    data: Mapping[str, Any], reason: str
) -> None:
    with pytest.raises(NpnError, match=reason):
        Vocabulary.from_dict(data)
