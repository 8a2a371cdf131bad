"""Paprika: an export (.paprikarecipes, a zip of gzipped JSON), and one recipe (.paprikarecipe).

Ingredients and directions are text fields. As in Paprika, a line is an ingredient or a step, and a
line that ends with a colon is a heading, the section of the lines below it, as is a line that any
other text would have for a heading; directions of one paragraph are split into sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from npn.errors import NpnError
from npn.formats.archive import gunzip, has_suffix, members, read_members, some_member
from npn.formats.reading import (
    GZIP_SIGNATURE,
    Format,
    Found,
    Item,
    Source,
    is_object,
    is_zip,
    parse_json,
)
from npn.formats.sections import (
    SectionLine,
    ingredients_under_headings,
    steps_of,
    steps_under_headings,
    to_recipe,
)
from npn.language.amounts import parse_yield
from npn.recipe import Recipe

ONE = ".paprikarecipe"
KEYS = ('"directions"', '"ingredients"', '"nutritional_info"')  # every file of Paprika's has them


def sniff(source: Source) -> bool:
    if is_zip(source):
        return some_member(source, has_suffix(ONE), lambda data: data.startswith(GZIP_SIGNATURE))
    if source.data.startswith(GZIP_SIGNATURE):
        return source.name.lower().endswith(ONE)
    return is_object(source.text, KEYS)


def read(source: Source) -> Iterator[Item]:
    if is_zip(source):
        yield from read_members(members(source, has_suffix(ONE)), lambda data: [_packed(data)])
    elif source.data.startswith(GZIP_SIGNATURE):
        yield Found(_packed(source.data))
    else:
        yield Found(_recipe(parse_json(source.text)))


def _packed(data: bytes) -> Recipe:
    return _recipe(parse_json(gunzip(data)))


def _recipe(data: object) -> Recipe:
    if not isinstance(data, Mapping):
        raise NpnError("the file holds no Paprika recipe")
    title, ingredients, directions, servings = (
        value if isinstance(value := data.get(key), str) else ""
        for key in ("name", "ingredients", "directions", "servings")
    )
    return to_recipe(
        " ".join(title.split()),
        ingredients_under_headings(map(SectionLine, map(str.strip, ingredients.splitlines()))),
        steps_under_headings(map(SectionLine, steps_of(directions))),
        parse_yield(servings),
    )


FORMAT = Format(
    "paprika", "Paprika: an export or one recipe", (".paprikarecipes", ONE, ".zip"), sniff, read
)
