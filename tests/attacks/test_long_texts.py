"""Sentences are split and ingredients found in time that grows in proportion to the text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.language.sentences import split_sentences

SECONDS = 5  # of the processor: far more than is needed, far less than quadratic time would take

UNITS = [
    *"a.~):&1 \n", "\n ", ". ", "; ", ";;", "a. ", "Mix A: ", "A: b ", "1. ", "min. ", "a.a", "~. ",
    ".)", "& ", "&a;", "step ", "1.1 ", "J. ", "… ", "deg. F. ", "*\n*", "degrees",
]  # fmt: skip


@contextmanager
def soon() -> Iterator[None]:
    begin = time.process_time()
    yield
    assert time.process_time() - begin < SECONDS


@pytest.mark.parametrize("unit", UNITS)
def test_one_sign_over_and_over_is_soon_split(unit: str) -> None:
    with soon():
        split_sentences(unit * (100_000 // len(unit)) + "x")


def test_a_megabyte_in_one_line_is_split() -> None:
    text = "Stir in 2 tbsp. flour and cook 5 min. or until done; serve. " * 17_000
    with soon():
        assert len(split_sentences(text)) == 2 * 17_000


def test_a_long_sentence_is_soon_searched_for_ingredients() -> None:
    lines = ("1 c sugar", "cream of tartar", "mayonnaise")
    matcher = Matcher([name_ingredient(line) for line in lines])
    with soon():
        matcher.match(["cream", "of", "sugar", "mayonaise", "x" * 1000] * 20_000)
