"""Tracking metrics: what a trace has in common with the gold.

A recipe is reduced to counts (`count_recipe`), counts are added up over recipes, and every metric
is a ratio of sums (`tracking_scores`). So a bootstrap over recipes is a matrix product, and the
order of recipes cannot matter.

Only labelled steps count.

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

from collections.abc import Iterable, Sequence

import numpy as np

from npn.evaluation.bootstrap import Array, ratio
from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.language.verbs import verb_base
from npn.trace import STATE_TYPES, StepTrace, Trace

FIVE_TYPES = tuple(type for type in STATE_TYPES if type != "cleanliness")

COUNTS = (
    *("entity_right", "entity_predicted", "entity_gold", "entity_steps", "entity_step_f1"),
    *("uncombined_right", "uncombined_gold", "combined_right", "combined_gold"),
    *("action_right", "action_predicted", "action_gold"),
    *(
        f"{type}_{count}"
        for type in STATE_TYPES
        for count in ("steps", "right", "wrong", "missed", "scaled", "exact", "exact_scaled")
    ),
    *(
        f"{type}_ingredient_{count}"
        for type in STATE_TYPES
        for count in ("right", "wrong", "missed")
    ),
)
_COLUMN = {name: column for column, name in enumerate(COUNTS)}


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
            _count_actions(counts, labels.actions, step)
        if labels.changes is not None:
            _count_changes(counts, labels, step, ingredients)
    return np.array(list(counts.values()))


def tracking_scores(counts: Array) -> dict[str, Array]:
    """Every metric, by name, from counts added up over recipes: of shape (..., len(COUNTS)), for
    scores of shape (...). A metric that has nothing to measure is NaN."""

    def of(name: str) -> Array:
        value: Array = counts[..., _COLUMN[name]]
        return value

    scores = {
        "entity_f1": ratio(2 * of("entity_right"), of("entity_predicted") + of("entity_gold")),
        "entity_precision": ratio(of("entity_right"), of("entity_predicted")),
        "entity_recall": ratio(of("entity_right"), of("entity_gold")),
        "entity_macro_f1": ratio(of("entity_step_f1"), of("entity_steps")),
        "uncombined_recall": ratio(of("uncombined_right"), of("uncombined_gold")),
        "combined_recall": ratio(of("combined_right"), of("combined_gold")),
        "action_f1": ratio(2 * of("action_right"), of("action_predicted") + of("action_gold")),
        "action_precision": ratio(of("action_right"), of("action_predicted")),
        "action_recall": ratio(of("action_right"), of("action_gold")),
    }
    for type in STATE_TYPES:
        right, wrong, missed = of(f"{type}_right"), of(f"{type}_wrong"), of(f"{type}_missed")
        steps = of(f"{type}_steps")
        pairs = 2 * right + wrong + missed
        scores[f"state_f1/{type}"] = ratio(2 * right, pairs)
        scores[f"state_precision/{type}"] = ratio(right, right + wrong)
        scores[f"state_recall/{type}"] = ratio(right, right + missed)
        scores[f"state_accuracy/{type}"] = ratio(of(f"{type}_exact"), steps)
        scores[f"state_scaled_f1/{type}"] = ratio(2 * of(f"{type}_scaled"), pairs)
        scores[f"state_scaled_accuracy/{type}"] = ratio(of(f"{type}_exact_scaled"), steps)
        right = of(f"{type}_ingredient_right")
        other = of(f"{type}_ingredient_wrong") + of(f"{type}_ingredient_missed")
        scores[f"ingredient_f1/{type}"] = ratio(2 * right, 2 * right + other)
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


def _count_entities(counts: dict[str, float], labels: GoldStep, predicted: frozenset[int]) -> None:
    gold = labels.entities
    right = len(gold & predicted)
    counts["entity_right"] += right
    counts["entity_predicted"] += len(predicted)
    counts["entity_gold"] += len(gold)
    counts["entity_steps"] += 1
    both = len(predicted) + len(gold)
    counts["entity_step_f1"] += 2 * right / both if both else 1.0
    if labels.combined is not None:
        combined = gold & labels.combined
        counts["combined_right"] += len(combined & predicted)
        counts["combined_gold"] += len(combined)
        counts["uncombined_right"] += len((gold - combined) & predicted)
        counts["uncombined_gold"] += len(gold - combined)


def _count_actions(counts: dict[str, float], actions: Iterable[str], step: StepTrace) -> None:
    gold = {reduce_action(action) for action in actions}
    predicted = {reduce_action(action.name) for action in step.actions}
    counts["action_right"] += len(gold & predicted)
    counts["action_predicted"] += len(predicted)
    counts["action_gold"] += len(gold)


def _count_changes(
    counts: dict[str, float], labels: GoldStep, step: StepTrace, ingredients: int
) -> None:
    differing = len(labels.entities ^ frozenset(step.entities))
    share = 1 - differing / ingredients if ingredients else 1.0
    for type in STATE_TYPES:
        if type in labels.disputed:
            continue
        gold = [(c.end_state, c.ingredients) for c in labels.changes or () if c.type == type]
        predicted = [
            (c.end_state, frozenset(c.ingredients)) for c in step.changes if c.type == type
        ]
        g, p = {end for end, _ in gold}, {end for end, _ in predicted}
        right, wrong, missed = _agreement(g, p)
        exact = p <= g and bool(p) == bool(g)
        counts[f"{type}_steps"] += 1
        counts[f"{type}_right"] += right
        counts[f"{type}_wrong"] += wrong
        counts[f"{type}_missed"] += missed
        counts[f"{type}_scaled"] += share * right
        counts[f"{type}_exact"] += exact
        counts[f"{type}_exact_scaled"] += share * exact
        for i in frozenset().union(*(who for _, who in (*gold, *predicted))):
            right, wrong, missed = _agreement(
                {end for end, who in gold if i in who}, {end for end, who in predicted if i in who}
            )
            counts[f"{type}_ingredient_right"] += right
            counts[f"{type}_ingredient_wrong"] += wrong
            counts[f"{type}_ingredient_missed"] += missed


def _agreement(gold: set[str], predicted: set[str]) -> tuple[int, int, int]:
    """How many end states are right, wrong and missed: any one of the gold's will do."""
    right = len(gold & predicted)
    return right, len(predicted - gold), int(bool(gold) and not right)


def _mean(scores: Sequence[Array]) -> Array:
    """The mean of those that are a number; NaN where none is."""
    stacked = np.stack(scores)
    return ratio(np.nansum(stacked, axis=0), np.sum(~np.isnan(stacked), axis=0))
