"""What recipe-scrapers finds in a page: it knows hundreds of sites by name, and forgives JSON-LD
that is not quite JSON. It takes half a second to load, so it is loaded only for a page of such a
site and for one in which nothing else finds a recipe.

Its code for all these sites is not made for hostile pages. What it gets is bounded (in size, in
depth, and in the number of calls it may make), and whatever it raises, it has found nothing.
"""

from __future__ import annotations

import html
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

from npn.formats.html_page import VOID, Close, HtmlText, Open, Raw, Token
from npn.formats.schema_recipe import marked_steps, read_recipe, words_of
from npn.formats.sections import (
    SectionLine,
    heading_text,
    ingredients_under_headings,
    steps_under_headings,
    to_recipe,
)
from npn.language.amounts import parse_yield
from npn.recipe import Recipe, Yield

WEB_ADDRESS = re.compile(r"https?://[^\s/]+\S*")
SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{1,6}\)(https?://[^\s>]{1,2000})")
LINKS = ("href", "src", "srcset", "imagesrcset")
UNKNOWN_SITE = "https://unknown.invalid/"
# Real pages have up to 21,000 tokens, and need up to 2.2 million calls (of 1,104 measured).
MOST_TOKENS = 40_000
MOST_CHARACTERS = 4_000_000
DEEPEST = 2_000
MOST_CALLS = 5_000_000


class PageTooLargeError(Exception):
    """The page is larger, or nested deeper, or more work, than any page of a recipe site."""


def address_of(page: str, stream: Iterable[Token]) -> str:
    """Where the page was saved from, as far as it says; else nothing."""
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
    saved = SAVED_FROM.search(page, 0, 4096)
    return saved[1] if saved else ""


def from_known_site(stream: Sequence[Token], address: str) -> Iterator[Recipe]:
    """The recipe of a page as the scraper of its site sees it, if there is one for the site."""
    if address:
        import recipe_scrapers

        if _host(address) in recipe_scrapers.SCRAPERS:
            yield from _scraped(stream, address, known=True)


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:  # brackets that hold no number
        return ""


def from_linked_site(stream: Sequence[Token], address: str) -> Iterator[Recipe]:
    """The same for a page that does not say where it is from, or was copied to another site: most
    of its links lead to its own."""
    import recipe_scrapers

    sites: Counter[str] = Counter()
    for token in stream:
        if isinstance(token, Open) and token.name in ("a", "link", "img"):
            linked = next(filter(None, map(token.attributes.get, LINKS)), "")
            host = _host(linked[:2_000].partition(" ")[0])
            while host and host not in recipe_scrapers.SCRAPERS:
                host = host.partition(".")[2]  # "images.example.com" is of "example.com"
            sites[host] += 1
    del sites[""]
    for site, _ in sites.most_common(1):
        yield from _scraped(stream, f"https://{site}/", known=True)


def from_any_site(stream: Sequence[Token], address: str) -> Iterator[Recipe]:
    """The recipe of a page from its marks, read more forgivingly than we do."""
    yield from _scraped(stream, address or UNKNOWN_SITE, known=False)


def _scraped(stream: Sequence[Token], address: str, known: bool) -> Iterator[Recipe]:
    page = _written_anew(stream)
    import recipe_scrapers

    try:
        with call_budget(MOST_CALLS):
            scraper: Any = recipe_scrapers.scrape_html(page, org_url=address, supported_only=known)
            recipes = [_recipe(scraper)] if known else [read_recipe(scraper.schema.data)]
    except OutOfBudget:
        raise PageTooLargeError from None
    except Exception:  # code for hundreds of sites: whatever it raises, it found nothing
        return
    yield from recipes


def _recipe(scraper: Any) -> Recipe:
    return to_recipe(
        " ".join(scraper.title().split()),
        ingredients_under_headings(_ingredients(scraper)),
        steps_under_headings(_steps(scraper)),
        _yield(scraper),
    )


def _yield(scraper: Any) -> Yield | None:
    try:
        return parse_yield(scraper.yields() or "")
    except Exception:  # most pages say nothing of it
        return None


def _ingredients(scraper: Any) -> list[SectionLine]:
    """The lines with the headings of their groups, if the groups hold exactly the lines."""
    lines = list(map(SectionLine, _lines(scraper.ingredients())))
    try:
        groups = scraper.ingredient_groups()
    except Exception:
        return lines
    sections: dict[str, list[str | None]] = {}  # of each line, as often as it stands in the groups
    for group in groups:
        for line in _lines(group.ingredients):
            sections.setdefault(line, []).append(heading_text(group.purpose or "") or None)
    if Counter(line.text for line in lines) != {line: len(one) for line, one in sections.items()}:
        return lines
    return [replace(line, section=sections[line.text].pop(0)) for line in lines]


def _steps(scraper: Any) -> list[SectionLine]:
    """The steps. Where the site marks them with schema.org, sections and titles of steps stand
    among the scraper's lines; there the marks say which is which."""
    lines = _lines(scraper.instructions_list())
    marked, titles = marked_steps(scraper.schema.data)
    steps = [line for line in lines if words_of(line) not in titles]
    if [words_of(line) for line in steps] == [words_of(step.text) for step in marked]:
        return marked
    return list(map(SectionLine, lines))


def _lines(texts: Iterable[str]) -> list[str]:
    """Texts as a browser shows them, those that show anything."""
    return [line for text in texts if (line := " ".join(text.split()))]


def _written_anew(stream: Sequence[Token]) -> str:
    """The page without broken tags, comments and endless lists of attributes, on which parsers
    take time that grows with the square of its length. Raises PageTooLargeError."""
    pieces = []
    depth = 0
    if len(stream) > MOST_TOKENS:
        raise PageTooLargeError
    for token in stream:
        match token:
            case HtmlText(text):
                pieces.append(text.replace("<", "&lt;"))
            case Raw(name, attributes, body):
                pieces.append(_opening(name, attributes) + body)
            case Close(name):
                depth -= depth > 0
                pieces.append(f"</{name}>")
            case Open(name, attributes):
                depth += name not in VOID
                pieces.append(_opening(name, attributes))
        if depth > DEEPEST:
            raise PageTooLargeError
    page = "".join(pieces)
    if len(page) > MOST_CHARACTERS:
        raise PageTooLargeError
    return page


def _opening(name: str, attributes: Mapping[str, str]) -> str:
    given = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>"


# -- A limit on the work of code that is not ours, counted in calls: the same on every machine,
# where a limit in seconds is not.


class OutOfBudget(BaseException):
    """The code made more calls than it was given. Not an Exception, so that code which catches all
    of those does not catch it and go on."""


@contextmanager
def call_budget(calls: int) -> Iterator[None]:
    """Raise OutOfBudget inside the block once it has made `calls` calls of functions."""
    left = calls
    before = sys.getprofile()

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                raise OutOfBudget

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
