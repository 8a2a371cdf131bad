"""Read actions.toml and end_states.toml. Every mistake is an error with its file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.rules.lexicon.lexicon import Action, EndState, nearest

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


DEFAULT = "default_"
FLAGS = ("combines", "may_combine", "separates", "serves", "equipment", "inert", "ambiguous")
LISTS = ("doubtful", "also")
SYNONYMS = "synonyms."
DOUBTFUL = "doubtful"

States = Mapping[str, Mapping[str, EndState]]


def read_actions(path: Path, end_states: States) -> dict[str, Action]:
    """The actions by name, whose types and end states must be among `end_states`."""
    document = read_document(path)
    if not document.tables:
        raise NpnError(f"{path} holds no action: a lexicon has a [table] for each")
    actions = {
        name: _action(document, table, end_states) for name, table in document.tables.items()
    }
    owner = {name: name for name in actions}
    for action in actions.values():
        for other in action.also:
            if owner.setdefault(other, action.name) != action.name:
                what = f'"{other}" belongs to [{owner[other]}] already'
                raise document.mistake(action.name, "also", what)
    return actions


def read_end_states(path: Path) -> tuple[States, States]:
    """The end states by type and name, and by type and any word for them."""
    document = read_document(path)
    tables = document.tables
    types = [name for name in tables if name != DOUBTFUL and not name.startswith(SYNONYMS)]
    if not types:
        raise NpnError(f"{path} holds no type of state change: it has a [table] for each")
    for name in tables:
        if name.startswith(SYNONYMS) and name.removeprefix(SYNONYMS) not in types:
            raise document.mistake(name, None, f"[{name}] is for no type of this file")
    doubtful = _doubtful(document, types)
    states: dict[str, dict[str, EndState]] = {}
    word_forms: dict[str, dict[str, EndState]] = {}
    for type in types:
        words = _words(document, tables[type])
        kinds = _kinds(document, type, words)
        known = dict(_end_states(type, words, kinds, doubtful[type]))
        states[type] = {form: state for form, state in known.items() if form == state.name}
        word_forms[type] = {plural(form): state for form, state in known.items()} | known
    return states, word_forms


def plural(words: str) -> str:
    """The regular plural of a noun ("baking dish": "baking dishes")."""
    if words.endswith(("s", "x", "z", "ch", "sh")):
        return words + "es"
    if words.endswith("y") and words[-2:-1] not in "aeiou":
        return words[:-1] + "ies"
    if words.endswith(("leaf", "loaf", "half", "shelf")):
        return words[:-1] + "ves"
    if words.endswith("knife"):
        return words[:-2] + "ves"
    return words + "s"


def _action(document: LexiconDocument, table: LexiconTable, end_states: States) -> Action:
    changes: dict[str, str] = {}
    defaults: dict[str, str] = {}
    flags: dict[str, bool] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for key, value in table.entries.items():
        type = key.removeprefix(DEFAULT)
        if type in end_states:
            if not isinstance(value, str):
                raise document.mistake(
                    table.name, key, f'[{table.name}] {key} must be "text" in quotes'
                )
            if value not in end_states[type] and (value or key != type):
                what = f'[{table.name}] {key} = "{value}" is no end state of {type}'
                raise document.mistake(table.name, key, what + nearest(value, end_states[type]))
            (changes if key == type else defaults)[type] = value
        elif key in FLAGS:
            if not isinstance(value, bool):
                raise document.mistake(
                    table.name, key, f"[{table.name}] {key} must be true or false"
                )
            flags[key] = value
        elif key in LISTS:
            if not isinstance(value, tuple):
                raise document.mistake(
                    table.name, key, f'[{table.name}] {key} must be ["a", "list"]'
                )
            lists[key] = value
        else:
            known = [*end_states, *(DEFAULT + type for type in end_states), *FLAGS, *LISTS]
            what = f'[{table.name}] has the unknown key "{key}"{nearest(key, known)}'
            raise document.mistake(
                table.name, key, f"{what}; the types are {', '.join(end_states)}"
            )
    doubtful = lists.get("doubtful", ())
    for type in doubtful:
        if type not in changes:
            raise document.mistake(
                table.name, "doubtful", f'[{table.name}] doubts "{type}" but does not change it'
            )
    also = lists.get("also", ())
    return Action(table.name, changes, defaults, frozenset(doubtful), also, **flags)


def _end_states(
    type: str, words: Mapping[str, str], kinds: Mapping[str, str], doubtful: Set[str]
) -> Iterator[tuple[str, EndState]]:
    """Each word with its end state; words for the same share one."""
    made: dict[tuple[str, str], EndState] = {}
    for form, name in words.items():
        kind = kinds.get(form) or kinds.get(name, name)
        state = made.get((name, kind))
        if state is None:
            state = made[name, kind] = EndState(type, name, kind, name in doubtful)
        yield form, state


def _lists(document: LexiconDocument, table: LexiconTable) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The keys of a table that holds nothing but lists."""
    for key, value in table.entries.items():
        if not isinstance(value, tuple):
            raise document.mistake(table.name, key, f'[{table.name}] {key} must be ["a", "list"]')
        yield key, value


def _words(document: LexiconDocument, table: LexiconTable) -> dict[str, str]:
    """The end state for each word of a type."""
    words = {name: name for name in table.entries}
    for name, others in _lists(document, table):
        for other in others:
            if other in words:
                what = f'[{table.name}] "{other}" is a word for "{words[other]}" already'
                raise document.mistake(table.name, name, what)
            words[other] = name
    return words


def _kinds(document: LexiconDocument, type: str, words: Mapping[str, str]) -> dict[str, str]:
    """What each word that has synonyms is a word for."""
    kinds: dict[str, str] = {}
    table = document.tables.get(SYNONYMS + type)
    for name, others in _lists(document, table) if table else ():
        for word in (name, *others):
            if word not in words:
                raise document.mistake(
                    SYNONYMS + type, name, f'"{word}" is no word of [{type}], so has no synonyms'
                )
            if kinds.setdefault(word, name) != name:
                what = f'[{SYNONYMS}{type}] "{word}" is a word for "{kinds[word]}" already'
                raise document.mistake(SYNONYMS + type, name, what)
    return kinds


def _doubtful(document: LexiconDocument, types: list[str]) -> dict[str, Set[str]]:
    doubtful: dict[str, Set[str]] = dict.fromkeys(types, frozenset())
    table = document.tables.get(DOUBTFUL)
    for type, names in _lists(document, table) if table else ():
        if type not in doubtful:
            raise document.mistake(
                DOUBTFUL, type, f'[{DOUBTFUL}] "{type}" is not a type of this file'
            )
        for name in names:
            if name not in document.tables[type].entries:
                raise document.mistake(
                    DOUBTFUL, type, f'[{DOUBTFUL}] "{name}" is no end state of {type}'
                )
        doubtful[type] = frozenset(names)
    return doubtful
