"""The generation metrics say what sacrebleu and rouge-score say, and count verbs, end states and
foods as a person would."""

from __future__ import annotations

import numpy as np
import pytest

from npn.evaluation.bootstrap import Array, seed_differences, seed_scores
from npn.evaluation.generation import (
    COUNTS,
    Overlap,
    ReadStep,
    count_step,
    generation_scores,
)

NOTHING = ReadStep(frozenset(), frozenset())
SILENT = Overlap((0, 0, 0, 0), (0, 0, 0, 0), 0, 1, 0.0)


def verbs(said: str, gold: str) -> Array:
    return count_step(
        SILENT,
        ReadStep(frozenset(said.split()), frozenset()),
        ReadStep(frozenset(gold.split()), frozenset()),
    )


def recipes(quality: float, count: int = 60, seed: int = 0) -> Array:
    """Steps whose words and verbs are right with some probability, one recipe each."""
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        right = [int(generator.binomial(n, quality)) for n in (10, 9, 8, 7)]
        overlap = Overlap(tuple(right), (10, 9, 8, 7), 10, 11, right[0] / 11)
        said = ReadStep(
            frozenset({"mix"} if generator.random() < quality else {"fry"}), frozenset()
        )
        rows.append(count_step(overlap, said, ReadStep(frozenset({"mix"}), frozenset())))
    return np.array(rows)


def test_verb_f1_counts_each_action_once_a_step() -> None:
    counts = verbs("mix bake", "bake serve") + verbs("stir", "stir")
    # two of three said are right, two of three wanted are said
    assert generation_scores(counts)["verb_f1"] == pytest.approx(100 * 2 / 3)


def test_state_f1_wants_type_and_end_state() -> None:
    cold, hot = ("temperature", "cold"), ("temperature", "hot")
    said = ReadStep(frozenset(), frozenset({cold, ("location", "oven")}))
    gold = ReadStep(frozenset(), frozenset({hot, ("location", "oven")}))
    assert generation_scores(count_step(SILENT, said, gold))["state_f1"] == pytest.approx(50)


def test_what_cannot_be_measured_is_left_out() -> None:
    counts = count_step(SILENT, NOTHING, NOTHING)[None]
    scores = seed_scores([counts], generation_scores)
    assert "verb_f1" not in scores
    assert "listed" not in scores
    assert scores["bleu"].value == 0
    assert scores["copies"].value == 0


def test_foods_of_the_recipe_and_copies_are_shares() -> None:
    copy = Overlap((1, 0, 0, 0), (1, 0, 0, 0), 1, 1, 1.0, copy=True)
    one = count_step(copy, ReadStep(frozenset(), frozenset(), foods=3, listed=1), NOTHING)
    other = count_step(SILENT, ReadStep(frozenset(), frozenset(), foods=1, listed=1), NOTHING)
    scores = generation_scores(one + other)
    assert [scores["listed"], scores["copies"]] == pytest.approx([50, 50])


def test_every_count_has_its_place() -> None:
    assert count_step(SILENT, NOTHING, NOTHING).shape == (len(COUNTS),)


def test_intervals_hold_the_mean_over_seeds() -> None:
    scores = seed_scores([recipes(0.4), recipes(0.5, seed=1)], generation_scores)
    for name in ("bleu", "rouge_l", "verb_f1"):
        score = scores[name]
        assert score.low < score.value < score.high
        assert score.value == pytest.approx(np.mean(score.seeds))
        assert score.spread == pytest.approx(np.std(score.seeds, ddof=1))


def test_a_better_generator_is_seen_to_be_better_and_an_equal_one_is_not() -> None:
    better = seed_differences([recipes(0.8)], [recipes(0.4, seed=1)], generation_scores)
    assert better["bleu"].low > 0
    assert better["bleu"].p < 0.01
    same = seed_differences([recipes(0.4)], [recipes(0.4)], generation_scores)
    assert (same["bleu"].value, same["bleu"].p) == (0, 1)


def test_only_the_same_recipes_can_be_paired() -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        seed_differences([recipes(0.5, 4)], [recipes(0.5, 5)], generation_scores)
