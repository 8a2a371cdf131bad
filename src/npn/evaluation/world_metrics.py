"""World metrics: whether a trace's steps take the right things from the list, and leave the right
things together in the right places.

- uses F1, precision, recall: of (step, ingredient) that a step takes from the list;
- linked recipes: the share of recipes in which every step takes exactly the right ingredients;
- acts F1: of (step, ingredient) that a step acts on;
- together F1: of (step, pair of portions) that lie in one pile after the step;
- fractions: of the uses of less than a whole line, the share whose fraction is right;
- places: of the portions in a pile whose vessel is known, the share in the right vessel;
- worlds: the share of steps after which the piles are exactly the right ones, wherever they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from npn.evaluation.bootstrap import Array
from npn.evaluation.counts import Counts, by_name, count_sets, ratio, set_scores
from npn.trace import Pile, Portion, StepTrace, Trace

WORLD_COUNTS = (
    *("uses_right", "uses_predicted", "uses_gold"),
    *("acts_right", "acts_predicted", "acts_gold"),
    *("together_right", "together_predicted", "together_gold"),
    *("linked_right", "linked_gold"),
    *("fractions_right", "fractions_gold"),
    *("places_right", "places_gold"),
    *("worlds_right", "worlds_gold"),
)
NEARLY_WHOLE = 0.999
NEAR = 0.021  # a third may be given as 0.33 or 0.35

# Vessels that are the same place, for who compares. A cook fries in a skillet, a pan or a wok.
_AGREE = {
    "pan": "skillet frypan wok griddle tin mold mould",
    "pot": "saucepan stockpot kettle cooker oven",
    "dish": "casserole pie-plate ramekin",
    "bowl": "bowls cup glass mug",
    "sheet": "tray",
    "board": "surface counter",
    "plate": "platter",
    "refrigerator": "fridge",
    "processor": "processor",
    "blender": "blender",
    "jar": "jar",
}
_KIND = {word: kind for kind, words in _AGREE.items() for word in words.split()}
_SINGULAR = frozenset(_KIND) | frozenset("pan pot plate sheet dish board rack tortilla".split())
_NO_VESSEL = frozenset("the a of stand mixer prepared".split())


def vessel(place: str | None) -> str | None:
    """What kind of vessel a place is, so that two names for one are the same: "large skillets" and
    "pan" are both "pan", a "Dutch oven" is a "pot", "the bowl of a stand mixer" a "bowl"."""
    every: list[str] = re.findall(r"[a-z-]+", (place or "").lower())
    words = [word for word in every if word not in _NO_VESSEL]
    if "dutch" in words:
        return "pot"
    if not words:
        return "bowl" if "mixer" in (place or "") else None
    head = words[-1]
    for ending in ("es", "s"):
        if head.endswith(ending) and head.removesuffix(ending) in _SINGULAR:
            head = head.removesuffix(ending)
            break
    return _KIND.get(head, head)


def count_world(gold: Sequence[StepTrace], trace: Trace) -> Array:
    """One row of WORLD_COUNTS for a recipe, whose steps are as `gold` says."""
    counts = dict.fromkeys(WORLD_COUNTS, 0.0)
    linked = True
    for labels, step in zip(gold, trace.steps, strict=True):
        predicted, right = {u.ingredient for u in step.uses}, {u.ingredient for u in labels.uses}
        linked = linked and predicted == right
        count_sets(counts, "uses", predicted, right)
        count_sets(counts, "acts", set(step.entities), set(labels.entities))
        count_sets(counts, "together", _pairs(step.piles), _pairs(labels.piles))
        _count_places(counts, labels, step)
        counts["worlds_gold"] += 1
        counts["worlds_right"] += _members(step.piles) == _members(labels.piles)
    _count_fractions(counts, gold, trace.steps)
    counts["linked_gold"] += 1
    counts["linked_right"] += linked
    return np.array(list(counts.values()))


def world_scores(sums: Array) -> dict[str, Array]:
    """Every metric, by name, from counts added up over recipes, as `tracking_scores`."""
    counts = by_name(WORLD_COUNTS, sums)
    scores = {
        **set_scores(counts, "uses"),
        **set_scores(counts, "acts"),
        **set_scores(counts, "together"),
        "linked_recipes": ratio(counts["linked_right"], counts["linked_gold"]),
    }
    for name in ("fractions", "places", "worlds"):
        scores[name] = ratio(counts[f"{name}_right"], counts[f"{name}_gold"])
    return scores


def _count_fractions(counts: Counts, gold: Iterable[StepTrace], steps: Iterable[StepTrace]) -> None:
    """A use is compared with that of the same portion in the same step."""
    predicted = _fractions(steps)
    for use, right in _fractions(gold).items():
        if right is not None and right < NEARLY_WHOLE:
            fraction = predicted.get(use)
            counts["fractions_gold"] += 1
            counts["fractions_right"] += fraction is not None and abs(fraction - right) <= NEAR


def _fractions(steps: Iterable[StepTrace]) -> dict[tuple[int, Portion], float | None]:
    """The fraction of every use, by its step and portion."""
    portions: Counter[int] = Counter()
    fractions = {}
    for number, step in enumerate(steps):
        for use in step.uses:
            portion = Portion(use.ingredient, portions[use.ingredient])
            fractions[number, portion] = use.fraction
            portions[use.ingredient] += 1
    return fractions


def _count_places(counts: Counts, labels: StepTrace, step: StepTrace) -> None:
    places = {portion: pile.place for pile in step.piles for portion in pile.of}
    for pile in labels.piles:
        if pile.place:
            right = vessel(pile.place)
            counts["places_gold"] += len(pile.of)
            counts["places_right"] += sum(
                portion in places and vessel(places[portion]) == right for portion in pile.of
            )


def _members(piles: Iterable[Pile]) -> set[frozenset[Portion]]:
    return {frozenset(pile.of) for pile in piles}


def _pairs(piles: Iterable[Pile]) -> set[tuple[Portion, ...]]:
    return {pair for members in _members(piles) for pair in combinations(sorted(members), 2)}
