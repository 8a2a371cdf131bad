"""Paprika: an export (.paprikarecipes, a zip of gzipped JSON), and one recipe (.paprikarecipe).

Ingredients and directions are text fields. As in Paprika, a line is an ingredient or a step, and a
line that ends with a colon is a heading, the section of the lines below it, as is a line that any
other text would have for a heading; directions of one paragraph are split into sentences.
"""

from __future__ import annotations

from collections.abc import Mapping

from npn.errors import NpnError
from npn.formats.archive import export_format, gunzip, has_suffix
from npn.formats.reading import GZIP_SIGNATURE, Source, is_object, parse_json
from npn.formats.sections import ingredients_in, steps_in, to_recipe
from npn.language.amounts import parse_yield
from npn.recipe import Recipe

ONE = ".paprikarecipe"
KEYS = ('"directions"', '"ingredients"', '"nutritional_info"')  # every file of Paprika's has them

_is_packed = has_suffix(ONE)


def _is_recipe(source: Source) -> bool:
    if _is_packed(source.name):
        return source.data.startswith(GZIP_SIGNATURE)
    return is_object(source.text, KEYS)


def _recipes(source: Source) -> list[Recipe]:
    packed = _is_packed(source.name)
    return [_recipe(parse_json(gunzip(source.data) if packed else source.text))]


def _recipe(data: object) -> Recipe:
    if not isinstance(data, Mapping):
        raise NpnError("the file holds no Paprika recipe")
    title, ingredients, directions, servings = (
        value if isinstance(value := data.get(key), str) else ""
        for key in ("name", "ingredients", "directions", "servings")
    )
    return to_recipe(
        " ".join(title.split()),
        ingredients_in(ingredients),
        steps_in(directions),
        parse_yield(servings),
    )


FORMAT = export_format(
    "paprika",
    "Paprika: an export or one recipe",
    (".paprikarecipes", ONE, ".zip"),
    _is_packed,
    _is_recipe,
    _recipes,
)
