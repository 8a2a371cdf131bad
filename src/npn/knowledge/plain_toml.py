"""Read the plain part of TOML that lexicon files are written in, and remember where all stands.

`[table]` headings and keys with a string, true, false or a list of strings, nothing else. The
standard library's tomllib reads such files too, more slowly, but does not say on which line a key
stands, which an error about that key must.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from npn.errors import NpnError

Value = str | bool | tuple[str, ...]

LINE = re.compile(
    r"""[ \t]*+
    (?: \[ (?P<heading> (?: [\w.-]++ | "[^"\\\n]*+" )+ ) \]
      | (?: (?P<key> [\w-]++ ) | "(?P<quoted_key> [^"\\\n]*+ )" ) [ \t]*+ = [ \t]*+
        (?: "(?P<text> [^"\\\n]*+ )"
          | (?P<truth> true | false )
          | \[ (?P<list> \s*+ (?: "[^"\\\n]*+" \s*+ (?: , \s*+ | (?=\]) ) )* ) \]
        )
    )?
    [ \t\r]*+ (?: \#[^\n]*+ )? (?: \n | \Z )""",
    re.VERBOSE,
)
LIST_ITEM = re.compile(r'"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Entry:
    value: Value
    at: int  # offset into the text


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    at: int
    entries: dict[str, Entry]


@dataclass(frozen=True, slots=True)
class Document:
    path: Path
    text: str
    tables: dict[str, Table]

    def mistake(self, at: int, what: str) -> NpnError:
        """The error for what stands at an offset."""
        return _mistake(self.path, self.text, at, what)


def read_document(path: Path) -> Document:
    text = _read(path)
    tables: dict[str, Table] = {}
    table: Table | None = None
    at = 0
    while at < len(text):
        line = LINE.match(text, at)
        if line is None:
            raise _mistake(
                path,
                text,
                at,
                'a lexicon file has [table] lines and lines like key = "text", key = true or '
                'key = ["one", "two"]; this is none of them',
            )
        heading, key, quoted_key, string, truth, items = line.groups()
        key = key or quoted_key
        if key is not None:
            if table is None:
                raise _mistake(path, text, at, f'"{key}" stands before the first [table]')
            if key in table.entries:
                raise _mistake(path, text, at, f'"{key}" stands twice in [{table.name}]')
            value: Value
            if string is not None:
                value = string
            elif truth is not None:
                value = truth == "true"
            else:
                value = tuple(LIST_ITEM.findall(items))
            table.entries[key] = Entry(value, at)
        elif heading is not None:
            name = heading.replace('"', "")
            if name in tables:
                raise _mistake(path, text, at, f"[{name}] stands twice in this file")
            table = tables[name] = Table(name, at, {})
        at = line.end()
    return Document(path, text, tables)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NpnError(f"{path} is not a lexicon file: it is not UTF-8 text") from error


def _mistake(path: Path, text: str, at: int, what: str) -> NpnError:
    line = text.count("\n", 0, at) + 1
    return NpnError(f"{path}, line {line}: {what}")
