"""A page in HTML: a stream of tags and text, and the schema.org items written into its tags.

A saved page may be broken, huge or hostile; parsers that build a tree have inputs on which they
take minutes. This one only goes forward, in time linear in the length of the page: an attribute,
comment or script that never ends takes the rest of the page with it, as in a browser.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
    """address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header
    hr li main ol p pre section table tr ul""".split()
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


# -- Microdata: schema.org items written into a page's tags (itemscope, itemtype, itemprop).
#
# Items come out in the shape of JSON-LD ("@type" and properties, several values as a list), so one
# reader serves both.

Node = dict[str, object]

MOST_OPEN_VALUES = 32  # values inside values: a page has two or three, an attack thousands

VOID = frozenset(  # tags that have no end tag
    "area base br col embed hr img input link meta param source track wbr".split()
)
IMPLIED_END = frozenset("dd dt li option p td th tr".split())  # the next ends it
VALUE_ATTRIBUTES = {
    "a": "href",
    "img": "src",
    "link": "href",
    "meta": "content",
    "data": "value",
    "time": "datetime",
}


@dataclass(slots=True)
class _Element:
    """An element that is open. It may begin an item, or its text may be the value of properties of
    the item that it stands in, the owner."""

    name: str
    item: Node | None = None
    owner: Node | None = None
    properties: Sequence[str] = ()
    pieces: list[str] = field(default_factory=list)


class _OpenElements:
    """The elements that are open in a page, and the items found so far. An item that is no property
    of another is one of `items`."""

    def __init__(self) -> None:
        self.items: list[Node] = []
        self.elements: list[_Element] = []
        self.names: Counter[str] = Counter()
        self.owners: list[Node] = []
        self.values: list[_Element] = []  # those whose text is a value

    def take(self, token: Token) -> None:
        if text := written(token):
            for value in self.values:
                value.pieces.append(text)
        match token:
            case Open(name, attributes):
                if name in IMPLIED_END and self.elements and self.elements[-1].name == name:
                    self.end()
                element = self._begin(name, attributes)
                if name not in VOID:
                    self._push(element)
            case Close(name) if self.names[name]:
                while self.end() != name:
                    pass

    def _begin(self, name: str, attributes: Mapping[str, str]) -> _Element:
        properties = attributes.get("itemprop", "").split()
        owner = self.owners[-1] if properties and self.owners else None
        if "itemscope" in attributes:
            item: Node = {"@type": attributes.get("itemtype", "").split()}
            if owner is None:
                self.items.append(item)
            else:
                _add(owner, properties, item)
            return _Element(name, item)
        given = attributes.get("content", attributes.get(VALUE_ATTRIBUTES.get(name, "")))
        if owner is not None and given is not None:
            _add(owner, properties, given)
        elif owner is not None and len(self.values) < MOST_OPEN_VALUES:
            return _Element(name, None, owner, properties)
        return _Element(name)

    def _push(self, element: _Element) -> None:
        self.elements.append(element)
        self.names[element.name] += 1
        if element.item is not None:
            self.owners.append(element.item)
        if element.owner is not None:
            self.values.append(element)

    def end(self) -> str:
        """Close the innermost element, and give its name."""
        element = self.elements.pop()
        self.names[element.name] -= 1
        if element.item is not None:
            self.owners.pop()
        if element.owner is not None:
            self.values.pop()
            _add(element.owner, element.properties, lay_out(element.pieces))
        return element.name


def items_of(stream: Iterable[Token]) -> list[Node]:
    """The items of a page that are not the property of another one."""
    page = _OpenElements()
    for token in stream:
        page.take(token)
    while page.elements:
        page.end()
    return page.items


def _add(item: Node, properties: Sequence[str], value: object) -> None:
    for name in properties:
        known = item.get(name)
        if known is None:
            item[name] = value
        elif isinstance(known, list):
            known.append(value)
        else:
            item[name] = [known, value]
