"""What the program says: what each step takes and acts on, and what becomes of it.

Steps and ingredients are numbered from 0, as in the lists they come from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from npn.errors import NpnError
from npn.recipe import NOTHING_KNOWN, Amount, Ingredient

STATE_TYPES = ("location", "cookedness", "temperature", "composition", "shape", "cleanliness")


@dataclass(frozen=True, slots=True)
class SelectedAction:
    name: str  # base form: "sift"
    weight: float


@dataclass(frozen=True, slots=True)
class StateChange:
    type: str  # one of STATE_TYPES
    end_state: str
    probability: float
    ingredients: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """What a step takes from the ingredient list: an ingredient's first handling, or that of a
    further portion of it. `fraction` is the part of the line's whole amount, None where nobody can
    know it ("to taste"); `amount` is that part as an amount; `words` are the words of the step that
    mean it."""

    ingredient: int
    fraction: float | None = 1.0
    amount: Amount | None = None
    words: str | None = None


class Portion(NamedTuple):
    """What one use took of an ingredient. Portions are counted from 0 in the order of the uses."""

    ingredient: int
    portion: int = 0


@dataclass(frozen=True, slots=True)
class Pile:
    """Portions that lie together after a step. `place` is the vessel they are in; `name` is what
    the text or a cook would call them ("batter"), None where nothing comes to mind."""

    of: tuple[Portion, ...]
    place: str | None = None
    name: str | None = None

    @property
    def ingredients(self) -> tuple[int, ...]:
        """The ingredients in it, each once, in the order of the list."""
        return tuple(sorted({portion.ingredient for portion in self.of}))


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One step. `entities` are the ingredients it acts on (attention > 0.5), `uses` what it takes
    from the list, `piles` what lies about after it. `section` is the heading it stands under."""

    text: str
    actions: tuple[SelectedAction, ...] = ()
    entities: tuple[int, ...] = ()
    attention: tuple[float, ...] = ()
    changes: tuple[StateChange, ...] = ()
    uses: tuple[Use, ...] = ()
    piles: tuple[Pile, ...] = ()
    section: str | None = None

    @property
    def mixtures(self) -> tuple[tuple[int, ...], ...]:
        """The piles of two or more ingredients, as ingredients."""
        return tuple(who for pile in self.piles if len(who := pile.ingredients) > 1)


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

    def uses(self, step: int) -> tuple[Use, ...]:
        """What a step takes from the ingredient list, and how much of it."""
        return self._step(step).uses

    def first_use(self, ingredient: int | str) -> int | None:
        """The step that first takes an ingredient from the list, or None."""
        i = self.find(ingredient)
        for number, step in enumerate(self.steps):
            if any(use.ingredient == i for use in step.uses):
                return number
        return None

    def piles(self, after: int | None = None) -> tuple[Pile, ...]:
        """What lies about after a step (the last one, unless told), and where."""
        steps = self._until(after)
        return steps[-1].piles if steps else ()

    def mixtures(self, after: int | None = None) -> tuple[tuple[int, ...], ...]:
        """The groups of two or more ingredients that are together after a step."""
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
        """`to_dict` as JSON, on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Trace:
        """A trace from its JSON, which must follow the schema (npn/trace.schema.json)."""
        try:
            return Trace(
                data["title"],
                data["model"],
                tuple(map(_ingredient_from_dict, data["ingredients"])),
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


def as_piles(groups: Iterable[Iterable[int]]) -> tuple[Pile, ...]:
    """The piles of a tracker that knows which ingredients are together, and no more."""
    return tuple(Pile(tuple(Portion(i) for i in group)) for group in groups)


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


def _ingredient_from_dict(data: Mapping[str, Any]) -> Ingredient:
    return Ingredient(
        data["text"],
        data["name"],
        data.get("state", NOTHING_KNOWN),
        data.get("section"),
        data.get("food", ""),
        Amount.from_dict(data["amount"]) if data.get("amount") else None,
        data.get("optional", False),
    )


def _step_to_dict(step: StepTrace) -> dict[str, Any]:
    data: dict[str, Any] = {"text": step.text}
    if step.section is not None:
        data["section"] = step.section
    return data | {
        "actions": [{"name": a.name, "weight": a.weight} for a in step.actions],
        "entities": step.entities,
        "attention": step.attention,
        "uses": [_use_to_dict(use) for use in step.uses],
        "piles": [
            {
                "of": [{"ingredient": p.ingredient, "portion": p.portion} for p in pile.of],
                "place": pile.place,
                "name": pile.name,
            }
            for pile in step.piles
        ],
        "changes": [
            {
                "type": c.type,
                "end_state": c.end_state,
                "probability": c.probability,
                "ingredients": c.ingredients,
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
        tuple(
            Use(
                use["ingredient"],
                use["fraction"],
                Amount.from_dict(use["amount"]) if use.get("amount") else None,
                use.get("words"),
            )
            for use in data["uses"]
        ),
        tuple(
            Pile(
                tuple(Portion(p["ingredient"], p.get("portion", 0)) for p in pile["of"]),
                pile.get("place"),
                pile.get("name"),
            )
            for pile in data["piles"]
        ),
        data.get("section"),
    )
