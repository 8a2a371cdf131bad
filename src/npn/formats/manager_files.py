"""What the readers of recipe managers' JSON share: values that may be of any type, and how we know
a file of our own."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from npn.language.amounts import MOST_MADE

CAPITAL = re.compile(r"[A-Z]")


def value(node: object, key: str) -> object:
    """The value of a key, which a file may also have in its other spelling: of "recipeYield" that
    of "recipe_yield". None where there is none, or where `node` is no object."""
    if not isinstance(node, Mapping):
        return None
    if key in node:
        return node[key]
    return node.get(CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", key))


def text(node: object, key: str) -> str:
    """A value that is a string, stripped; else empty."""
    found = value(node, key)
    return found.strip() if isinstance(found, str) else ""


def one_line(node: object, key: str) -> str:
    """A text without its line breaks."""
    return " ".join(text(node, key).split())


def entries(node: object, key: str) -> list[object]:
    """A value that is a list; else an empty one."""
    found = value(node, key)
    return found if isinstance(found, list) else []


def number(node: object, key: str) -> int | float | None:
    """A value that is a number, and not one of hundreds of digits."""
    found = value(node, key)
    if not isinstance(found, int | float) or isinstance(found, bool):
        return None
    return found if abs(found) <= sys.float_info.max else None


def number_made(node: object, key: str) -> int | float | None:
    """A number of servings, or of whatever a recipe makes, that can be meant."""
    found = number(node, key)
    return found if found is not None and 0 < found <= MOST_MADE else None


# -- How we know our own files. Most formats know no headings for sure: a line "Topping:" has to be
# guessed to be one. Our files give all sections as such and say who wrote them, so that nothing in
# them is guessed at. The programs that they are for pass over that, and do not keep it.

AUTHOR = "npn"
AUTHOR_KEY = "writtenBy"
# Who made the data, in the words of schema.org.
PUBLISHER_KEY = "sdPublisher"
PUBLISHER = {"@type": "Organization", "name": AUTHOR}


def is_own(data: object) -> bool:
    """Whether a recipe in JSON is as we wrote it."""
    return isinstance(data, Mapping) and (
        data.get(AUTHOR_KEY) == AUTHOR or data.get(PUBLISHER_KEY) == PUBLISHER
    )
