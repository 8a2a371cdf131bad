"""Recipes that are not finished: some steps, or none at all yet."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from npn.errors import NpnError
from npn.formats import Found, Item, Problem, read_file
from npn.formats.decoding import decode
from npn.formats.json_text import parse_json
from npn.formats.plain_text import read_recipe
from npn.recipe import Recipe

LINE = "line "  # where a recipe of JSON Lines stands: "line 12"


def read_unfinished(path: str) -> Iterator[Item]:
    """As `read_file`, but a recipe may have ingredients alone, as plain text or as our JSON."""
    data = sys.stdin.buffer.read() if path == "-" else b""
    try:
        for item in read_file(path, BytesIO(data)):
            begun = _begun(path, data, item.where) if isinstance(item, Problem) else None
            yield Found(begun, item.where) if isinstance(item, Problem) and begun else item
    except NpnError:
        begun = _begun(path, data, "")
        if begun is None:
            raise
        yield Found(begun)


def _begun(path: str, data: bytes, where: str) -> Recipe | None:
    """The recipe without steps at `where` in a file (in all of it, where that is not said)."""
    if path != "-":
        try:
            data = Path(path).read_bytes()
        except OSError:
            return None
    decoded = decode(data)
    if decoded is None:
        return None
    text = decoded.text
    if where.startswith(LINE):
        text = text.split("\n")[int(where.removeprefix(LINE)) - 1]
    elif where:
        return None
    try:
        return _from_json(text) if text.lstrip().startswith("{") else _from_text(text)
    except NpnError:
        return None


def _from_json(text: str) -> Recipe | None:
    value = parse_json(text)
    if not isinstance(value, dict) or value.get("steps", []) != []:
        return None
    recipe = Recipe.from_dict({**value, "steps": []})
    return recipe if recipe.ingredients else None


def _from_text(text: str) -> Recipe | None:
    """Read as if one step followed, which is then taken away again."""
    recipe = read_recipe([*text.splitlines(), "", "Directions:", "Begin."])
    if recipe.steps != ("Begin.",):
        return None
    return Recipe(recipe.title, recipe.ingredients, ())
