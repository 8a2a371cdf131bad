"""Gold: recipes with what people say happens in each step.

One recipe a line, as JSON: `title`, `ingredients`, `steps`, and `gold` or `world` (or both) with
one entry a step. For `world` see `world_gold`. Every entry of `gold` has `entities`; what else it
has depends on the annotation: `combined` and `labelled` (the paper's own labels), `actions` (CURD),
`actions` and `changes` and `disputed` (state changes).
Other keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.evaluation.gold_fields import list_field, object_fields
from npn.evaluation.world_gold import WorldStep, read_world
from npn.recipe import Recipe
from npn.trace import STATE_TYPES


@dataclass(frozen=True, slots=True)
class GoldChange:
    type: str  # one of STATE_TYPES
    end_state: str
    ingredients: frozenset[int]


@dataclass(frozen=True, slots=True)
class GoldStep:
    """One step's labels. None means that this annotation does not label it; `combined` are those
    of the `entities` that were already part of a mixture; a step that is not `labelled` lacks its
    entities and is left out; types in `disputed` are not scored at this step."""

    entities: frozenset[int]
    combined: frozenset[int] | None = None
    labelled: bool = True
    actions: tuple[str, ...] | None = None
    changes: tuple[GoldChange, ...] | None = None
    disputed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GoldRecipe:
    """`steps` is empty where only the `world` is labelled, which is None where it is not."""

    id: str
    recipe: Recipe
    steps: tuple[GoldStep, ...]
    world: tuple[WorldStep, ...] | None = None


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
    fields = object_fields(data, "a line")
    recipe = Recipe.from_dict(fields)
    world = None
    if "world" in fields:
        world = read_world(fields["world"], len(recipe.ingredients), len(recipe.steps))
        if "gold" not in fields:
            return GoldRecipe(str(fields.get("id", number)), recipe, (), world)
    entries = list_field(fields, "gold")
    if len(entries) != len(recipe.steps):
        raise NpnError(f'"gold" has {len(entries)} entries for {len(recipe.steps)} steps')
    count = len(recipe.ingredients)
    steps = tuple(_step(object_fields(entry, 'an entry of "gold"'), count) for entry in entries)
    return GoldRecipe(str(fields.get("id", number)), recipe, steps, world)


def _step(entry: Mapping[str, Any], count: int) -> GoldStep:
    return GoldStep(
        entities=_ingredients(entry, "entities", count),
        combined=_ingredients(entry, "combined", count) if "combined" in entry else None,
        labelled=_labelled(entry),
        actions=tuple(_words(entry, "actions")) if "actions" in entry else None,
        changes=_changes(entry, count) if "changes" in entry else None,
        disputed=frozenset(_type(name) for name in _words(entry, "disputed"))
        if "disputed" in entry
        else frozenset(),
    )


def _labelled(entry: Mapping[str, Any]) -> bool:
    labelled = entry.get("labelled", True)
    if not isinstance(labelled, bool):
        raise NpnError('"labelled" must be true or false')
    return labelled


def _changes(entry: Mapping[str, Any], count: int) -> tuple[GoldChange, ...]:
    changes = []
    for item in list_field(entry, "changes"):
        change = object_fields(item, 'an entry of "changes"')
        end_state = change.get("end_state")
        if not isinstance(end_state, str):
            raise NpnError('"end_state" must be a string')
        affected = _ingredients(change, "entities", count)
        changes.append(GoldChange(_type(change.get("type")), end_state, affected))
    return tuple(changes)


def _type(name: object) -> str:
    if name not in STATE_TYPES:
        raise NpnError(f'"{name}" is not a state change type ({", ".join(STATE_TYPES)})')
    return str(name)


def _ingredients(entry: Mapping[str, Any], key: str, count: int) -> frozenset[int]:
    numbers = list_field(entry, key)
    for number in numbers:
        if type(number) is not int or not 0 <= number < count:
            raise NpnError(f'"{key}" names ingredient {number!r}, but there are {count}, from 0')
    return frozenset(numbers)


def _words(entry: Mapping[str, Any], key: str) -> list[str]:
    words = list_field(entry, key)
    if not all(isinstance(word, str) for word in words):
        raise NpnError(f'"{key}" must be a list of strings')
    return words
