"""Draw wrong decisions about states, to be read and sorted by a person.

    python experiments/state_errors.py MODEL --gold FILE... --count 100 --seed 0

A decision is about one ingredient, in one step, for one of the six types: which end state the step
brings it to, or none. MODEL must not have learned from the recipes of the files. Each decision that
is drawn is printed with the steps up to its own, the labels and what the tracker says of that step.
The first lines say how many decisions there are in which the labels or the tracker have a change,
and how many of them are wrong, by type and by what is wrong with them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from npn.evaluation.gold import GoldRecipe, read_gold
from npn.models import load_tracker
from npn.trace import APPLIANCES, STATE_TYPES, Trace


@dataclass(frozen=True, slots=True)
class Decision:
    """What the labels and the tracker say that a step does to an ingredient."""

    recipe: int
    step: int
    ingredient: int
    type: str
    gold: frozenset[str]
    predicted: frozenset[str]
    selected: bool  # whether both say, or neither, that the step acts on the ingredient

    @property
    def wrong(self) -> bool:
        """As the metric counts: any of the labels' end states will do, no other, and one must."""
        return not self.predicted <= self.gold or bool(self.gold) != bool(self.predicted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model")
    parser.add_argument("--gold", nargs="+", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    gold = [one for path in given.gold for one in read_gold(path)]
    tracker = load_tracker(given.model)
    traces = list(tracker.track_many([one.recipe for one in gold], split=False))
    pairs = enumerate(zip(gold, traces, strict=True))
    decisions = [one for n, (labels, trace) in pairs for one in changes_of(n, labels, trace)]
    wrong = [one for one in decisions if one.wrong]
    print("\n".join(summary(len(gold), decisions)))
    drawn = random.Random(given.seed).sample(wrong, min(given.count, len(wrong)))
    for number, one in enumerate(drawn, start=1):
        print(f"\n=== {number}")
        print("\n".join(describe(one, gold[one.recipe], traces[one.recipe])))


def changes_of(recipe: int, gold: GoldRecipe, trace: Trace) -> Iterator[Decision]:
    """The decisions in which the labels or the tracker have a change."""
    for number, (labels, step) in enumerate(zip(gold.steps, trace.steps, strict=True)):
        for type in STATE_TYPES:
            if labels.changes is None or type in labels.disputed:
                continue
            for i in range(len(trace.ingredients)):
                labelled = frozenset(
                    c.end_state for c in labels.changes if c.type == type and i in c.ingredients
                )
                predicted = frozenset(
                    c.end_state for c in step.changes if c.type == type and i in c.ingredients
                )
                if labelled or predicted:
                    selected = (i in labels.entities) == (i in step.entities)
                    yield Decision(recipe, number, i, type, labelled, predicted, selected)


def summary(recipes: int, decisions: Sequence[Decision]) -> Iterator[str]:
    """How many decisions are wrong, and in which way."""
    wrong = [one for one in decisions if one.wrong]
    steps = {(one.recipe, one.step) for one in wrong}
    yield f"{recipes} recipes, {len(decisions)} changes, {len(wrong)} wrong in {len(steps)} steps"
    for type in STATE_TYPES:
        changes = sum(one.type == type for one in decisions)
        of_type = [one for one in wrong if one.type == type]
        selected = [one for one in of_type if one.selected]
        missed = sum(not one.predicted for one in selected)
        too_many = sum(not one.gold for one in selected)
        yield (
            f"{type}: {len(of_type)} of {changes} wrong, {len(of_type) - len(selected)} at "
            f"ingredients that only one of the two selects; of the others {missed} missed, "
            f"{too_many} too many, {len(selected) - missed - too_many} another end state"
        )
    places = [one for one in wrong if one.type == "location" and one.selected]
    without = [one for one in places if one.gold & APPLIANCES and not one.predicted & APPLIANCES]
    cold = sum(bool(one.gold & {"refrigerator", "freezer"}) for one in without)
    both = sum(bool(one.gold & APPLIANCES) and one.gold < one.predicted for one in places)
    yield (
        f"of those places {len(without)} are an appliance that the tracker lacks, {cold} of them a "
        f"refrigerator or freezer; {both} an appliance beside which it names a vessel too"
    )


def describe(one: Decision, gold: GoldRecipe, trace: Trace) -> Iterator[str]:
    """The decision in its recipe, for a person to read."""
    for i, ingredient in enumerate(gold.recipe.ingredients):
        yield f"  {i:2} {ingredient.text}"
    for number, text in enumerate(gold.recipe.steps[: one.step + 1]):
        labels, step = gold.steps[number], trace.steps[number]
        yield f"  [{number}] {text}"
        yield f"      labels  {sorted(labels.entities)}"
        yield f"      tracker {sorted(step.entities)}"
        if number >= one.step - 1:
            for label in labels.changes or ():
                yield f"      labels  {label.type} {label.end_state} {sorted(label.ingredients)}"
            for change in step.changes:
                yield (
                    f"      tracker {change.type} {change.end_state} {list(change.ingredients)} "
                    f"{change.probability:.2f}"
                )
    name = trace.ingredients[one.ingredient].name
    yield (
        f"  >>> step {one.step}, {one.ingredient} ({name}), {one.type}: "
        f"labels {sorted(one.gold)}, tracker {sorted(one.predicted)}"
    )


if __name__ == "__main__":
    main()
