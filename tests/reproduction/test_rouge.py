"""ROUGE-L: the longest common subsequence, and the ways to make a score of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from npn.reproduction.generation.rouge import lcs_length, rouge_scores, rouge_variants

texts = st.lists(st.sampled_from("abcd"), max_size=30)


def slow(one: list[str], other: list[str]) -> int:
    table = [[0] * (len(other) + 1)]
    for token in one:
        row = [0]
        for at, against in enumerate(other):
            row.append(table[-1][at] + 1 if token == against else max(table[-1][at + 1], row[-1]))
        table.append(row)
    return table[-1][-1]


@given(texts, texts)
def test_the_quick_way_is_the_plain_way(one: list[str], other: list[str]) -> None:
    assert lcs_length(one, other) == slow(one, other) == lcs_length(other, one)


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        ("mix the flour and water .", "stir the flour into the water ."),
        ("bake .", "cover and chill at least 8 hours ."),
        ("simmer until tender .", "simmer until tender ."),
    ],
)
def test_the_usual_variant_is_that_of_rouge_score(candidate: str, reference: str) -> None:
    found = rouge_variants([candidate], [reference])
    for name, stem in (("words", False), ("stems", True)):
        usual = RougeScorer(["rougeL"], use_stemmer=stem).score(reference, candidate)["rougeL"]
        assert found[f"{name}, mean over steps, F, beta 1"] == pytest.approx(100 * usual.fmeasure)
        assert found[f"{name}, mean over steps, recall"] == pytest.approx(100 * usual.recall)


def test_a_large_beta_is_recall_and_a_mark_at_the_end_is_a_match() -> None:
    scores = rouge_scores(np.array([[2.0, 100.0, 4.0]]))
    assert scores["F, beta 1"] == pytest.approx(2 * 0.02 * 0.5 / (0.02 + 0.5))
    assert scores["recall"] == 0.5
    assert scores["precision"] < scores["F, beta 1.2"] < scores["F, beta 8"] < scores["recall"]
    found = rouge_variants(["bake ."], ["chill ."])
    assert found["words, mean over steps, F, beta 1"] == 0
    assert found["words and marks, mean over steps, F, beta 1"] == 50


def test_one_long_text_finds_more_in_common_than_its_steps() -> None:
    found = rouge_variants(["a b", "c d"], ["c d", "a b"])
    assert found["words, mean over steps, F, beta 1"] == 0
    assert found["words, one long text, F, beta 1"] == 50
    assert rouge_variants(["", "a"], ["a", ""])["words, counts added up, recall"] == 0
