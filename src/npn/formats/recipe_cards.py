"""Ingredient groups in the markup of recipe plug-ins (WP Recipe Maker, Tasty Recipes, Mediavine
Create), whose JSON-LD has the lines but not the headings above them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from npn.formats.headings import heading_text
from npn.formats.html_text import lay_out, written
from npn.formats.html_tokens import Close, Open, Token
from npn.formats.microdata import VOID
from npn.formats.schema_recipe import words_of
from npn.formats.sections import SectionLine, named_section
from npn.recipe import Recipe

# Classes of the element around the ingredients of a card.
CARD = re.compile(
    r"(?:^|\s)(?:wprm-recipe-ingredients-container|tasty-recipes?-ingredients|"
    r"mv-create-ingredients|wprm-recipe-ingredient-group)(?:\s|$)"
)
HEADINGS = frozenset({"h3", "h4", "h5", "h6", "strong", "b"})
MOST_PIECES = 10_000  # of one line


def in_groups(recipes: Iterable[Recipe], stream: Iterable[Token]) -> Iterator[Recipe]:
    """The recipes, with the headings of the page's card for those that have none."""
    card: list[SectionLine] | None = None
    for recipe in recipes:
        if any(one.section for one in recipe.ingredients):
            yield recipe
            continue
        card = list(card_lines(stream)) if card is None else card
        sections = _sections([one.text for one in recipe.ingredients], card)
        pairs = zip(recipe.ingredients, sections, strict=True)
        yield replace(
            recipe,
            ingredients=tuple(replace(one, section=named_section(name)) for one, name in pairs),
        )


def _sections(lines: Sequence[str], card: Sequence[SectionLine]) -> list[str | None]:
    """The heading of each line. The card may set a line differently ("softened" in brackets); as
    many lines as the recipe has are its lines, in order."""
    if len(card) == len(lines):
        return [line.section for line in card]
    by_words: dict[str, str | None] = {}
    for line in card:
        by_words.setdefault(words_of(line.text), line.section)
    return [by_words.get(words_of(line)) for line in lines]


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
