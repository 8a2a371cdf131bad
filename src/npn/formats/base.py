"""What every reader gets and gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from npn.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it came: its name (for messages and for sniffing), its bytes, and its text, which
    is empty for binary data such as a zip archive."""

    name: str
    data: bytes
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    recipe: Recipe
    where: str = ""  # "line 12", "recipe 3", "soup.json": empty where a file is one recipe


@dataclass(frozen=True, slots=True)
class Problem:
    """One recipe among many that cannot be used; `message` is one sentence for a person."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Format:
    """`sniff` is cheap, total and sure: it says yes only to its own. `read` yields what it finds
    and raises NpnError when the whole source cannot be used."""

    name: str
    about: str
    extensions: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Found | Problem]]
