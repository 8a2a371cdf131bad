"""What every reader gets and gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from npn.recipe import Recipe

DATA_FILES = (".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml")  # text, but not a recipe's


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
class Note:
    """What a person should know about how a file was read ("not UTF-8, read as CP437"). Nothing
    is lost by it."""

    message: str


Item: TypeAlias = Found | Problem | Note


@dataclass(frozen=True, slots=True)
class Format:
    """`sniff` is cheap, total and sure: it says yes only to its own. `read` yields what it finds
    and raises NpnError when the whole source cannot be used; its messages need not name the file,
    and it need not check that a recipe has ingredients and steps: the caller does both."""

    name: str
    about: str
    extensions: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Item]]
