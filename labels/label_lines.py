"""What all files of labels without text have in common.

A file of labels has one JSON object a line. It names its recipe, as "web/12" for a line of a
corpus, "corpora/web/12" for the same line cleaned and split into sentences, or
"world_train/some-id" for a recipe of a gold file ("own_recipes/own/12" for one of our own), and
holds a digest of the recipe's text in place of the text, so that a recipe that has changed since it
was labelled is noticed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar

from npn.errors import NpnError

SOURCE = re.compile(r"[a-z0-9_]{1,64}")
DIGITS = 12  # of a digest, in hexadecimal


class RecipeLabels(Protocol):
    """The labels of one recipe, which `recipe` names."""

    @property
    def recipe(self) -> str: ...


L = TypeVar("L", bound=RecipeLabels)


def text_digest(ingredients: Sequence[str], steps: Sequence[str]) -> str:
    """What changes with any ingredient or step of a recipe."""
    text = json.dumps([list(ingredients), list(steps)])
    return sha256(text.encode()).hexdigest()[:DIGITS]


def read_label_lines(path: Path, parse: Callable[[object], L]) -> list[L]:
    """The labels of a file, each made by `parse` from the JSON of its line. Raises NpnError, with
    the line, for what is not JSON, what `parse` refuses, and a recipe that is labelled twice."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise NpnError(f"{path}: cannot be read as labels ({error})") from error
    labels: dict[str, L] = {}
    for number, line in enumerate(lines, start=1):
        try:
            label = parse(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise NpnError(f"{path}, line {number}: is not JSON; labels are JSON Lines") from error
        except NpnError as error:
            raise NpnError(f"{path}, line {number}: is not a label: {error}") from error
        if label.recipe in labels:
            raise NpnError(f"{path}, line {number}: labels {label.recipe} again; remove one")
        labels[label.recipe] = label
    if not labels:
        raise NpnError(f"{path}: holds no label; there is one a line")
    return list(labels.values())


def fields(data: object, keys: str, optional: str = "") -> dict[str, Any]:
    """`data` as an object with exactly these keys, given as words of one string, and with any of
    the optional ones."""
    if not isinstance(data, dict):
        raise NpnError("it must be an object with keys")
    if set(data) - set(optional.split()) != set(keys.split()):
        raise NpnError(f"its keys must be {', '.join(keys.split())}, not {', '.join(data)}")
    return data


def recipe_name(data: dict[str, Any]) -> tuple[str, str]:
    """The corpus or gold file of a label's recipe, and its line or id there."""
    source, _, id = str(data["recipe"]).partition("/")
    if SOURCE.fullmatch(source) is None or not id:
        raise NpnError('"recipe" must be a corpus and a line, or a gold file and an id: "web/12"')
    return source, id


def digest_field(data: dict[str, Any]) -> str:
    if not isinstance(data["digest"], str):
        raise NpnError('"digest" must be a string')
    return data["digest"]


def ingredient_numbers(numbers: object, key: str) -> tuple[int, ...]:
    if not isinstance(numbers, list) or not all(type(n) is int and n >= 0 for n in numbers):
        raise NpnError(f'"{key}" must be a list of ingredient numbers')
    return tuple(numbers)
