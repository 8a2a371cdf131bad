"""Recipes in the vocabulary of schema.org, whatever they were written in: JSON-LD, microdata,
or the files of a recipe manager that uses it.

Sites follow the vocabulary loosely, so every property may be a string, an object or a list of
either. A list gives one line or step an entry; entries that hold no text are none. A section
(HowToSection) gives its steps, its name is a heading and set aside. A step (HowToStep) is its text;
its name repeats or sums up the text and counts only where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from npn.formats.html_text import plain
from npn.formats.lines import lines_of, steps_of
from npn.recipe import Recipe

Node = Mapping[str, object]

INGREDIENTS = ("recipeIngredient", "ingredients")  # the second until 2014
INSTRUCTIONS = ("recipeInstructions", "RecipeInstructions", "instructions")
PARTS = ("itemListElement", "steps", "step")


def recipe_nodes(data: object) -> Iterator[Node]:
    """The recipes anywhere inside decoded JSON, in its order."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, Mapping):
            if has_type(value, "Recipe"):
                yield value
            else:
                left.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            left.extend(reversed(value))


def has_type(node: Node, wanted: str) -> bool:
    types = node.get("@type")
    for one in types if isinstance(types, list) else [types]:
        if isinstance(one, str) and one.replace(":", "/").rsplit("/", 1)[-1] == wanted:
            return True
    return False


def read_recipe(node: Node) -> Recipe:
    """The recipe of a node, which may lack ingredients or steps."""
    title = text_of(node.get("name")) or text_of(node.get("headline"))
    ingredients = _ingredients(_first(node, INGREDIENTS))
    return Recipe.from_lists(
        " ".join(title.split()), ingredients, _steps(_first(node, INSTRUCTIONS))
    )


def text_of(value: object) -> str:
    """The text of a value: a string, a number, or an object that wraps one."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return next((text for one in value if (text := _scalar(one))), "")
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        for key in ("@value", "text", "name", "description"):
            inner = value.get(key)
            if isinstance(inner, str) and (text := plain(inner)):
                return text
    return ""


def _first(node: Node, keys: tuple[str, ...]) -> object:
    return next((node[key] for key in keys if node.get(key)), None)


def _ingredients(value: object) -> list[str]:
    if isinstance(value, str):
        return lines_of(plain(value))
    return [line for one in _flat(value) if (line := _ingredient(one))]


def _ingredient(value: object) -> str:
    """A line; a PropertyValue is put together as amount, unit and name."""
    if isinstance(value, Mapping) and value.get("value") is not None:
        keys = ("value", "unitText" if value.get("unitText") else "unitCode", "name")
        return " ".join(part for key in keys if (part := _scalar(value.get(key))))
    return _scalar(value)


def _steps(value: object) -> list[str]:
    if isinstance(value, str):
        return steps_of(plain(value))
    steps = []
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left.extend(reversed(one))
        elif isinstance(one, Mapping) and (parts := _first(one, PARTS)):
            if has_type(one, "HowToStep"):
                step = _scalar({"text": one.get("text")}) or _joined(parts)
                steps.extend([step] if step else [])
            else:
                left.append(parts)
        elif isinstance(one, Mapping) and isinstance(one.get("item"), Mapping):
            left.append(one["item"])
        elif step := _scalar(one):
            steps.append(step)
    return steps


def _joined(parts: object) -> str:
    """The directions and tips of one step."""
    return " ".join(text for one in _flat(parts) if (text := _scalar(one)))


def _flat(value: object) -> Iterator[object]:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left.extend(reversed(one))
        elif one is not None:
            yield one
