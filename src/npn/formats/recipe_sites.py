"""What recipe-scrapers finds in a page: it knows hundreds of sites by name, and forgives JSON-LD
that is not quite JSON. It takes half a second to load, so it is asked last."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from npn.formats.html_tokens import Close, Open, Raw, Text, Token
from npn.formats.schema_recipe import read_recipe
from npn.recipe import Recipe

WEB_ADDRESS = re.compile(r"https?://[^\s/]+\S*")
UNKNOWN_SITE = "https://unknown.invalid/"
# Its parsers build a tree of Python objects; real pages stay far below.
MOST_TOKENS = 100_000
MOST_CHARACTERS = 4_000_000


def from_recipe_scrapers(stream: list[Token]) -> Iterator[Recipe]:
    """The recipe of a page, once from its marks and once as the site's own reader sees it. Either
    may lack ingredients or steps. Nothing is fetched."""
    page = _written_anew(stream) if len(stream) <= MOST_TOKENS else ""
    if not 0 < len(page) <= MOST_CHARACTERS:
        return
    import recipe_scrapers

    try:
        scraper: Any = recipe_scrapers.scrape_html(
            page, org_url=_address(stream), supported_only=False
        )
        yield read_recipe(scraper.schema.data)
        yield Recipe.from_lists(
            " ".join(scraper.title().split()),
            _lines(scraper.ingredients()),
            _lines(scraper.instructions_list()),
        )
    except Exception:  # code for hundreds of sites: whatever it raises, it found nothing
        return


def _lines(texts: Iterable[str]) -> list[str]:
    """Texts as a browser shows them, those that show anything."""
    return [line for text in texts if (line := " ".join(text.split()))]


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


def _written_anew(stream: Iterable[Token]) -> str:
    """The page without broken tags, comments and endless lists of attributes, on which parsers
    take time that grows with the square of its length."""
    pieces = []
    for token in stream:
        match token:
            case Text(text):
                pieces.append(text.replace("<", "&lt;"))
            case Raw(name, attributes, body):
                pieces.append(_opening(name, attributes) + body)
            case Close(name):
                pieces.append(f"</{name}>")
            case Open(name, attributes):
                pieces.append(_opening(name, attributes))
    return "".join(pieces)


def _opening(name: str, attributes: Mapping[str, str]) -> str:
    given = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>"
