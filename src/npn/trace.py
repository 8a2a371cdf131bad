"""What the program says: what each step takes and acts on, and what becomes of it.

Steps and ingredients are numbered from 0, as in the lists they come from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from npn.errors import NpnError
from npn.recipe import Amount, Ingredient, Yield

STATE_TYPES = ("location", "cookedness", "temperature", "composition", "shape", "cleanliness")
# Locations that a vessel is put into, with the food in it: the vessel stays the food's place.
APPLIANCES = frozenset(
    """oven refrigerator freezer microwave grill broiler smoker fryer toaster steamer""".split()
)
COLD_APPLIANCES = frozenset({"refrigerator", "freezer"})


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
    """`unlisted` is food that the steps use but the list lacks, by name; `yields` is how much the
    recipe makes, None where it does not say."""

    title: str
    model: str
    ingredients: tuple[Ingredient, ...]
    steps: tuple[StepTrace, ...]
    unlisted: tuple[str, ...] = ()
    yields: Yield | None = None

    def find(self, ingredient: int | str) -> int:
        """The index of an ingredient given by index or name. A whole name goes before a part of
        one; a name that fits two is an error that lists them."""
        count = len(self.ingredients)
        if isinstance(ingredient, int):
            if not -count <= ingredient < count:
                raise NpnError(f"there is no ingredient {ingredient}: there are {count}")
            return ingredient % count
        if not isinstance(ingredient, str):
            raise TypeError(f"an ingredient is given by its number or name, not by {ingredient!r}")
        words = ingredient.casefold().split()
        numbered = list(enumerate(self.ingredients))
        whole = [i for i, one in numbered if one.name.casefold().split() == words]
        part = [i for i, one in numbered if words and set(words) <= _words(one)]
        for found in (whole, part):
            if len(found) == 1:
                return found[0]
            if found:
                several = "; ".join(f"{i}: {self.ingredients[i].text}" for i in found)
                raise NpnError(
                    f'"{ingredient}" fits several ingredients; say which index: {several}'
                )
        known = ", ".join(one.name or one.text for one in self.ingredients)
        raise NpnError(f'no ingredient is called "{ingredient}"; there are: {known}')

    def touched(self, step: int) -> tuple[Ingredient, ...]:
        return tuple(self.ingredients[i] for i in self._step(step).entities)

    def state(self, ingredient: int | str, after: int | None = None) -> dict[str, str]:
        """What is known of an ingredient after a step (the last one, unless told)."""
        i = self.find(ingredient)
        return self._states(self._until(after))[i]

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
        if before is not None and not isinstance(before, int):
            raise TypeError(f"a step is given by its number, not by {before!r}")
        steps = self.steps[:before]
        for number in reversed(range(len(steps))):
            if any(c.type == type and i in c.ingredients for c in steps[number].changes):
                return number
        return None

    @property
    def states(self) -> tuple[dict[str, str], ...]:
        """Each ingredient's state at the end; what is not known is absent."""
        return tuple(self._states(self.steps))

    def to_dict(self) -> dict[str, Any]:
        """This trace as its JSON, which follows the schema (npn/trace.schema.json)."""
        from npn.trace_json import trace_to_dict  # which reads and writes the types of this file

        return trace_to_dict(self)

    def to_json(self) -> str:
        """`to_dict` as JSON, on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Trace:
        """A trace from its JSON, which must follow the schema (npn/trace.schema.json)."""
        from npn.trace_json import trace_from_dict

        return trace_from_dict(data)

    @staticmethod
    def from_json(text: str) -> Trace:
        """A trace from `to_json`."""
        if not isinstance(text, str | bytes):
            raise TypeError(f"the JSON of a trace is a text, not {text!r}")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise NpnError(f"this is not a trace: {error}") from error
        return Trace.from_dict(data)

    def _states(self, steps: Iterable[StepTrace]) -> list[dict[str, str]]:
        """Each ingredient's state after these steps, the first of the recipe."""
        states = [dict(ingredient.state) for ingredient in self.ingredients]
        for step in steps:
            for change in step.changes:
                for i in change.ingredients:
                    states[i][change.type] = change.end_state
        return states

    def _step(self, step: int) -> StepTrace:
        if not isinstance(step, int):
            raise TypeError(f"a step is given by its number, not by {step!r}")
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


def _words(ingredient: Ingredient) -> set[str]:
    """The words that an ingredient can be called by. Its amount is none of them: "3" is not the
    butter of "3 tablespoons butter"."""
    line = f"{ingredient.name} {ingredient.food} {ingredient.text}".casefold().replace(",", " ")
    unit = ingredient.amount.unit if ingredient.amount else None
    return {word for word in line.split() if word[0].isalpha() and word != unit}
