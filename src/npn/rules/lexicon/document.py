"""A lexicon file as tables, and the line on which a mistake in it stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError

PLACE = re.compile(r"at line ([0-9]+)")


@dataclass(frozen=True, slots=True)
class LexiconTable:
    """A `[name]` table: the values of its keys, with lists of strings as tuples."""

    name: str
    entries: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LexiconDocument:
    """The tables of a file by their names; `[synonyms.shape]` is called "synonyms.shape"."""

    path: Path
    text: str
    tables: Mapping[str, LexiconTable]

    def mistake(self, table: str, key: str | None, what: str) -> NpnError:
        """The error for a table, or for one of its keys, with the line on which that stands."""
        return NpnError(f"{self.path}, line {_line(self.text, table, key)}: {what}")


def read_document(path: Path) -> LexiconDocument:
    text = _read(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = PLACE.search(str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise NpnError(f"{path}, line {line}: is not TOML: {error}") from error
    except RecursionError as error:
        raise NpnError(f"{path} is not a lexicon file: it is nested too deeply") from error
    document = LexiconDocument(
        path, text, {name: LexiconTable(name, entries) for name, entries in _tables("", data)}
    )
    for key in document.tables[""].entries if "" in document.tables else ():
        raise document.mistake("", key, f'"{key}" stands before the first [table]')
    return document


def _tables(name: str, data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, object]]]:
    """Each table with its own keys; one that only holds other tables is left out."""
    inner = {key: value for key, value in data.items() if isinstance(value, dict)}
    entries = {key: _value(value) for key, value in data.items() if key not in inner}
    if entries or (name and not inner):
        yield name, entries
    for key, value in inner.items():
        yield from _tables(f"{name}.{key}" if name else key, value)


def _value(value: object) -> object:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return value


def _line(text: str, table: str, key: str | None) -> int:
    """The line of a table's heading, or of a key below it; the first line where neither is found,
    as for a table that is written in another way than with a heading of its own."""
    current, found = "", 1
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("["):
            current = line.partition("#")[0].strip(" \t[]").replace('"', "")
            if current == table:
                found = number
        elif current == table and key is not None and _bare(line.partition("=")[0]) == key:
            return number
    return found


def _bare(key: str) -> str:
    return key.strip().strip('"')


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NpnError(f"{path} is not a lexicon file: it is not UTF-8 text") from error
