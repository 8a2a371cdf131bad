"""Traces as JSON, there and back. What is read is checked: a trace that came from a file never
names an ingredient that it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npn.errors import NpnError
from npn.recipe import Amount, Ingredient, Yield
from npn.trace import Pile, Portion, SelectedAction, StateChange, StepTrace, Trace, Use

Fields = Mapping[str, Any]


def trace_to_dict(trace: Trace) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": trace.title,
        "model": trace.model,
        "ingredients": [_ingredient_to_dict(ingredient) for ingredient in trace.ingredients],
        "steps": [_step_to_dict(step) for step in trace.steps],
        "states": list(trace.states),
    }
    if trace.yields is not None:
        data["yields"] = trace.yields.to_dict()
    return data | {"unlisted": list(trace.unlisted)} if trace.unlisted else data


def trace_from_dict(data: Fields) -> Trace:
    try:
        return _trace(data)
    except (NpnError, RecursionError) as error:
        raise NpnError(f"this is not a trace: {error}") from error


def _ingredient_to_dict(one: Ingredient) -> dict[str, Any]:
    data: dict[str, Any] = {"text": one.text, "name": one.name, "section": one.section}
    if one.food:
        data["food"] = one.food
    data["amount"] = one.amount.to_dict() if one.amount else None
    if one.optional:
        data["optional"] = True
    if one.state:
        data["state"] = dict(one.state)
    return data


def _step_to_dict(step: StepTrace) -> dict[str, Any]:
    data: dict[str, Any] = {"text": step.text}
    if step.section is not None:
        data["section"] = step.section
    return data | {
        "actions": [{"name": a.name, "weight": float(a.weight)} for a in step.actions],
        "entities": list(step.entities),
        "attention": [float(x) + 0.0 for x in step.attention],  # -0.0 is 0.0
        "uses": [_use_to_dict(use) for use in step.uses],
        "piles": [_pile_to_dict(pile) for pile in step.piles],
        "changes": [
            {
                "type": c.type,
                "end_state": c.end_state,
                "probability": float(c.probability),
                "ingredients": list(c.ingredients),
            }
            for c in step.changes
        ],
    }


def _use_to_dict(use: Use) -> dict[str, Any]:
    return {
        "ingredient": use.ingredient,
        "fraction": use.fraction,
        "amount": use.amount.to_dict() if use.amount else None,
        "words": use.words,
    }


def _pile_to_dict(pile: Pile) -> dict[str, Any]:
    return {
        "of": [{"ingredient": p.ingredient, "portion": p.portion} for p in pile.of],
        "place": pile.place,
        "name": pile.name,
    }


def _trace(data: object) -> Trace:
    fields = _object(data, "a trace")
    ingredients = tuple(_ingredient(one) for one in _list(fields, "ingredients"))
    steps = []
    for number, step in enumerate(_list(fields, "steps")):
        try:
            steps.append(_step(_object(step, "a step"), len(ingredients)))
        except NpnError as error:
            raise NpnError(f"step {number}: {error}") from error
    unlisted = _list(fields, "unlisted") if "unlisted" in fields else []
    if not all(isinstance(name, str) for name in unlisted):
        raise NpnError('"unlisted" must be a list of strings')
    yields = fields.get("yields")
    return Trace(
        _text(fields, "title"),
        _text(fields, "model"),
        ingredients,
        tuple(steps),
        tuple(unlisted),
        None if yields is None else Yield.from_dict(_object(yields, '"yields"')),
    )


def _ingredient(data: object) -> Ingredient:
    fields = _object(data, "an ingredient")
    state = _object(fields.get("state", {}), '"state"')
    if not all(isinstance(end_state, str) for end_state in state.values()):
        raise NpnError('"state" must have a string for each type')
    optional = fields.get("optional", False)
    if not isinstance(optional, bool):
        raise NpnError('"optional" must be true or false')
    return Ingredient(
        _text(fields, "text"),
        _text(fields, "name"),
        dict(state),
        _text_or_none(fields, "section"),
        _text_or_none(fields, "food") or "",
        _amount(fields),
        optional,
    )


def _step(fields: Fields, count: int) -> StepTrace:
    return StepTrace(
        _text(fields, "text"),
        tuple(_action(_object(one, "an action")) for one in _list(fields, "actions")),
        tuple(_index(one, count) for one in _list(fields, "entities")),
        tuple(_share(one, "attention") for one in _list(fields, "attention")),
        tuple(_change(_object(one, "a change"), count) for one in _list(fields, "changes")),
        tuple(_use(_object(one, "a use"), count) for one in _list(fields, "uses")),
        tuple(_pile(_object(one, "a pile"), count) for one in _list(fields, "piles")),
        _text_or_none(fields, "section"),
    )


def _action(fields: Fields) -> SelectedAction:
    return SelectedAction(_text(fields, "name"), _share(fields.get("weight"), "weight"))


def _change(fields: Fields, count: int) -> StateChange:
    return StateChange(
        _text(fields, "type"),
        _text(fields, "end_state"),
        _share(fields.get("probability"), "probability"),
        tuple(_index(one, count) for one in _list(fields, "ingredients")),
    )


def _use(fields: Fields, count: int) -> Use:
    fraction = fields.get("fraction")
    return Use(
        _index(fields.get("ingredient"), count),
        None if fraction is None else _share(fraction, "fraction"),
        _amount(fields),
        _text_or_none(fields, "words"),
    )


def _pile(fields: Fields, count: int) -> Pile:
    return Pile(
        tuple(_portion(_object(one, "a portion"), count) for one in _list(fields, "of")),
        _text_or_none(fields, "place"),
        _text_or_none(fields, "name"),
    )


def _portion(fields: Fields, count: int) -> Portion:
    portion = fields.get("portion", 0)
    if type(portion) is not int or portion < 0:
        raise NpnError(f'"portion" must be a number from 0, not {portion!r}')
    return Portion(_index(fields.get("ingredient"), count), portion)


def _amount(fields: Fields) -> Amount | None:
    amount = fields.get("amount")
    return None if amount is None else Amount.from_dict(amount)


def _index(value: object, count: int) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise NpnError(f"there is no ingredient {value!r}: there are {count}, from 0")
    return value


def _share(value: object, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise NpnError(f'"{key}" must be a number from 0 to 1, not {value!r}')
    return value


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise NpnError(f'"{key}" must be a string')
    return value


def _text_or_none(fields: Fields, key: str) -> str | None:
    return None if fields.get(key) is None else _text(fields, key)


def _list(fields: Fields, key: str) -> list[Any] | tuple[Any, ...]:
    value = fields.get(key)
    if not isinstance(value, list | tuple):
        raise NpnError(f'"{key}" must be a list')
    return value


def _object(value: object, what: str) -> Fields:
    if not isinstance(value, Mapping):
        raise NpnError(f"{what} must be an object with keys")
    return value
