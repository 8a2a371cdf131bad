"""Read the plain part of TOML that lexicon files are written in, and remember every line.

`[table]` headings and keys with a string, true, false or a list of strings, nothing else. The
standard library's tomllib reads such files too, but does not say on which line a key stands, which
an error about that key must, and takes six times as long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from npn.errors import NpnError

Value = str | bool | tuple[str, ...]

HEADING = re.compile(r'\[((?:[\w-]|\.|"[^"\\]*")+)\]\s*(?:#.*)?')
KEY = re.compile(r'([\w-]+|"[^"\\]*")\s*=\s*')
TEXT = re.compile(r'"([^"\\]*)"\s*(?:#.*)?')
TRUTH = re.compile(r"(true|false)\s*(?:#.*)?")
LIST_PART = re.compile(r'"([^"\\]*)"|(,)|(\])|#.*|\s+')


@dataclass(frozen=True, slots=True)
class Entry:
    value: Value
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    line: int
    entries: dict[str, Entry]


def read_tables(path: Path) -> list[Table]:
    """The tables of a file in their order."""
    lines = _lines(path)
    tables: dict[str, Table] = {}
    table: Table | None = None
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            heading = HEADING.fullmatch(line)
            if heading is None:
                raise _not_plain(path, number)
            name = heading[1].replace('"', "")
            if name in tables:
                first = tables[name].line
                raise mistake(path, number, f"[{name}] stands already on line {first}")
            table = tables[name] = Table(name, number, {})
            continue
        key = KEY.match(line)
        if key is None:
            raise _not_plain(path, number)
        name = key[1].strip('"')
        if table is None:
            raise mistake(path, number, f'"{name}" stands before the first [table]')
        if name in table.entries:
            raise mistake(path, number, f'"{name}" stands twice in [{table.name}]')
        start = number
        if line.startswith("[", key.end()):
            value, number = _list(path, lines, number, line[key.end() + 1 :])
        else:
            value = _value(path, number, line[key.end() :])
        table.entries[name] = Entry(value, start)
    return list(tables.values())


def mistake(path: Path, line: int, what: str) -> NpnError:
    return NpnError(f"{path}, line {line}: {what}")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NpnError(f"{path} is not a lexicon: it is not UTF-8 text") from error


def _value(path: Path, number: int, text: str) -> Value:
    if found := TEXT.fullmatch(text):
        return found[1]
    if found := TRUTH.fullmatch(text):
        return found[1] == "true"
    raise _not_plain(path, number)


def _list(path: Path, lines: list[str], number: int, text: str) -> tuple[Value, int]:
    """A list that begins with `text` and may go on over the next lines; the number of its last
    line."""
    items: list[str] = []
    wants_comma = False
    while True:
        at = 0
        while at < len(text):
            part = LIST_PART.match(text, at)
            if part is None:
                raise _not_plain(path, number)
            at = part.end()
            if part[1] is not None or part[2]:
                if wants_comma == (part[1] is not None):
                    raise _not_plain(path, number)
                wants_comma = part[1] is not None
            if part[1] is not None:
                items.append(part[1])
            elif part[3]:
                rest = text[at:].strip()
                if rest and rest[0] != "#":
                    raise _not_plain(path, number)
                return tuple(items), number
        if number == len(lines):
            raise mistake(path, number, "a list is not closed: its ] is missing")
        text = lines[number]
        number += 1


def _not_plain(path: Path, number: int) -> NpnError:
    return mistake(
        path,
        number,
        'a lexicon file has [table] lines and lines like key = "text", key = true or '
        'key = ["one", "two"]; this is none of them',
    )
