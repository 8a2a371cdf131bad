"""The text a person sees where a source holds HTML: a page, or a field with tags and entities."""

from __future__ import annotations

import re
from collections.abc import Iterable

from npn.formats.html_tokens import Close, HtmlText, Open, Token, tokens, unescape

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
