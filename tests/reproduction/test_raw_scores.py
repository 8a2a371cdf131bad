"""Raw scores are the predictors', not the trace's."""

from __future__ import annotations

import numpy as np
import pytest

from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.networks.common.files import ModelVocabulary
from npn.networks.paper.decoding import Decoder, RawDecoder, StepChoice, StepNumbers, choose
from npn.recipe import Recipe
from npn.reproduction.tracking.gold_counts import gold_traces
from npn.trace import STATE_TYPES, StateChange

COLD = STATE_TYPES.index("temperature")


@pytest.fixture
def vocabulary() -> ModelVocabulary:
    table = {
        "words": ["<pad>", "<unk>"],
        "entities": ["<pad>", "<unk>"],
        "actions": ["<no change>", "chill"],
        "end_states": {type: ["<no change>", f"some {type}"] for type in STATE_TYPES},
    }
    return ModelVocabulary.of(table, "test")


def predicted(
    vocabulary: ModelVocabulary, attention: float, changing: int, steps: int = 1
) -> list[list[StepChoice]]:
    """At every step, one recipe's one ingredient, and the type that changes."""
    rows = np.ones((steps, 1), np.float32)
    changed, same = np.array([0, 0.9], np.float32), np.array([0.9, 0], np.float32)
    types = range(len(STATE_TYPES))
    ends = [rows * (changed if type == changing else same) for type in types]
    actions = rows * np.array([0, 0.8], np.float32)
    numbers = StepNumbers(actions, rows * np.float32(attention), ends)
    return [list(choose(numbers, vocabulary))]


def gold(steps: int) -> list[GoldRecipe]:
    change = StateChange("temperature", "some temperature", 1.0, (0,))
    recipe = Recipe.from_lists("", ["1 egg"], ["Chill."] * steps)
    return [GoldRecipe("1", recipe, (GoldStep(frozenset({0}), changes=(change,)),) * steps)]


def test_a_step_that_selects_nobody_still_says_its_end_states(vocabulary: ModelVocabulary) -> None:
    spoken = predicted(vocabulary, 0.2, COLD)
    raw = gold_traces(gold(1), spoken, RawDecoder)[0].steps[0]
    told = gold_traces(gold(1), spoken, Decoder)[0].steps[0]
    assert [(c.type, c.ingredients) for c in raw.changes] == [("temperature", ())]
    assert told.changes == ()
    assert raw.entities == told.entities == ()


def test_a_change_that_changes_nothing_counts_raw(vocabulary: ModelVocabulary) -> None:
    spoken = predicted(vocabulary, 0.9, COLD, 2)
    scores = []
    for decoder in (RawDecoder, Decoder):
        counts = count_recipes(gold(2), gold_traces(gold(2), spoken, decoder))
        scores.append(float(tracking_scores(counts.sum(0))["state_f1/temperature"]))
    assert scores[0] == 1
    assert scores[1] == pytest.approx(2 / 3)  # the trace is silent at the second step


def test_a_new_shape_is_told_every_time(vocabulary: ModelVocabulary) -> None:
    spoken = predicted(vocabulary, 0.9, STATE_TYPES.index("shape"), 2)
    (trace,) = gold_traces(gold(2), spoken, Decoder)
    assert [len(step.changes) for step in trace.steps] == [1, 1]
