"""Nextcloud Cookbook: a zip of folders, a recipe.json in each.

The files are schema.org JSON-LD, so one of them alone is read as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from npn.errors import NpnError
from npn.formats.archive import members, some_member
from npn.formats.reading import Format, Found, Item, Problem, Source, parse_json_bytes
from npn.formats.schema_recipe import read_recipe, recipe_nodes


def is_recipe_file(name: str) -> bool:
    path = PurePosixPath(name)
    return path.name == "recipe.json" and len(path.parts) > 1


def sniff(source: Source) -> bool:
    return some_member(source, is_recipe_file, lambda data: b'"recipeIngredient"' in data)


def read(source: Source) -> Iterator[Item]:
    for member in members(source, is_recipe_file):
        if isinstance(member, Problem):
            yield member
            continue
        try:
            nodes = list(recipe_nodes(parse_json_bytes(member.data)))
        except NpnError as error:
            yield Problem(member.name, str(error))
            continue
        if not nodes:
            yield Problem(member.name, "the file holds no schema.org recipe")
        for node in nodes:
            yield Found(read_recipe(node), member.name)


FORMAT = Format("nextcloud", "Nextcloud Cookbook: a zip of its folder", (".zip",), sniff, read)
