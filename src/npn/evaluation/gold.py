"""Gold: recipes with what people say happens in each step.

One recipe a line, as JSON: `title`, `ingredients`, `steps`, and `gold` or `world` (or both) with
one entry a step. For `world` see `read_world`. Every entry of `gold` has `entities`; what else it
has depends on the annotation: `combined` and `labelled` (the paper's own labels), `actions` (CURD),
`actions`, `changes` and `disputed` (state changes). Other keys are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.recipe import Recipe
from npn.trace import STATE_TYPES, Pile, Portion, StateChange, StepTrace, Use

Fields = Mapping[str, Any]

# -- What stands under the keys of a line of gold, or a sentence that says what is wrong with it.


def _list(fields: Fields, key: str) -> list[Any]:
    value = fields.get(key)
    if not isinstance(value, list):
        raise NpnError(f'"{key}" must be a list')
    return value


def _objects(fields: Fields, key: str) -> list[Fields]:
    """The entries of a list, each with its keys."""
    entries = _list(fields, key)
    if not all(isinstance(entry, dict) for entry in entries):
        raise NpnError(f'an entry of "{key}" must be an object with keys')
    return entries


def _one_a_step(fields: Fields, key: str, steps: Sequence[str]) -> list[Fields]:
    entries = _objects(fields, key)
    if len(entries) != len(steps):
        raise NpnError(f'"{key}" has {len(entries)} entries for {len(steps)} steps')
    return entries


def _words(fields: Fields, key: str) -> list[str]:
    words = _list(fields, key)
    if not all(isinstance(word, str) for word in words):
        raise NpnError(f'"{key}" must be a list of strings')
    return words


def _ingredient(number: object, count: int, key: str) -> int:
    if type(number) is not int or not 0 <= number < count:
        raise NpnError(f'"{key}" names ingredient {number!r}, but there are {count}, from 0')
    return number


def _ingredients(fields: Fields, key: str, count: int) -> frozenset[int]:
    return frozenset(_ingredient(number, count, key) for number in _list(fields, key))


# -- Gold of steps.


@dataclass(frozen=True, slots=True)
class GoldStep:
    """One step's labels. None means that this annotation does not label it; `combined` are those
    of the `entities` that were already part of a mixture; a step that is not `labelled` lacks its
    entities and is left out; types in `disputed` are not scored at this step."""

    entities: frozenset[int]
    combined: frozenset[int] | None = None
    labelled: bool = True
    actions: tuple[str, ...] | None = None
    changes: tuple[StateChange, ...] | None = None
    disputed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GoldRecipe:
    """`steps` is empty where only the `world` is labelled, which is None where it is not."""

    id: str
    recipe: Recipe
    steps: tuple[GoldStep, ...]
    world: tuple[StepTrace, ...] | None = None


def read_gold(path: str | Path) -> tuple[GoldRecipe, ...]:
    """The recipes of a gold file, in its order. Raises NpnError, with the line, for any other
    file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise NpnError(f"{path}: cannot be read ({error.strerror}); name a gold file") from error
    except UnicodeDecodeError as error:
        raise NpnError(f"{path}: is not UTF-8 text; a gold file is JSON Lines") from error
    recipes = tuple(_parse(text, str(path)))
    if not recipes:
        raise NpnError(f"{path}: holds no recipe; a gold file has one a line")
    return recipes


def _parse(text: str, path: str) -> Iterator[GoldRecipe]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield gold_recipe(json.loads(line), str(number))
        except (json.JSONDecodeError, RecursionError) as error:
            raise NpnError(
                f"{path}, line {number}: is not JSON; a gold file is JSON Lines"
            ) from error
        except NpnError as error:
            raise NpnError(f"{path}, line {number}: is not a gold recipe: {error}") from error


