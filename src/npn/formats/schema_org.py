"""schema.org: saved pages of recipe sites, and bare JSON-LD.

A page is asked in the order of cost: its JSON-LD scripts, its microdata, and at last
recipe-scrapers, which knows many sites by name and forgives broken scripts but takes half a second
to load. Nothing is fetched.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from npn.errors import NpnError
from npn.formats.base import Format, Found, Item, Source
from npn.formats.html_tokens import Close, Open, Raw, Text, Token, tokens
from npn.formats.json_text import parse_json
from npn.formats.microdata import items_of
from npn.formats.schema_recipe import read_recipe, recipe_nodes
from npn.recipe import Recipe

PAGE_BEGINNINGS = ("<!doctype html", "<html", "<head", "<body", "<script", "<!--", "<meta")
RECIPE_TYPE = re.compile(
    r'"@type"\s{0,20}:\s{0,20}(?:\[[^\]]{0,200})?"(?:https?://schema\.org/|schema:)?Recipe"'
)
WEB_ADDRESS = re.compile(r"https?://[^\s/]+\S*")

WRAPPERS = (("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>"))
MOST_TAGS = 50_000  # in a page for recipe-scrapers, whose parsers are slow on more
MOST_DEPTH = 200
UNKNOWN_SITE = "https://unknown.invalid/"
WHAT_TO_DO = "copy the recipe itself into a text file"


def sniff(source: Source) -> bool:
    beginning = source.text[:2000].lstrip("\ufeff \t\r\n")
    if beginning.startswith(("{", "[")):
        return 'Recipe"' in source.text and RECIPE_TYPE.search(source.text) is not None
    if beginning.lower().startswith(PAGE_BEGINNINGS):
        return True
    return beginning.startswith("<") and source.name.lower().endswith(FORMAT.extensions[:2])


def read(source: Source) -> Iterator[Item]:
    text = source.text.lstrip("\ufeff \t\r\n")
    if text.startswith("<"):
        recipes = _read_page(text)
    else:
        recipes = [read_recipe(node) for node in recipe_nodes(parse_json(text))]
    for number, recipe in enumerate(recipes, 1):
        yield Found(recipe, f"recipe {number}" if len(recipes) > 1 else "")


def _read_page(page: str) -> list[Recipe]:
    stream = list(tokens(page))
    partial: list[Recipe] = []
    for road in (_from_scripts, _from_microdata, _from_recipe_scrapers):
        recipes = list(dict.fromkeys(road(stream)))
        whole = [one for one in recipes if one.ingredients and one.steps]
        if whole:
            return whole
        partial += recipes
    for what, has in (("steps", "ingredients"), ("ingredients", "steps")):
        if any(getattr(recipe, has) for recipe in partial):
            raise NpnError(f"the page marks a recipe's {has} but no {what}: {WHAT_TO_DO}")
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


def _from_recipe_scrapers(stream: list[Token]) -> Iterator[Recipe]:
    if len(stream) > 2 * MOST_TAGS:
        return
    import recipe_scrapers  # half a second: not before it is needed

    try:
        scraper: Any = recipe_scrapers.scrape_html(
            _tidied(stream), org_url=_address(stream), supported_only=False
        )
        yield read_recipe(scraper.schema.data)
        yield Recipe.from_lists(scraper.title(), scraper.ingredients(), scraper.instructions_list())
    except Exception:  # code for hundreds of sites: whatever it raises, it found nothing
        return


def _address(stream: Iterable[Token]) -> str:
    """Where the page was saved from, as far as it says."""
    for token in stream:
        if isinstance(token, Open) and token.name in ("link", "meta"):
            given = token.attributes
            address = ""
            if given.get("rel", "").lower() == "canonical":
                address = given.get("href", "")
            elif given.get("property", "").lower() == "og:url":
                address = given.get("content", "")
            if WEB_ADDRESS.fullmatch(address):
                return address
    return UNKNOWN_SITE


def _tidied(stream: Iterable[Token]) -> str:
    """The page written anew, so that no parser meets broken tags or endless nesting."""
    pieces = []
    depth = 0
    for token in stream:
        match token:
            case Text(text):
                pieces.append(text.replace("<", "&lt;"))
            case Raw(name, attributes, body):
                pieces.append(f"{_opening(name, attributes)}{body}")
            case Close(name):
                depth = max(depth - 1, 0)
                pieces.append(f"</{name}>")
            case Open(name, attributes):
                depth += 1
                if depth < MOST_DEPTH:
                    pieces.append(_opening(name, attributes))
    return "".join(pieces)


def _opening(name: str, attributes: Mapping[str, str]) -> str:
    given = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>"


FORMAT = Format(
    name="schema-org",
    about="saved pages of recipe sites, and schema.org JSON-LD",
    extensions=(".html", ".htm", ".json", ".jsonld"),
    sniff=sniff,
    read=read,
)
