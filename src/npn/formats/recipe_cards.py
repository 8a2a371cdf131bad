"""Ingredient groups in the markup of recipe plug-ins (WP Recipe Maker, Tasty Recipes, Mediavine
Create), whose JSON-LD has the lines but not the headings above them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from npn.formats.headings import heading_text
from npn.formats.html_text import lay_out, written
from npn.formats.html_tokens import Close, Open, Token
from npn.formats.microdata import VOID
from npn.formats.schema_recipe import words_of
from npn.formats.sections import SectionLine
from npn.recipe import Recipe

# Classes of the element around the ingredients of a card.
CARD = re.compile(
    r"(?:^|\s)(?:wprm-recipe-ingredients-container|tasty-recipes?-ingredients|"
    r"mv-create-ingredients|wprm-recipe-ingredient-group)(?:\s|$)"
)
LISTS = frozenset({"li", "ul", "ol"})
HEADINGS = frozenset({"h3", "h4", "h5", "h6", "strong", "b"})
MOST_LINES = 10_000


def in_groups(recipes: Iterable[Recipe], stream: Iterable[Token]) -> Iterator[Recipe]:
    """The recipes with the headings of the page's card, for lines that have none yet."""
    groups: dict[str, str] | None = None
    for recipe in recipes:
        if groups is None:
            groups = {}
            for line in card_lines(stream):
                groups.setdefault(words_of(line.text), line.section or "")
        yield replace(
            recipe,
            ingredients=tuple(
                replace(one, section=one.section or groups.get(words_of(one.text)) or None)
                for one in recipe.ingredients
            ),
        )


def card_lines(stream: Iterable[Token]) -> Iterator[SectionLine]:
    """The items of the ingredient lists of cards, each with the heading above it."""
    inside = 0  # how many elements are open since the one around the ingredients
    heading: str | None = None
    pieces: list[str] = []  # of the item or the heading that is open
    kind = ""
    for token in stream:
        if not inside:
            if isinstance(token, Open) and CARD.search(token.attributes.get("class", "")):
                inside, heading, kind = 1, None, ""
            continue
        if isinstance(token, Open) and token.name not in VOID:
            inside += 1
        elif isinstance(token, Close):
            inside -= 1
        name = getattr(token, "name", "")
        if name in LISTS or (name in HEADINGS and kind != "li") or not inside:
            text = " ".join(lay_out(pieces).split())
            if text and kind == "li":
                yield SectionLine(text, heading)
            elif text and kind:
                heading = heading_text(text)
            kind = name if isinstance(token, Open) else ""
            pieces = []
        elif kind and len(pieces) < MOST_LINES:
            pieces.append(written(token))
