"""HTML as a stream of tags and text, in time linear in its length whatever it holds.

A saved page may be broken, huge or hostile; parsers that build a tree have inputs on which they
take minutes. This one only goes forward: an attribute, comment or script that never ends takes the
rest of the page with it, as in a browser.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

MOST_ATTRIBUTES = 200  # of one tag; the rest is passed over

TAG_NAME = re.compile(r"</?[a-zA-Z][^\s/>]*")
GAP = re.compile(r"[\s/]+")
ATTRIBUTE = re.compile(r"""([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
RAW_END = {
    "script": re.compile(r"</script", re.IGNORECASE),
    "style": re.compile(r"</style", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Open:
    name: str  # lower case, as attribute names are
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Close:
    name: str


@dataclass(frozen=True, slots=True)
class HtmlText:
    """Text with its entities as they stood: decode it with `unescape`."""

    text: str


@dataclass(frozen=True, slots=True)
class Raw:
    """A whole script or style element."""

    name: str
    attributes: Mapping[str, str]
    body: str


Token = Open | Close | HtmlText | Raw


def unescape(text: str) -> str:
    """`text` with its HTML entities decoded."""
    if "&" not in text:
        return text
    try:
        return html.unescape(text)
    except ValueError:  # a numeric entity of thousands of digits
        return text


def tokens(page: str) -> Iterator[Token]:
    done = 0  # everything before has been given out
    look = 0  # where to look for the next "<"
    while (start := page.find("<", look)) >= 0:
        if page.startswith("<!--", start):
            end = page.find("-->", start + 4)
            token, after = None, end + 3 if end >= 0 else len(page)
        elif found := TAG_NAME.match(page, start):
            parsed = _tag(page, found)
            if parsed is None:
                break
            token, after = parsed
        elif page.startswith(("<!", "</", "<?"), start):
            end = page.find(">", start)
            token, after = None, end + 1 if end >= 0 else len(page)
        else:
            look = start + 1
            continue
        if start > done:
            yield HtmlText(page[done:start])
        if token is not None:
            yield token
        done = look = after
    if done < len(page):
        yield HtmlText(page[done:])


def _tag(page: str, name_found: re.Match[str]) -> tuple[Token, int] | None:
    """The tag whose name has been found, and where the text goes on; None if it never ends."""
    name = name_found[0].strip("</").lower()
    attributes: dict[str, str] = {}
    at = name_found.end()
    while True:
        if gap := GAP.match(page, at):
            at = gap.end()
        if page.startswith(">", at):
            at += 1
            break
        found = ATTRIBUTE.match(page, at)
        if found is None:
            return None
        at = found.end()
        if len(attributes) < MOST_ATTRIBUTES:
            value = found[2] or ""
            if value[:1] in ("'", '"') and value[-1] == value[0] and len(value) > 1:
                value = value[1:-1]
            attributes.setdefault(found[1].lower(), unescape(value))
    if name_found[0].startswith("</"):
        return Close(name), at
    if name in RAW_END:
        end = RAW_END[name].search(page, at)
        stop = end.start() if end else len(page)
        return Raw(name, attributes, page[at:stop]), stop
    return Open(name, attributes), at


# -- The text a person sees where a source holds HTML: a page, or a field with tags and entities.

TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
SPACE = re.compile(r"[ \t\n\r\f]+")

BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure"}
    | {"footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol"}
    | {"p", "pre", "section", "table", "tr", "ul"}
)
CELLS = frozenset(("td", "th"))


def plain(field: str) -> str:
    """A field's text: tags read away, entities decoded, also where a site has escaped them twice.
    Its own line breaks stay unless tags lay it out."""
    for _ in range(2):
        field = _without_tags(field) if TAG.search(field) else unescape(field)
    return field.strip()


def _without_tags(field: str) -> str:
    stream = list(tokens(field))
    if any(isinstance(token, Open | Close) and token.name in BLOCKS for token in stream):
        return rendered(stream)
    return "".join(unescape(token.text) for token in stream if isinstance(token, HtmlText))


def rendered(stream: Iterable[Token]) -> str:
    """The text of tokens as a browser lays it out: a line for each block, white space collapsed."""
    return lay_out([piece for token in stream if (piece := written(token))])


def written(token: Token) -> str:
    """What a token adds to the text around it; a line break stands for the edge of a block."""
    match token:
        case HtmlText(text):
            return unescape(SPACE.sub(" ", text))
        case Open(name) | Close(name) if name in BLOCKS:
            return "\n"
        case Open(name) if name in CELLS:
            return " "
    return ""


def lay_out(pieces: Iterable[str]) -> str:
    lines = (SPACE.sub(" ", line).strip() for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)