def gold_recipe(data: object, number: str) -> GoldRecipe:
    """The recipe of one line, whose `number` is its id where it has none. Raises NpnError for
    labels that do not fit the recipe."""
    if not isinstance(data, dict):
        raise NpnError("a line must be an object with keys")
    recipe = Recipe.from_dict(data)
    count = len(recipe.ingredients)
    steps: tuple[GoldStep, ...] = ()
    world = None
    if "world" in data:
        world = read_world(data["world"], count, recipe.steps)
    if "gold" in data or world is None:
        entries = _one_a_step(data, "gold", recipe.steps)
        steps = tuple(_step(entry, count) for entry in entries)
    return GoldRecipe(str(data.get("id", number)), recipe, steps, world)


def _step(entry: Fields, count: int) -> GoldStep:
    labelled = entry.get("labelled", True)
    if not isinstance(labelled, bool):
        raise NpnError('"labelled" must be true or false')
    disputed = _words(entry, "disputed") if "disputed" in entry else ()
    return GoldStep(
        entities=_ingredients(entry, "entities", count),
        combined=_ingredients(entry, "combined", count) if "combined" in entry else None,
        labelled=labelled,
        actions=tuple(_words(entry, "actions")) if "actions" in entry else None,
        changes=_changes(entry, count) if "changes" in entry else None,
        disputed=frozenset(map(_type, disputed)),
    )


def _changes(entry: Fields, count: int) -> tuple[StateChange, ...]:
    changes = []
    for change in _objects(entry, "changes"):
        end_state = change.get("end_state")
        if not isinstance(end_state, str):
            raise NpnError('"end_state" must be a string')
        affected = tuple(sorted(_ingredients(change, "entities", count)))
        changes.append(StateChange(_type(change.get("type")), end_state, 1.0, affected))
    return tuple(changes)


def _type(name: object) -> str:
    if name not in STATE_TYPES:
        raise NpnError(f'"{name}" is not a state change type ({", ".join(STATE_TYPES)})')
    return str(name)


# -- Gold of worlds: after every step of a recipe, what it takes from the list, what it acts on,
# what lies together, and where. It is read as the trace of a tracker that is always right.
#
# A recipe has `world`, one entry a step: `uses` ({"i", "fraction", "said"}), `acts_on`
# (ingredients) and `piles` ({"of": ["0a", "3"], "where"}). The letter tells portions of one
# ingredient apart, in the order of their uses: "0a" is the first of ingredient 0, and so is "0"
# where there is but one.

MEMBER = re.compile(r"([0-9]{1,9})([a-z]?)")


def read_world(entries: object, ingredients: int, steps: Sequence[str]) -> tuple[StepTrace, ...]:
    """The labels of a recipe with so many ingredients and these steps. Raises NpnError for anything
    else."""
    worlds = _one_a_step({"world": entries}, "world", steps)
    return tuple(
        StepTrace(
            step,
            uses=tuple(_use(use, ingredients) for use in _objects(world, "uses")),
            entities=tuple(sorted(_ingredients(world, "acts_on", ingredients))),
            piles=tuple(_pile(pile, ingredients) for pile in _objects(world, "piles")),
        )
        for step, world in zip(steps, worlds, strict=True)
    )


def _use(fields: Fields, count: int) -> Use:
    fraction, words = fields.get("fraction"), fields.get("said")
    known = isinstance(fraction, int | float) and not isinstance(fraction, bool)
    if fraction is not None and not (known and 0 <= fraction <= 1):
        raise NpnError(f'"fraction" must be null or a number from 0 to 1, not {fraction!r}')
    ingredient = _ingredient(fields.get("i"), count, "i")
    return Use(ingredient, fraction, words=words if isinstance(words, str) else None)


def _pile(fields: Fields, count: int) -> Pile:
    place = fields.get("where")
    if not isinstance(place, str | None):
        raise NpnError('"where" must be null or a string')
    return Pile(tuple(sorted({_member(one, count) for one in _list(fields, "of")})), place)


def _member(member: object, count: int) -> Portion:
    read = MEMBER.fullmatch(member) if isinstance(member, str) else None
    if read is None:
        raise NpnError(f'"of" names {member!r}, which is no number with or without a letter')
    number, letter = read.groups()
    return Portion(_ingredient(int(number), count, "of"), ord(letter) - ord("a") if letter else 0)
