"""Microdata: schema.org items written into a page's tags (itemscope, itemtype, itemprop).

Items come out in the shape of JSON-LD ("@type" and properties, several values as a list), so one
reader serves both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from npn.formats.html_tokens import Close, Open, Token, lay_out, written

Node = dict[str, object]

MOST_OPEN_VALUES = 32  # values inside values: a page has two or three, an attack thousands

VOID = frozenset(  # tags that have no end tag
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"}
    | {"source", "track", "wbr"}
)
IMPLIED_END = frozenset({"dd", "dt", "li", "option", "p", "td", "th", "tr"})  # the next ends it
VALUE_ATTRIBUTES = {
    "a": "href",
    "img": "src",
    "link": "href",
    "meta": "content",
    "data": "value",
    "time": "datetime",
}


@dataclass(slots=True)
class _Value:
    """A property whose value is the text of the element that is open."""

    owner: Node
    properties: list[str]
    pieces: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Element:
    name: str
    item: Node | None = None
    value: _Value | None = None


class _Page:
    def __init__(self) -> None:
        self.items: list[Node] = []
        self._open: list[_Element] = []
        self._open_names: Counter[str] = Counter()
        self._open_items: list[Node] = []
        self._open_values: list[_Value] = []

    def take(self, token: Token) -> None:
        if text := written(token):
            for value in self._open_values:
                value.pieces.append(text)
        match token:
            case Open(name, attributes):
                self._begin(name, attributes)
            case Close(name) if self._open_names[name]:
                while self._end() != name:
                    pass

    def finish(self) -> None:
        while self._open:
            self._end()

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in IMPLIED_END and self._open and self._open[-1].name == name:
            self._end()
        element = _Element(name)
        properties = attributes.get("itemprop", "").split()
        owner = self._open_items[-1] if self._open_items else None
        if "itemscope" in attributes:
            element.item = {"@type": attributes.get("itemtype", "").split()}
            if properties and owner is not None:
                _add(owner, properties, element.item)
            else:
                self.items.append(element.item)
        elif properties and owner is not None:
            given = attributes.get("content", attributes.get(VALUE_ATTRIBUTES.get(name, "")))
            if given is not None:
                _add(owner, properties, given)
            elif len(self._open_values) < MOST_OPEN_VALUES:
                element.value = _Value(owner, properties)
        if name not in VOID:
            self._push(element)

    def _push(self, element: _Element) -> None:
        self._open.append(element)
        self._open_names[element.name] += 1
        if element.item is not None:
            self._open_items.append(element.item)
        if element.value is not None:
            self._open_values.append(element.value)

    def _end(self) -> str:
        element = self._open.pop()
        self._open_names[element.name] -= 1
        if element.item is not None:
            self._open_items.pop()
        if element.value is not None:
            self._open_values.pop()
            _add(element.value.owner, element.value.properties, lay_out(element.value.pieces))
        return element.name


def items_of(stream: Iterable[Token]) -> list[Node]:
    """The items of a page that are not the property of another one."""
    page = _Page()
    for token in stream:
        page.take(token)
    page.finish()
    return page.items


def _add(item: Node, properties: list[str], value: object) -> None:
    for name in properties:
        known = item.get(name)
        if known is None:
            item[name] = value
        elif isinstance(known, list):
            known.append(value)
        else:
            item[name] = [known, value]
