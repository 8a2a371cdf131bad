"""What a shard's record says about its recipes, so that a report needs no second reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from npn.corpus.tables import Refused, Tracked

MOST_KINDS = 20_000  # different words under one heading; what comes later counts as OTHER
OTHER = "(other)"

Statistics = dict[str, Counter[str]]

HEADINGS = {
    "actions": "Actions",
    "states": "Changes of state",
    "final states": "States at the end, per ingredient",
    "places": "Where things lie at the end",
    "mixtures": "Names of mixtures",
    "mixture sizes": "Ingredients in the largest mixture at the end",
    "ingredients": "Ingredients a recipe",
    "steps": "Steps a recipe",
    "units": "Units of ingredient lines",
    "refused": "Why something was refused",
}
NUMBERS = {"mixture sizes", "ingredients", "steps"}  # headings whose kinds are numbers


def count(tracked: Iterable[Tracked], refused: Iterable[Refused]) -> Statistics:
    """The statistics of some recipes."""
    found: Statistics = {heading: Counter() for heading in HEADINGS}
    for one in tracked:
        trace = one.trace
        found["ingredients"][str(len(trace.ingredients))] += 1
        found["steps"][str(len(trace.steps))] += 1
        for ingredient in trace.ingredients:
            unit = ingredient.amount.unit if ingredient.amount else None
            found["units"][unit or "(none)"] += 1
        for step in trace.steps:
            found["actions"].update(action.name for action in step.actions)
            for change in step.changes:
                found["states"][f"{change.type}: {change.end_state}"] += len(change.ingredients)
        for state in trace.states:
            found["final states"].update(f"{type}: {end}" for type, end in state.items())
        piles = trace.piles()
        found["places"].update(pile.place or "(not said)" for pile in piles)
        found["mixtures"].update(p.name for p in piles if p.name and len(p.ingredients) > 1)
        found["mixture sizes"][str(max((len(p.ingredients) for p in piles), default=0))] += 1
    found["refused"].update(one.why.removeprefix(f"{one.path} ") for one in refused)
    return found


def merge(all_found: Iterable[Mapping[str, Mapping[str, int]]]) -> Statistics:
    """The statistics of several shards as one."""
    merged: Statistics = {heading: Counter() for heading in HEADINGS}
    for found in all_found:
        for heading, counts in found.items():
            known = merged.setdefault(heading, Counter())
            for kind, number in counts.items():
                known[kind if kind in known or len(known) < MOST_KINDS else OTHER] += number
    return merged
