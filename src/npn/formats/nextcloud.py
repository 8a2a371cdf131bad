"""Nextcloud Cookbook: a zip of folders, a recipe.json in each, in JSON-LD of schema.org."""

from __future__ import annotations

from pathlib import PurePosixPath

from npn.errors import NpnError
from npn.formats.archive import export_format
from npn.formats.reading import Source, is_object, parse_json
from npn.formats.schema_recipe import read_recipe, recipe_nodes
from npn.recipe import Recipe

MARKS = ('"@type"', '"recipeIngredient"')


def _is_recipe_file(name: str) -> bool:
    path = PurePosixPath(name)
    return path.name == "recipe.json" and len(path.parts) > 1


def _is_recipe(source: Source) -> bool:
    return _is_recipe_file(source.name) and is_object(source.text, MARKS)


def _recipes(source: Source) -> list[Recipe]:
    recipes = list(map(read_recipe, recipe_nodes(parse_json(source.text))))
    if not recipes:
        raise NpnError("the file holds no schema.org recipe")
    return recipes


FORMAT = export_format(
    "nextcloud",
    "Nextcloud Cookbook: a zip of its folder",
    (".zip",),
    _is_recipe_file,
    _is_recipe,
    _recipes,
)
