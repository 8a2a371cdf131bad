"""Traces as labels, and back: the form in which people write down what a recipe does.

Labels are {"id", "title", "ingredients", "steps": [texts], "world": [one entry a step]}, a line of
a gold file for `npn evaluate`; the entries are those of `evaluation.gold`. Labellers' own
files, {"id", "steps": [one entry a step]}, are read too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from npn.errors import NpnError
from npn.evaluation.gold import read_world
from npn.trace import Portion, StepTrace, Trace, all_or_nothing

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def to_labels(trace: Trace, id: str = "") -> dict[str, Any]:
    """A trace as the labels that it stands for."""
    times = Counter(use.ingredient for step in trace.steps for use in step.uses)
    return {
        "id": id or "-".join(trace.title.lower().split())[:60] or "recipe",
        "title": trace.title,
        "ingredients": [one.text for one in trace.ingredients],
        "steps": [step.text for step in trace.steps],
        "world": [_entry(step, times) for step in trace.steps],
    }


def from_labels(trace: Trace, labels: object) -> Trace:
    """The trace of the same recipe with the uses, piles and places that labels say. Names of piles
    and changes of state, of which labels say nothing, stay where they can."""
    if not isinstance(labels, Mapping):
        raise NpnError("labels are an object with keys")
    theirs = labels.get("ingredients")
    if theirs is not None and theirs != [one.text for one in trace.ingredients]:
        raise NpnError("these labels are of another recipe: their ingredients are others")
    entries = labels.get("world", labels.get("steps"))
    world = read_world(entries, len(trace.ingredients), [step.text for step in trace.steps])
    steps = [
        _step(step, labelled, len(trace.ingredients))
        for step, labelled in zip(trace.steps, world, strict=True)
    ]
    return replace(trace, steps=tuple(steps))


def _entry(step: StepTrace, times: Counter[int]) -> dict[str, Any]:
    return {
        "uses": [
            {"i": use.ingredient, "fraction": use.fraction, "said": use.words} for use in step.uses
        ],
        "acts_on": sorted({*step.entities, *(use.ingredient for use in step.uses)}),
        "piles": [
            {"of": [_member(one, times) for one in pile.of], "where": pile.place}
            for pile in step.piles
        ],
    }


def _member(one: Portion, times: Counter[int]) -> str:
    letter = LETTERS[min(one.portion, len(LETTERS) - 1)] if times[one.ingredient] > 1 else ""
    return f"{one.ingredient}{letter}"


def _step(step: StepTrace, labelled: StepTrace, count: int) -> StepTrace:
    names = {pile.of: pile.name for pile in step.piles}
    amounts = {(use.ingredient, use.fraction): use.amount for use in step.uses}
    entities = tuple(sorted({*labelled.entities, *(use.ingredient for use in labelled.uses)}))
    return replace(
        step,
        uses=tuple(
            replace(use, amount=amounts.get((use.ingredient, use.fraction)))
            for use in labelled.uses
        ),
        piles=tuple(replace(pile, name=names.get(pile.of)) for pile in labelled.piles),
        entities=entities,
        attention=all_or_nothing(entities, count),
    )
