"""schema.org: saved pages of recipe sites, and bare JSON-LD.

A page that says which site it is from is read by recipe-scrapers first, if that knows the site.
Any other is asked for its JSON-LD scripts, then for its microdata, and at last recipe-scrapers
again, which forgives broken scripts. Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from npn.errors import NpnError
from npn.formats.html_page import VOID, Close, Open, Raw, Token, items_of, lay_out, tokens, written
from npn.formats.reading import Format, Found, Item, Source, parse_json
from npn.formats.recipe_sites import (
    PageTooLargeError,
    address_of,
    from_any_site,
    from_known_site,
    from_linked_site,
)
from npn.formats.schema_recipe import read_recipe, recipe_nodes, words_of
from npn.formats.sections import SectionLine, heading_text, named_section
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
    card = list(card_lines(stream))
    partial: list[Recipe] = []
    scraped = {from_known_site, from_any_site, from_linked_site}
    too_large = False  # for recipe-scrapers
    for find in (from_known_site, _from_scripts, _from_microdata, from_any_site, from_linked_site):
        if too_large and find in scraped:
            continue
        try:
            recipes = list(dict.fromkeys(in_groups(one, card) for one in find(stream, address)))
        except PageTooLargeError:
            too_large = True
            continue
        whole = [one for one in recipes if one.ingredients and one.steps]
        if whole:
            return whole
        partial += recipes
    if any(recipe.ingredients for recipe in partial):
        raise NpnError(f"the page marks a recipe's ingredients but no steps: {WHAT_TO_DO}")
    if any(recipe.steps for recipe in partial):
        raise NpnError(f"the page marks a recipe's steps but no ingredients: {WHAT_TO_DO}")
    if too_large:
        raise NpnError(f"the page is too large or nested too deeply to be read: {WHAT_TO_DO}")
    raise NpnError(f"the page holds no recipe marked as such (schema.org): {WHAT_TO_DO}")


def _from_scripts(stream: Sequence[Token], address: str) -> Iterator[Recipe]:
    for token in stream:
        if isinstance(token, Raw) and "ld+json" in token.attributes.get("type", "").lower():
            with suppress(NpnError):  # recipe-scrapers forgives trailing commas and remarks
                yield from map(read_recipe, recipe_nodes(parse_json(_unwrapped(token.body))))


def _from_microdata(stream: Sequence[Token], address: str) -> Iterator[Recipe]:
    return map(read_recipe, recipe_nodes(items_of(stream)))


def _unwrapped(script: str) -> str:
    """A script's JSON without what once hid it from old browsers."""
    script = script.strip()
    for before, after in WRAPPERS:
        if script.startswith(before):
            script = script.removeprefix(before).removesuffix(after)
    return script.rstrip("; \t\r\n")


# -- Ingredient groups in the markup of recipe plug-ins (WP Recipe Maker, Tasty Recipes, Mediavine
# Create), whose JSON-LD has the lines but not the headings above them.

# Classes of the element around the ingredients of a card.
CARD = re.compile(
    r"(?:^|\s)(?:wprm-recipe-ingredients-container|tasty-recipes?-ingredients|"
    r"mv-create-ingredients|wprm-recipe-ingredient-group)(?:\s|$)"
)
HEADINGS = frozenset({"h3", "h4", "h5", "h6", "strong", "b"})
MOST_PIECES = 10_000  # of one line


def in_groups(recipe: Recipe, card: Sequence[SectionLine]) -> Recipe:
    """A recipe with the headings of a card, if it has none itself. The card may set a line
    differently ("softened" in brackets); as many lines as a recipe has are its lines, in order."""
    lines = recipe.ingredients
    if not card or any(one.section for one in lines):
        return recipe
    if len(card) == len(lines):
        sections = [line.section for line in card]
    else:
        by_words = {words_of(line.text): line.section for line in reversed(card)}
        sections = [by_words.get(words_of(one.text)) for one in lines]
    grouped = [
        replace(one, section=named_section(name)) for one, name in zip(lines, sections, strict=True)
    ]
    return replace(recipe, ingredients=tuple(grouped))


def card_lines(stream: Iterable[Token]) -> Iterator[SectionLine]:
    """The items of the ingredient lists of cards, each with the heading above it."""
    depth = 0  # how many elements are open since the one around the ingredients
    heading: str | None = None
    element = ""  # the item or heading that is open, and its text
    pieces: list[str] = []
    for token in stream:
        if isinstance(token, Open) and not depth:
            if CARD.search(token.attributes.get("class", "")):
                depth, heading, element = 1, None, ""
            continue
        if not depth:
            continue
        depth += _step(token)
        begins = isinstance(token, Open) and (token.name == "li" or _is_heading(token, element))
        ends = isinstance(token, Close) and token.name in (element, "ul", "ol")
        if begins or ends or not depth:
            text = " ".join(lay_out(pieces).split())
            if text and element == "li":
                yield SectionLine(text, heading)
            elif text and element:
                heading = heading_text(text)
            element = token.name if begins and isinstance(token, Open) else ""
            pieces = []
        elif element and len(pieces) < MOST_PIECES:
            pieces.append(written(token))


def _step(token: Token) -> int:
    if isinstance(token, Open) and token.name not in VOID:
        return 1
    return -1 if isinstance(token, Close) else 0


def _is_heading(token: Open, element: str) -> bool:
    """Whether a tag opens a heading: not inside an item, where bold type marks the ingredient."""
    named = "group-name" in token.attributes.get("class", "")
    return element != "li" and (named or token.name in HEADINGS)


FORMAT = Format(
    name="schema-org",
    about="saved pages of recipe sites, and schema.org JSON-LD",
    extensions=(*PAGE_EXTENSIONS, ".json", ".jsonld"),
    sniff=sniff,
    read=read,
)
