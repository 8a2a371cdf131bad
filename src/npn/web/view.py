"""A trace as the page shows it: after every step, what is where, how much of it, in what state.

The words are those of the table that `npn track` prints; the page adds none of its own. Steps and
ingredients are numbered from 0, as in the trace.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from npn.errors import NpnError
from npn.formats.writing import wording
from npn.formats.writing.piles import (
    PileNames,
    PileStates,
    acted_on,
    changed,
    in_several,
    state_of_most,
)
from npn.formats.writing.wording import MOST_CELLS, amount_text, legend, matrix
from npn.language.amounts import scale
from npn.recipe import Amount
from npn.trace import APPLIANCES, Pile, Portion, StepTrace, Trace, Use
from npn.web.step_text import StepTextReader

UNSURE = 0.75  # below this probability a choice is shown as a doubt
POSSIBLE = 0.25  # above this one, what was not chosen is

View = dict[str, Any]


def kitchen_view(trace: Trace, factor: float = 1.0) -> View:
    """All that the page shows of a trace, with the amounts multiplied by `factor`."""
    if len(trace.ingredients) * len(trace.steps) > MOST_CELLS:
        raise NpnError(
            f"{len(trace.ingredients):,} ingredients and {len(trace.steps):,} steps are too many "
            "to look at: use npn track"
        )
    trace = with_amounts(trace, factor)
    names = wording.ingredient_names(trace)
    rows = matrix(trace) or []
    return {
        "title": wording.title(trace),
        "summary": wording.summary(trace),
        "yields": trace.yields.to_dict() if trace.yields else None,
        "names": names,
        "ingredients": [_ingredient(trace, i, names[i]) for i in range(len(names))],
        "steps": _steps(trace, names),
        "life": [[[mark.sign for mark in cell] for cell in row] for row in rows],
        "legend": [{"sign": mark.sign, "meaning": mark.meaning} for mark in legend(rows)],
        "remarks": wording.remarks(trace, names),
    }


def _ingredient(trace: Trace, i: int, name: str) -> View:
    one = trace.ingredients[i]
    return {
        "name": name,
        "text": wording.plain(one.text),
        "section": wording.plain(one.section) if one.section else None,
        "amount": wording.amount_text(one.amount),
        "note": wording.plain(one.amount.note) if one.amount and one.amount.note else None,
        "optional": one.optional,
        "steps": [number for number, step in enumerate(trace.steps) if i in step.entities],
    }


def _steps(trace: Trace, names: list[str]) -> list[View]:
    reader = StepTextReader(trace.ingredients)
    on, changes, taken = acted_on(trace, names), changed(trace, names), wording.taken(trace, names)
    world = World(trace, names)
    views = []
    for number, step in enumerate(trace.steps):
        world.go_on(number, step)
        views.append(
            {
                "text": wording.plain(step.text),
                "section": wording.plain(step.section) if step.section else None,
                "pieces": reader.pieces(step),
                "actions": [wording.plain(action.name) for action in step.actions],
                "takes": world.taken(step, taken[number]),
                "entities": list(step.entities),
                "acts_on": on[number],
                "changes": changes[number],
                "doubts": _doubts(step, names),
                "piles": [world.pile(pile, step) for pile in step.piles],
                "waiting": world.waiting(),
                "gone": world.gone(step),
            }
        )
    return views


class World:
    """What is known of every portion while one goes from step to step."""

    def __init__(self, trace: Trace, names: list[str]) -> None:
        self._trace = trace
        self._names = names
        self._pile_names = PileNames(names)
        self._amounts = PortionAmounts(trace)
        self._states = PileStates(trace.ingredients)
        self._portions: Counter[int] = Counter()

    def go_on(self, number: int, step: StepTrace) -> None:
        for use in step.uses:
            self._portions[use.ingredient] += 1
            self._amounts.take(use)
        self._states.after(step)
        self._pile_names.after(number + 1, step)

    def taken(self, step: StepTrace, phrases: Sequence[str]) -> list[View]:
        """What a step takes from the list. Called after the step, so its portions are the last."""
        later = Counter(use.ingredient for use in step.uses)
        views = []
        for use, phrase in zip(step.uses, phrases, strict=True):
            portion = self._portions[use.ingredient] - later[use.ingredient]
            later[use.ingredient] -= 1
            line = self._trace.ingredients[use.ingredient]
            views.append(
                {
                    "ingredient": use.ingredient,
                    "portion": portion,
                    "words": phrase,
                    "note": wording.plain(line.amount.note or "") if line.amount else "",
                    "fraction": use.fraction,
                    "optional": line.optional,
                }
            )
        return views

    def pile(self, pile: Pile, step: StepTrace) -> View:
        taken = {use.ingredient for use in step.uses}
        states = self._states.of(pile)
        divided = in_several(step.piles)
        common = state_of_most(states)
        location = common.pop("location", None)
        common.pop("composition", None)
        return {
            "name": self._pile_names.name(pile),
            "named": bool(pile.name),
            "place": wording.plain(pile.place) if pile.place else None,
            "inside": location if location in APPLIANCES and location != pile.place else None,
            "states": wording.in_order(common),
            "touched": pile not in self._states.left_alone
            and bool(set(pile.ingredients) & set(step.entities)),
            "members": [
                {
                    "ingredient": one.ingredient,
                    "portion": one.portion,
                    "name": self._names[one.ingredient],
                    "amount": self._amount(one, one in divided),
                    "new": one.ingredient in taken and one.portion == self._last(one),
                    "states": _own_states(state, common),
                }
                for one, state in zip(pile.of, states, strict=True)
            ],
        }

    def _amount(self, one: Portion, divided: bool) -> str:
        """How much of a portion is in a pile. Of one that lies in several nobody says how much is
        in each."""
        amount = self._amounts.text(one)
        return (f"part of {amount}" if amount else "a part") if divided else amount

    def waiting(self) -> list[View]:
        """What no step has taken from the list yet, and how much is left of it."""
        return [
            {"ingredient": i, "name": name, "amount": left}
            for i, name in enumerate(self._names)
            if (left := self._amounts.left(i)) is not None
        ]

    def gone(self, step: StepTrace) -> list[View]:
        """What was taken and lies nowhere any more: poured off, thrown away."""
        here = {portion for pile in step.piles for portion in pile.of}
        if not here:
            return []
        return [
            {"ingredient": one.ingredient, "name": self._names[one.ingredient]}
            for i in sorted(self._portions)
            for one in (Portion(i, n) for n in range(self._portions[i]))
            if one not in here
        ]

    def _last(self, one: Portion) -> int:
        return self._portions[one.ingredient] - 1


def _own_states(state: Mapping[str, str], common: Mapping[str, str]) -> list[str]:
    """In what a member differs from its pile."""
    changed = {
        type: end
        for type, end in state.items()
        if type not in ("location", "composition") and common.get(type) != end
    }
    return wording.in_order(changed)


def _doubts(step: StepTrace, names: list[str]) -> list[str]:
    """Where the tracker was unsure, a sentence each."""
    doubts = []
    for i, weight in enumerate(step.attention):
        if i in step.entities and weight < UNSURE:
            doubts.append(f"perhaps not {names[i]} ({_percent(1 - weight)})")
        elif i not in step.entities and weight > POSSIBLE:
            doubts.append(f"perhaps also {names[i]} ({_percent(weight)})")
    for change in step.changes:
        if change.probability < UNSURE:
            end = wording.end_state(change.type, change.end_state)
            doubts.append(f"perhaps not {end} ({_percent(1 - change.probability)})")
    return doubts


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


# -- How much of each ingredient has been taken, and how much is left on the list.

NEAR = 0.02  # of the whole: 1/3 and 0.66 are meant to be everything


def with_amounts(trace: Trace, factor: float = 1.0) -> Trace:
    """The same trace with all its amounts multiplied by `factor`, and with the amount of every use
    that is a known part of a known whole."""
    ingredients = tuple(
        replace(one, amount=scale(one.amount, factor)) if one.amount else one
        for one in trace.ingredients
    )
    return replace(
        trace,
        ingredients=ingredients,
        steps=tuple(_step(step, trace, factor) for step in trace.steps),
    )


def _step(step: StepTrace, trace: Trace, factor: float) -> StepTrace:
    uses = []
    for use in step.uses:
        amount = use.amount or _part(use, trace.ingredients[use.ingredient].amount)
        uses.append(replace(use, amount=scale(amount, factor) if amount else None))
    return replace(step, uses=tuple(uses))


def _part(use: Use, whole: Amount | None) -> Amount | None:
    if use.fraction is None or use.fraction >= 1 or whole is None or whole.quantity is None:
        return None
    return scale(replace(whole, note=None), use.fraction)


class PortionAmounts:
    """Of a trace `with_amounts`: what has been taken of each ingredient so far."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._uses: defaultdict[int, list[Use]] = defaultdict(list)
        self._total = Counter(use.ingredient for step in trace.steps for use in step.uses)

    def take(self, use: Use) -> None:
        self._uses[use.ingredient].append(use)

    def text(self, portion: Portion) -> str:
        """How much a portion is, for people; empty where nobody knows."""
        uses = self._uses[portion.ingredient]
        if portion.portion >= len(uses):
            return ""
        use = uses[portion.portion]
        if use.amount:
            return amount_text(use.amount)
        whole = use.fraction is not None or self._total[portion.ingredient] == 1
        return amount_text(self._trace.ingredients[portion.ingredient].amount) if whole else ""

    def left(self, i: int) -> str | None:
        """How much of an ingredient waits on the list, for people; None where nothing does."""
        uses, whole = self._uses[i], self._trace.ingredients[i].amount
        if not uses:
            return amount_text(whole)
        if len(uses) == self._total[i]:
            return None
        rest = 1 - sum(use.fraction or 0 for use in uses)
        known = all(use.fraction is not None for use in uses)
        if not known or whole is None or whole.quantity is None:
            return "the rest"
        return amount_text(scale(whole, rest)) if rest > NEAR else None
