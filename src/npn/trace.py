"""What the program says: who is touched in each step, and what becomes of them.

Steps and ingredients are numbered from 0, as in the lists they come from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from json.encoder import encode_basestring as _quoted
from typing import Any, TypeVar

from npn.errors import NpnError
from npn.frozen import quickly_made
from npn.recipe import NOTHING_KNOWN, Ingredient

STATE_TYPES = ("location", "cookedness", "temperature", "composition", "shape", "cleanliness")
Key = TypeVar("Key")


@quickly_made
@dataclass(frozen=True, slots=True)
class SelectedAction:
    name: str  # base form: "sift"
    weight: float


@quickly_made
@dataclass(frozen=True, slots=True)
class StateChange:
    type: str  # one of STATE_TYPES
    end_state: str
    probability: float
    ingredients: tuple[int, ...]


@quickly_made
@dataclass(frozen=True, slots=True)
class StepTrace:
    """One step: `entities` are the ingredients selected (attention > 0.5); `mixtures` are the
    groups of two or more that are together after it."""

    text: str
    actions: tuple[SelectedAction, ...] = ()
    entities: tuple[int, ...] = ()
    attention: tuple[float, ...] = ()
    changes: tuple[StateChange, ...] = ()
    mixtures: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """`unlisted` is food that the steps use but the list lacks, by name."""

    title: str
    model: str
    ingredients: tuple[Ingredient, ...]
    steps: tuple[StepTrace, ...]
    unlisted: tuple[str, ...] = ()

    def find(self, ingredient: int | str) -> int:
        """The index of an ingredient given by index or name."""
        return find_ingredient(self.ingredients, ingredient)

    def touched(self, step: int) -> tuple[Ingredient, ...]:
        return tuple(self.ingredients[i] for i in self._step(step).entities)

    def state(self, ingredient: int | str, after: int | None = None) -> dict[str, str]:
        """What is known of an ingredient after a step (the last one, unless told)."""
        i = self.find(ingredient)
        state = dict(self.ingredients[i].state)
        for step in self._until(after):
            apply_changes(state, i, step.changes)
        return state

    def mixtures(self, after: int | None = None) -> tuple[tuple[int, ...], ...]:
        steps = self._until(after)
        return steps[-1].mixtures if steps else ()

    def last_change(
        self, ingredient: int | str, type: str, before: int | None = None
    ) -> int | None:
        """The last step that changed an ingredient's `type` ("temperature"), or None."""
        if type not in STATE_TYPES:
            raise NpnError(f'"{type}" is not a state: choose from {", ".join(STATE_TYPES)}')
        i = self.find(ingredient)
        steps = self.steps if before is None else self.steps[:before]
        for number in reversed(range(len(steps))):
            if any(c.type == type and i in c.ingredients for c in steps[number].changes):
                return number
        return None

    @property
    def states(self) -> tuple[dict[str, str], ...]:
        """Each ingredient's state at the end; what is not known is absent."""
        states = [dict(ingredient.state) for ingredient in self.ingredients]
        for step in self.steps:
            for change in step.changes:
                for i in change.ingredients:
                    states[i][change.type] = change.end_state
        return tuple(states)

    def to_dict(self) -> dict[str, Any]:
        data = {
            "title": self.title,
            "model": self.model,
            "ingredients": [_ingredient_to_dict(ingredient) for ingredient in self.ingredients],
            "steps": [_step_to_dict(step) for step in self.steps],
            "states": list(self.states),
        }
        return data | {"unlisted": self.unlisted} if self.unlisted else data

    def to_json(self) -> str:
        """`to_dict` as JSON, on one line; put together here in half the time of json.dumps."""
        parts = [
            f'"title": {_quoted(self.title)}',
            f'"model": {_quoted(self.model)}',
            f'"ingredients": [{", ".join([_ingredient_json(one) for one in self.ingredients])}]',
            f'"steps": [{", ".join([_step_json(step) for step in self.steps])}]',
            f'"states": [{", ".join(self._states_json())}]',
        ]
        if self.unlisted:
            parts.append(f'"unlisted": [{", ".join(map(_quoted, self.unlisted))}]')
        return f"{{{', '.join(parts)}}}"

    def _states_json(self) -> list[str]:
        if any(step.changes for step in self.steps):
            return [_texts_json(state) for state in self.states]
        return [_texts_json(one.state) for one in self.ingredients]

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Trace:
        """A trace from its JSON, which must follow the schema (npn/trace.schema.json)."""
        try:
            return Trace(
                data["title"],
                data["model"],
                tuple(
                    Ingredient(i["text"], i["name"], i.get("state", NOTHING_KNOWN))
                    for i in data["ingredients"]
                ),
                tuple(_step_from_dict(step) for step in data["steps"]),
                tuple(data.get("unlisted", ())),
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise NpnError(f"this is not a trace: {error!r}") from error

    @staticmethod
    def from_json(text: str) -> Trace:
        try:
            return Trace.from_dict(json.loads(text))
        except (json.JSONDecodeError, RecursionError) as error:
            raise NpnError(f"this is not a trace: {error}") from error

    def _step(self, step: int) -> StepTrace:
        try:
            return self.steps[step]
        except IndexError:
            raise NpnError(f"there is no step {step}: this trace has {len(self.steps)}") from None

    def _until(self, after: int | None) -> tuple[StepTrace, ...]:
        if after is None:
            return self.steps
        self._step(after)
        return self.steps[: after % len(self.steps) + 1]


def all_or_nothing(entities: Iterable[int], ingredients: int) -> tuple[float, ...]:
    """The attention of a tracker that is sure: 1 for each of `entities`, 0 for the others."""
    attention = [0.0] * ingredients
    for i in entities:
        attention[i] = 1.0
    return tuple(attention)


def apply_changes(state: dict[str, str], i: int, changes: Iterable[StateChange]) -> None:
    """Make ingredient `i`'s `state` what it is after `changes`."""
    for change in changes:
        if i in change.ingredients:
            state[change.type] = change.end_state


def find_ingredient(ingredients: tuple[Ingredient, ...], wanted: int | str) -> int:
    """An ingredient by index or by name. A whole name goes before a part of one; a name that fits
    two is an error that lists them."""
    if isinstance(wanted, int):
        if not -len(ingredients) <= wanted < len(ingredients):
            raise NpnError(f"there is no ingredient {wanted}: there are {len(ingredients)}")
        return wanted % len(ingredients)
    words = wanted.casefold().split()
    whole = [i for i, one in enumerate(ingredients) if one.name.casefold().split() == words]
    part = [i for i, one in enumerate(ingredients) if set(words) <= _words(one)]
    for found in (whole, part):
        if len(found) == 1:
            return found[0]
        if found:
            several = "; ".join(f"{i}: {ingredients[i].text}" for i in found)
            raise NpnError(f'"{wanted}" fits several ingredients; say which index: {several}')
    known = ", ".join(one.name or one.text for one in ingredients)
    raise NpnError(f'no ingredient is called "{wanted}"; there are: {known}')


def _words(ingredient: Ingredient) -> set[str]:
    return set(f"{ingredient.name} {ingredient.text}".casefold().replace(",", " ").split())


def _ingredient_to_dict(ingredient: Ingredient) -> dict[str, Any]:
    data: dict[str, Any] = {"text": ingredient.text, "name": ingredient.name}
    if ingredient.state:
        data["state"] = dict(ingredient.state)
    return data


def _step_to_dict(step: StepTrace) -> dict[str, Any]:
    return {
        "text": step.text,
        "actions": [{"name": a.name, "weight": a.weight} for a in step.actions],
        "entities": step.entities,
        "attention": step.attention,
        "changes": [
            {
                "type": c.type,
                "end_state": c.end_state,
                "probability": c.probability,
                "ingredients": c.ingredients,
            }
            for c in step.changes
        ],
        "mixtures": step.mixtures,
    }


class _Written(dict[Key, str]):
    """`write(key)`, remembered for the first `most` keys: the same few come again and again."""

    def __init__(self, write: Callable[[Key], str], most: int) -> None:
        super().__init__()
        self._write = write
        self._most = most

    def __missing__(self, key: Key) -> str:
        text = self._write(key)
        if len(self) < self._most and len(text) < _LONGEST:
            self[key] = text
        return text


_LONGEST = 80  # characters to remember of one text
_pairs = _Written[tuple[str, str]](lambda pair: f"{_quoted(pair[0])}: {_quoted(pair[1])}", 1_000)
_numbers = _Written[float](lambda number: repr(float(number)), 20_000)  # most have four digits
_numbers[0.0] = "0.0"  # and so is -0.0


def _texts_json(texts: Mapping[str, str]) -> str:
    return f"{{{', '.join(map(_pairs.__getitem__, texts.items()))}}}" if texts else "{}"


def _ingredient_json(one: Ingredient) -> str:
    if one.state:
        state = f', "state": {_texts_json(one.state)}'
        return f'{{"text": {_quoted(one.text)}, "name": {_quoted(one.name)}{state}}}'
    return f'{{"text": {_quoted(one.text)}, "name": {_quoted(one.name)}}}'


def _step_json(step: StepTrace) -> str:
    actions = ", ".join(map(_action_json, step.actions)) if step.actions else ""
    changes = ", ".join(map(_change_json, step.changes)) if step.changes else ""
    mixtures = [[*one] for one in step.mixtures] if step.mixtures else "[]"
    attention = ", ".join(map(_numbers.__getitem__, step.attention))
    return (
        f'{{"text": {_quoted(step.text)}, "actions": [{actions}], '
        f'"entities": {[*step.entities]}, "attention": [{attention}], '
        f'"changes": [{changes}], "mixtures": {mixtures}}}'
    )


def _action_json(action: SelectedAction) -> str:
    return f'{{"name": {_quoted(action.name)}, "weight": {_numbers[action.weight]}}}'


def _change_json(change: StateChange) -> str:
    return (
        f'{{"type": {_quoted(change.type)}, "end_state": {_quoted(change.end_state)}, '
        f'"probability": {_numbers[change.probability]}, "ingredients": {[*change.ingredients]}}}'
    )


def _step_from_dict(data: Mapping[str, Any]) -> StepTrace:
    return StepTrace(
        data["text"],
        tuple(SelectedAction(a["name"], a["weight"]) for a in data["actions"]),
        tuple(data["entities"]),
        tuple(data["attention"]),
        tuple(
            StateChange(c["type"], c["end_state"], c["probability"], tuple(c["ingredients"]))
            for c in data["changes"]
        ),
        tuple(tuple(mixture) for mixture in data["mixtures"]),
    )
