"""Nextcloud Cookbook: a zip of folders, a recipe.json in each.

The files are schema.org JSON-LD, so one of them alone is read as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from npn.errors import NpnError
from npn.formats.archive import members, read_members, some_member
from npn.formats.reading import Format, Item, Source, is_zip, parse_json
from npn.formats.schema_recipe import read_recipe, recipe_nodes
from npn.recipe import Recipe


def is_recipe_file(name: str) -> bool:
    path = PurePosixPath(name)
    return path.name == "recipe.json" and len(path.parts) > 1


def sniff(source: Source) -> bool:
    return is_zip(source) and some_member(
        source, is_recipe_file, lambda member: '"recipeIngredient"' in member.text
    )


def read(source: Source) -> Iterator[Item]:
    return read_members(members(source, is_recipe_file), _recipes)


def _recipes(source: Source) -> list[Recipe]:
    recipes = list(map(read_recipe, recipe_nodes(parse_json(source.text))))
    if not recipes:
        raise NpnError("the file holds no schema.org recipe")
    return recipes


FORMAT = Format("nextcloud", "Nextcloud Cookbook: a zip of its folder", (".zip",), sniff, read)
