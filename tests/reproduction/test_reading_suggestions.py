"""Suggestions are read as steps are: verbs, end states, foods, and words in common."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from npn.evaluation.generation import ReadStep, count_step, generation_scores
from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.reproduction.generation.counting import (
    StepReader,
    WordOverlap,
    bleu_signature,
)
from npn.rules.lexicon import load_lexicon

NAMES = [name_ingredient(line) for line in ("2 cups flour", "3 eggs", "1 tbsp butter")]
FOODS = ("walnut", "olive oil", "oil", "soy sauce", "mix", "pot", "dough", "red")
READER = StepReader(load_lexicon(), FOODS)
NOTHING = ReadStep(frozenset(), frozenset())
SAID = st.lists(
    st.sampled_from("bake mix the dough in a pan and , serve flour".split()), max_size=9
).map(" ".join)


def read(step: str) -> ReadStep:
    return READER.read(step, NAMES, Matcher(NAMES))


@pytest.mark.parametrize(
    ("step", "actions", "ends"),
    [
        ("Refrigerate until firm.", {"refrigerate"}, {"cold", "refrigerator"}),
        ("Put it in the freezer.", {"put"}, {"cold", "freezer"}),
        ("Mix the flour and eggs in a bowl.", {"mix"}, {"composed", "bowl"}),
        ("Preheat the oven to 350 degrees.", {"preheat"}, set()),
        ("Add the baking powder.", {"add"}, {"composed"}),
        ("Serve on a platter.", {"serve"}, set()),
    ],
)
def test_actions_and_end_states_come_from_the_lexicon(
    step: str, actions: set[str], ends: set[str]
) -> None:
    found = read(step)
    assert found.actions == actions
    assert {end for _, end in found.end_states} == ends


@pytest.mark.parametrize(
    ("step", "foods", "listed"),
    [
        ("Add the flour and the walnuts.", 2, 1),
        ("Heat the olive oil in a pot.", 1, 0),  # not "oil" too, and a pot is no food
        ("Butter the pan.", 0, 0),
        ("Roll out the dough.", 0, 0),
        ("Beat the egg with soy sauce, butter and flour.", 4, 3),
    ],
)
def test_foods_are_counted_and_those_of_the_recipe_apart(
    step: str, foods: int, listed: int
) -> None:
    found = read(step)
    assert (found.foods, found.listed) == (foods, listed)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SAID, SAID), min_size=1, max_size=6))
def test_corpus_bleu_and_rouge_are_those_of_their_libraries(pairs: list[tuple[str, str]]) -> None:
    overlap = WordOverlap(())
    counts = sum(count_step(overlap(said, gold), NOTHING, NOTHING) for said, gold in pairs)
    scores = generation_scores(counts)  # type: ignore[arg-type]
    corpus = BLEU(lowercase=True).corpus_score([s for s, _ in pairs], [[g for _, g in pairs]])
    assert scores["bleu"] == pytest.approx(corpus.score, abs=1e-9)
    rouge = RougeScorer(["rougeL"])
    mean = sum(rouge.score(g, s)["rougeL"].fmeasure for s, g in pairs) / len(pairs)
    assert scores["rouge_l"] == pytest.approx(100 * mean)


def test_the_signature_says_how_bleu_is_computed() -> None:
    signature = bleu_signature()
    assert "case:lc" in signature
    assert "smooth:exp" in signature
    assert "version:" in signature


def test_a_copy_is_one_but_for_marks_and_case() -> None:
    overlap = WordOverlap(["Cover, and chill."])
    assert overlap("cover and chill", "Serve.").copy
    assert not overlap("Cover and chill well.", "Serve.").copy
