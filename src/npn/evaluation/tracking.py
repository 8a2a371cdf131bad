"""Tracking metrics: what a trace has in common with the gold, over its labelled steps.

Entities:
- F1, precision, recall: micro, over all (step, ingredient) pairs.
- macro F1: the mean over steps of each step's F1; 1 where both sides are empty.
- uncombined and combined recall: of the gold pairs marked so.

Actions, over steps with gold actions: micro F1 of (step, action), both sides reduced to the first
word's base form, each once a step.

State changes, for each type over the steps where it is not disputed. P and G are the end
states predicted and marked for one type in one step (nearly always none or one):
- F1: |P & G| are right, |P - G| are wrong, and one is missed where G is not empty and P & G is.
  With at most one end state a side this is the micro F1 of (step, end state) pairs; with several
  in the gold, any of them will do and the others are not missed.
- accuracy: the share of steps where P is empty and so is G ("no change"), or P is not empty and
  all of it is in G.
- scaled F1 and accuracy: what is right in a step counts only by the share of ingredients whose
  being selected or not is right in that step.
- per ingredient: the F1 above with P and G taken for one ingredient in one step, that is, over
  (step, type, end state, ingredient).
A mean over types leaves out a type that neither side has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np

from npn.evaluation.bootstrap import Array
from npn.evaluation.counts import Counts, by_name, count_sets, ratio, set_scores
from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.language.verbs import verb_base
from npn.trace import STATE_TYPES, StateChange, StepTrace, Trace

FIVE_TYPES = tuple(type for type in STATE_TYPES if type != "cleanliness")
PARTS = ("right", "wrong", "missed")  # of end states

COUNTS = (
    *("entity_right", "entity_predicted", "entity_gold", "entity_steps", "entity_step_f1"),
    *("uncombined_right", "uncombined_gold", "combined_right", "combined_gold"),
    *("action_right", "action_predicted", "action_gold"),
    *(
        f"{type}_{count}"
        for type in STATE_TYPES
        for count in ("steps", *PARTS, "scaled", "exact", "exact_scaled")
    ),
    *(f"{type}_ingredient_{part}" for type in STATE_TYPES for part in PARTS),
)


def count_recipes(golds: Sequence[GoldRecipe], traces: Iterable[Trace]) -> Array:
    """One row of COUNTS a recipe."""
    return np.stack([count_recipe(g, t) for g, t in zip(golds, traces, strict=True)])


def count_recipe(gold: GoldRecipe, trace: Trace) -> Array:
    counts = dict.fromkeys(COUNTS, 0.0)
    ingredients = len(gold.recipe.ingredients)
    for labels, step in zip(gold.steps, trace.steps, strict=True):
        if not labels.labelled:
            continue
        _count_entities(counts, labels, frozenset(step.entities))
        if labels.actions is not None:
            predicted = {reduce_action(action.name) for action in step.actions}
            count_sets(counts, "action", predicted, set(map(reduce_action, labels.actions)))
        if labels.changes is not None:
            _count_changes(counts, labels, step, ingredients)
    return np.array(list(counts.values()))


def tracking_scores(sums: Array) -> dict[str, Array]:
    """Every metric, by name, from counts added up over recipes: of shape (..., len(COUNTS)), for
    scores of shape (...). A metric that has nothing to measure is NaN."""
    counts = by_name(COUNTS, sums)
    scores = {
        **set_scores(counts, "entity"),
        "entity_macro_f1": ratio(counts["entity_step_f1"], counts["entity_steps"]),
        "uncombined_recall": ratio(counts["uncombined_right"], counts["uncombined_gold"]),
        "combined_recall": ratio(counts["combined_right"], counts["combined_gold"]),
        **set_scores(counts, "action"),
    }
    for type in STATE_TYPES:
        right, wrong, missed = (counts[f"{type}_{part}"] for part in PARTS)
        steps, pairs = counts[f"{type}_steps"], 2 * right + wrong + missed
        scores[f"state_f1/{type}"] = ratio(2 * right, pairs)
        scores[f"state_precision/{type}"] = ratio(right, right + wrong)
        scores[f"state_recall/{type}"] = ratio(right, right + missed)
        scores[f"state_accuracy/{type}"] = ratio(counts[f"{type}_exact"], steps)
        scores[f"state_scaled_f1/{type}"] = ratio(2 * counts[f"{type}_scaled"], pairs)
        scores[f"state_scaled_accuracy/{type}"] = ratio(counts[f"{type}_exact_scaled"], steps)
        right, wrong, missed = (counts[f"{type}_ingredient_{part}"] for part in PARTS)
        scores[f"ingredient_f1/{type}"] = ratio(2 * right, 2 * right + wrong + missed)
    for metric in (
        *("state_f1", "state_accuracy", "state_scaled_f1", "state_scaled_accuracy"),
        "ingredient_f1",
    ):
        for label, types in (("five", FIVE_TYPES), ("six", STATE_TYPES)):
            scores[f"{metric}/{label}"] = _mean([scores[f"{metric}/{type}"] for type in types])
    return scores


def reduce_action(action: str) -> str:
    """The first word's base form: "stir in" and "stirring" are both "stir". A word that is no
    verb we know stays as it is."""
    first = next(iter(action.lower().split()), "")
    return verb_base(first) or first


def _count_entities(counts: Counts, labels: GoldStep, predicted: frozenset[int]) -> None:
    gold = labels.entities
    count_sets(counts, "entity", predicted, gold)
    both = len(predicted) + len(gold)
    counts["entity_steps"] += 1
    counts["entity_step_f1"] += 2 * len(gold & predicted) / both if both else 1.0
    if labels.combined is not None:
        for name, part in (
            ("combined", gold & labels.combined),
            ("uncombined", gold - labels.combined),
        ):
            counts[f"{name}_right"] += len(part & predicted)
            counts[f"{name}_gold"] += len(part)


def _count_changes(counts: Counts, labels: GoldStep, step: StepTrace, ingredients: int) -> None:
    differing = len(labels.entities ^ frozenset(step.entities))
    share = 1 - differing / ingredients if ingredients else 1.0
    for type in STATE_TYPES:
        if type in labels.disputed:
            continue
        gold = [change for change in labels.changes or () if change.type == type]
        predicted = [change for change in step.changes if change.type == type]
        g, p = _end_states(gold), _end_states(predicted)
        exact = p <= g and bool(p) == bool(g)
        counts[f"{type}_steps"] += 1
        counts[f"{type}_scaled"] += share * len(g & p)
        counts[f"{type}_exact"] += exact
        counts[f"{type}_exact_scaled"] += share * exact
        _count_end_states(counts, type, p, g)
        for i in {i for change in (*gold, *predicted) for i in change.ingredients}:
            p, g = _end_states(predicted, i), _end_states(gold, i)
            _count_end_states(counts, f"{type}_ingredient", p, g)


def _end_states(changes: Iterable[StateChange], ingredient: int | None = None) -> set[str]:
    """The end states of all changes, or of those of an ingredient."""
    return {
        change.end_state
        for change in changes
        if ingredient is None or ingredient in change.ingredients
    }


def _count_end_states(counts: Counts, name: str, predicted: Set[str], gold: Set[str]) -> None:
    """Count the end states that are right, wrong and missed: any one of the gold's will do."""
    right = len(gold & predicted)
    counts[f"{name}_right"] += right
    counts[f"{name}_wrong"] += len(predicted - gold)
    counts[f"{name}_missed"] += bool(gold) and not right


def _mean(scores: Sequence[Array]) -> Array:
    """The mean of those that are a number; NaN where none is."""
    stacked = np.stack(scores)
    return ratio(np.nansum(stacked, axis=0), np.sum(~np.isnan(stacked), axis=0))
