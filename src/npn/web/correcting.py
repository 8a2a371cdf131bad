"""A trace put right by a person.

A correction is one JSON object, about one step (numbered from 0, as ingredients are):

    {"step": 2, "use": 5, "fraction": 0.5}        the step takes half of ingredient 5 from the list
    {"step": 2, "unuse": 5}                       it does not take it
    {"step": 2, "act": 5}, {"step": 2, "leave": 5}   it acts on it, or leaves it alone
    {"step": 2, "move": [5, 0], "with": [1, 0]}   portion 0 of 5 lies with portion 0 of 1
    {"step": 2, "move": [5, 0], "with": null}     it lies alone
    {"step": 2, "place": "pot", "of": [5, 0]}     the pile of this portion is in the pot
    {"step": 2, "name": "batter", "of": [5, 0]}   and is called batter
    {"step": 2, "state": "cookedness", "end_state": "cooked", "of": [5, 0]}

What follows keeps to it: a portion that was moved goes wherever its new companions go, and a place
holds until the tracker saw the pile move on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from npn.errors import NpnError
from npn.trace import STATE_TYPES, Pile, Portion, StateChange, StepTrace, Trace, Use
from npn.web.companions import follow, home, remove, renumber

LONGEST = 60  # characters of a place or a name
MOST = 2_000  # corrections of one recipe

Fields = Mapping[str, Any]
Steps = list[StepTrace]


def correct(trace: Trace, corrections: object) -> Trace:
    """The trace with all corrections made, in their order."""
    if not isinstance(corrections, list) or len(corrections) > MOST:
        raise NpnError(f'"corrections" must be a list of at most {MOST:,}')
    for one in corrections:
        if not isinstance(one, dict):
            raise NpnError("a correction must be an object with keys")
        trace = _correct(trace, one)
    return trace


def _correct(trace: Trace, fields: Fields) -> Trace:
    number = fields.get("step")
    if type(number) is not int or not 0 <= number < len(trace.steps):
        raise NpnError(f"there is no step {number!r}: there are {len(trace.steps)}, from 0")
    for kind, make in KINDS.items():
        if kind in fields:
            steps = list(trace.steps)
            make(trace, steps, number, fields)
            return replace(trace, steps=tuple(steps))
    raise NpnError(f"a correction has one of the keys {', '.join(KINDS)}")


def _use(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    i = _ingredient(trace, fields.get("use"))
    fraction = fields.get("fraction", 1)
    if fraction is not None and not (
        isinstance(fraction, int | float) and not isinstance(fraction, bool) and 0 < fraction <= 1
    ):
        raise NpnError('"fraction" must be null or a number above 0, up to 1')
    portion = sum(use.ingredient == i for step in steps[: number + 1] for use in step.uses)
    renumber(steps, i, portion, 1)
    step = steps[number]
    steps[number] = _acting(replace(step, uses=(*step.uses, Use(i, fraction))), i)
    follow(steps, number, Portion(i, portion), home(steps, number, i))


def _unuse(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    i = _ingredient(trace, fields.get("unuse"))
    step = steps[number]
    positions = [at for at, use in enumerate(step.uses) if use.ingredient == i]
    if not positions:
        raise NpnError(f"step {number} does not take ingredient {i}")
    portion = Counter(u.ingredient for s in steps[: number + 1] for u in s.uses)[i] - 1
    uses = step.uses[: positions[-1]] + step.uses[positions[-1] + 1 :]
    steps[number] = replace(step, uses=uses)
    remove(steps, 0, Portion(i, portion))
    renumber(steps, i, portion + 1, -1)
    if not any(use.ingredient == i for one in steps[: number + 1] for use in one.uses):
        first = next((n for n, one in enumerate(steps) if any(u.ingredient == i for u in one.uses)),
                     len(steps))  # fmt: skip
        for n in range(first):
            steps[n] = _leaving(steps[n], i)


def _act(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    steps[number] = _acting(steps[number], _ingredient(trace, fields.get("act")))


def _leave(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    i = _ingredient(trace, fields.get("leave"))
    if any(use.ingredient == i for use in steps[number].uses):
        raise NpnError(f"step {number} takes ingredient {i}, and so acts on it: correct that first")
    steps[number] = _leaving(steps[number], i)


def _move(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    portion = _portion(trace, fields.get("move"))
    mate = None if fields.get("with") is None else _portion(trace, fields["with"])
    if not any(portion in pile.of for step in steps[: number + 1] for pile in step.piles):
        raise NpnError("what is to be moved has not been taken from the list by then")
    mates = next((set(p.of) for p in steps[number].piles if mate in p.of), None) if mate else set()
    if mates is None:
        raise NpnError("what it is to lie with is in no pile then")
    place = next((p.place for p in steps[number].piles if portion in p.of), None)
    remove(steps, number, portion)
    follow(steps, number, portion, frozenset(mates - {portion}), place)


def _place(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    _on_pile(trace, steps, number, fields, "place")


def _name(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    _on_pile(trace, steps, number, fields, "name")


def _on_pile(trace: Trace, steps: Steps, number: int, fields: Fields, key: str) -> None:
    """Set the place or name of the pile with a portion, for as long as the tracker had it so."""
    portion = _portion(trace, fields.get("of"))
    value = fields[key]
    if value is not None and (not isinstance(value, str) or len(value) > LONGEST):
        raise NpnError(f'"{key}" must be null or a text of at most {LONGEST} characters')
    value = " ".join(value.split()) or None if value else None
    last: str | None = None
    for n in range(number, len(steps)):
        pile = next((pile for pile in steps[n].piles if portion in pile.of), None)
        if pile is None:
            if n == number:
                raise NpnError("this portion is in no pile then")
            return
        before = pile.place if key == "place" else pile.name
        if n > number and before != last:
            return
        last = before
        changed = replace(pile, place=value) if key == "place" else replace(pile, name=value)
        steps[n] = _with_pile(steps[n], pile, changed)


def _state(trace: Trace, steps: Steps, number: int, fields: Fields) -> None:
    type_, end, portion = fields["state"], fields.get("end_state"), fields.get("of")
    if type_ not in STATE_TYPES:
        raise NpnError(f'"state" must be one of {", ".join(STATE_TYPES)}')
    if end is not None and (not isinstance(end, str) or not 0 < len(end) <= LONGEST):
        raise NpnError(f'"end_state" must be null or a text of at most {LONGEST} characters')
    one = _portion(trace, portion)
    pile = next((pile for pile in steps[number].piles if one in pile.of), Pile((one,)))
    who = set(pile.ingredients)
    kept = []
    for change in steps[number].changes:
        others = tuple(i for i in change.ingredients if change.type != type_ or i not in who)
        if others:
            kept.append(replace(change, ingredients=others))
    if end is not None:
        kept.append(StateChange(type_, end, 1.0, tuple(sorted(who))))
    steps[number] = replace(steps[number], changes=tuple(kept))


KINDS: dict[str, Callable[[Trace, Steps, int, Fields], None]] = {
    "unuse": _unuse,
    "use": _use,
    "act": _act,
    "leave": _leave,
    "move": _move,
    "state": _state,
    "place": _place,
    "name": _name,
}


def _acting(step: StepTrace, i: int) -> StepTrace:
    attention = tuple(1.0 if j == i else a for j, a in enumerate(step.attention))
    return replace(step, entities=tuple(sorted({*step.entities, i})), attention=attention)


def _leaving(step: StepTrace, i: int) -> StepTrace:
    attention = tuple(0.0 if j == i else a for j, a in enumerate(step.attention))
    changes = tuple(
        replace(change, ingredients=who)
        for change in step.changes
        if (who := tuple(j for j in change.ingredients if j != i))
    )
    entities = tuple(j for j in step.entities if j != i)
    return replace(step, entities=entities, attention=attention, changes=changes)


def _with_pile(step: StepTrace, old: Pile, new: Pile) -> StepTrace:
    return replace(step, piles=tuple(new if pile is old else pile for pile in step.piles))


def _ingredient(trace: Trace, value: object) -> int:
    if type(value) is not int or not 0 <= value < len(trace.ingredients):
        raise NpnError(f"there is no ingredient {value!r}: there are {len(trace.ingredients)}")
    return value


def _portion(trace: Trace, value: object) -> Portion:
    if not isinstance(value, list) or len(value) != 2 or type(value[1]) is not int:
        raise NpnError("a portion is a list of an ingredient and the number of its use, from 0")
    return Portion(_ingredient(trace, value[0]), value[1])
