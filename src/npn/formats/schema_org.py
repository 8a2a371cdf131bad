"""schema.org: saved pages of recipe sites, and bare JSON-LD.

A page that says which site it is from is read by recipe-scrapers first, if that knows the site.
Any other is asked for its JSON-LD scripts, then for its microdata, and at last recipe-scrapers
again, which forgives broken scripts. Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from npn.errors import NpnError
from npn.formats.base import Format, Found, Item, Source
from npn.formats.html_tokens import Raw, Token, tokens
from npn.formats.json_text import parse_json
from npn.formats.microdata import items_of
from npn.formats.recipe_cards import in_groups
from npn.formats.recipe_sites import (
    PageTooLargeError,
    address_of,
    from_any_site,
    from_known_site,
    from_linked_site,
)
from npn.formats.schema_recipe import read_recipe, recipe_nodes
from npn.recipe import Recipe

PAGE_BEGINNINGS = ("<!doctype html", "<html", "<head", "<body", "<script", "<!--", "<meta")
PAGE_EXTENSIONS = (".html", ".htm", ".xhtml")
CHARSET = re.compile(
    rb"""<meta[^<>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{2,30})""", re.IGNORECASE
)
CHARSETS = ("iso-8859", "windows-", "shift_jis", "euc-", "gb", "big5", "koi8-")
RECIPE_TYPE = re.compile(
    r'"@type"\s{0,20}:\s{0,20}(?:\[[^\]]{0,200})?"(?:https?://schema\.org/|schema:)?Recipe"'
)
WRAPPERS = (("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>"))
Road = Callable[[list[Token]], Iterator[Recipe]]

WHAT_TO_DO = "copy the recipe itself into a text file"


def sniff(source: Source) -> bool:
    beginning = source.text[:2000].lstrip("\ufeff \t\r\n")
    if beginning.startswith(("{", "[")):
        return 'Recipe"' in source.text and RECIPE_TYPE.search(source.text) is not None
    if beginning.lower().startswith(PAGE_BEGINNINGS):
        return True
    named = source.name.lower().endswith(PAGE_EXTENSIONS) or "<html" in beginning.lower()
    return beginning.startswith("<") and named


def read(source: Source) -> Iterator[Item]:
    text = source.text.lstrip("\ufeff \t\r\n")
    if text.startswith("<"):
        recipes = _read_page(_as_declared(source.data) or text)
    else:
        recipes = [read_recipe(node) for node in recipe_nodes(parse_json(text))]
    for number, recipe in enumerate(recipes, 1):
        yield Found(recipe, f"recipe {number}" if len(recipes) > 1 else "")


def _as_declared(data: bytes) -> str:
    """The text of a page that is not UTF-8 and says what it is; else nothing."""
    declared = CHARSET.search(data, 0, 4096)
    name = declared[1].decode("ascii", "replace").lower() if declared else ""
    if not name.startswith(CHARSETS):
        return ""
    try:
        data.decode()
    except UnicodeDecodeError:
        with suppress(LookupError):
            return data.decode(name, errors="replace")
    return ""


def _read_page(page: str) -> list[Recipe]:
    stream = list(tokens(page))
    address = address_of(page, stream)
    ours: tuple[Road, ...] = (_from_scripts, _from_microdata)
    theirs: tuple[Road, ...] = (
        lambda stream: from_any_site(stream, address),
        from_linked_site,
    )
    partial: list[Recipe] = []
    too_large = False
    for road in (lambda stream: from_known_site(stream, address), *ours, *theirs):
        if too_large and road not in ours:
            continue
        try:
            recipes = list(dict.fromkeys(in_groups(road(stream), stream)))
        except PageTooLargeError:
            too_large = True
            continue
        whole = [one for one in recipes if one.ingredients and one.steps]
        if whole:
            return whole
        partial += recipes
    for what, has in (("steps", "ingredients"), ("ingredients", "steps")):
        if any(getattr(recipe, has) for recipe in partial):
            raise NpnError(f"the page marks a recipe's {has} but no {what}: {WHAT_TO_DO}")
    if too_large:
        raise NpnError(f"the page is too large or nested too deeply to be read: {WHAT_TO_DO}")
    raise NpnError(f"the page holds no recipe marked as such (schema.org): {WHAT_TO_DO}")


def _from_scripts(stream: Iterable[Token]) -> Iterator[Recipe]:
    for token in stream:
        if isinstance(token, Raw) and "ld+json" in token.attributes.get("type", "").lower():
            try:
                data = parse_json(_unwrapped(token.body))
            except NpnError:
                continue  # recipe-scrapers forgives trailing commas and remarks
            yield from map(read_recipe, recipe_nodes(data))


def _unwrapped(script: str) -> str:
    """A script's JSON without what once hid it from old browsers."""
    script = script.strip()
    for before, after in WRAPPERS:
        if script.startswith(before):
            script = script.removeprefix(before).removesuffix(after)
    return script.rstrip("; \t\r\n")


def _from_microdata(stream: Iterable[Token]) -> Iterator[Recipe]:
    return map(read_recipe, recipe_nodes(items_of(stream)))


FORMAT = Format(
    name="schema-org",
    about="saved pages of recipe sites, and schema.org JSON-LD",
    extensions=(*PAGE_EXTENSIONS, ".json", ".jsonld"),
    sniff=sniff,
    read=read,
)
