"""Read actions.toml and end_states.toml. Every mistake is an error with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from npn.errors import NpnError
from npn.knowledge.lexicon import Action, EndState, nearest
from npn.knowledge.plain_toml import Entry, Table, mistake, read_tables

DEFAULT = "default_"
FLAGS = ("combines", "may_combine", "separates", "serves", "equipment", "inert")
LISTS = ("doubtful", "also")
SYNONYMS = "synonyms."
DOUBTFUL = "doubtful"

States = dict[str, dict[str, EndState]]


def read_actions(
    path: Path, end_states: Mapping[str, Mapping[str, EndState]], end_states_path: Path
) -> dict[str, Action]:
    """The actions by name. `end_states_path` is for the errors."""
    tables = read_tables(path)
    if not tables:
        raise NpnError(f"{path} holds no action: a lexicon has a [table] for each")
    actions: dict[str, Action] = {}
    names: dict[str, str] = {table.name: table.name for table in tables}
    for table in tables:
        action = _action(path, table, end_states, end_states_path)
        for other in action.also:
            if names.setdefault(other, action.name) != action.name:
                line = table.entries["also"].line
                raise mistake(path, line, f'"{other}" belongs to [{names[other]}] already')
        actions[action.name] = action
    return actions


def read_end_states(path: Path) -> tuple[States, States]:
    """The end states by type and name, and by type and any word for them."""
    tables = {table.name: table for table in read_tables(path)}
    types = [name for name in tables if name != DOUBTFUL and not name.startswith(SYNONYMS)]
    if not types:
        raise NpnError(f"{path} holds no type of state change: it has a [table] for each")
    for name, table in tables.items():
        if name.startswith(SYNONYMS) and name.removeprefix(SYNONYMS) not in types:
            raise mistake(path, table.line, f"[{name}] is for no type of this file")
    doubtful = _doubtful(path, tables.get(DOUBTFUL), types)
    states: States = {}
    forms: States = {}
    for type in types:
        words = _words(path, tables[type])
        kinds = _kinds(path, tables.get(SYNONYMS + type), words)
        unknown = [word for word in doubtful[type] if words.get(word) != word]
        if unknown:
            line = tables[DOUBTFUL].entries[type].line
            raise mistake(path, line, f'"{unknown[0]}" is not an end state of {type}')
        doubted = set(doubtful[type])
        known = {
            form: EndState(type, name, kinds.get(form, kinds.get(name, name)), name in doubted)
            for form, name in words.items()
        }
        states[type] = {form: state for form, state in known.items() if form == state.name}
        forms[type] = {plural(form): state for form, state in known.items()} | known
    return states, forms


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


def _action(
    path: Path,
    table: Table,
    end_states: Mapping[str, Mapping[str, EndState]],
    end_states_path: Path,
) -> Action:
    changes: dict[str, str] = {}
    defaults: dict[str, str] = {}
    flags: dict[str, bool] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for key, entry in table.entries.items():
        value, line = entry.value, entry.line
        type = key.removeprefix(DEFAULT)
        if type in end_states:
            if not isinstance(value, str):
                raise mistake(path, line, f'[{table.name}] {key} must be a text in "quotes"')
            if value not in end_states[type] and (value or key != type):
                raise mistake(
                    path,
                    line,
                    f'[{table.name}] {key} = "{value}": {end_states_path} lists no such end state '
                    f"of {type}{nearest(value, end_states[type])}",
                )
            (changes if key == type else defaults)[type] = value
        elif key in FLAGS:
            if not isinstance(value, bool):
                raise mistake(path, line, f"[{table.name}] {key} must be true or false")
            flags[key] = value
        elif key in LISTS:
            if not isinstance(value, tuple):
                raise mistake(path, line, f'[{table.name}] {key} must be a list: ["one", "two"]')
            lists[key] = value
        else:
            known = [*end_states, *(DEFAULT + type for type in end_states), *FLAGS, *LISTS]
            what = f'[{table.name}] has the unknown key "{key}"{nearest(key, known)}'
            raise mistake(path, line, f"{what}; the types are {', '.join(end_states)}")
    doubtful = lists.get("doubtful", ())
    for type in doubtful:
        if type not in changes:
            line = table.entries["doubtful"].line
            raise mistake(path, line, f'[{table.name}] doubts "{type}" but does not change it')
    also = lists.get("also", ())
    return Action(table.name, changes, defaults, frozenset(doubtful), also, **flags)


def _lists(path: Path, table: Table) -> Iterator[tuple[str, Entry, tuple[str, ...]]]:
    for key, entry in table.entries.items():
        if not isinstance(entry.value, tuple):
            raise mistake(
                path, entry.line, f'[{table.name}] "{key}" must be a list: ["one", "two"]'
            )
        yield key, entry, entry.value


def _words(path: Path, table: Table) -> dict[str, str]:
    """The end state for each word of a type."""
    words = {name: name for name in table.entries}
    for name, entry, others in _lists(path, table):
        for other in others:
            if words.setdefault(other, name) != name or other == name:
                what = f'[{table.name}] "{other}" is a word for "{words[other]}" already'
                raise mistake(path, entry.line, what)
    return words


def _kinds(path: Path, table: Table | None, words: Mapping[str, str]) -> dict[str, str]:
    """What each word with a synonym is a word for."""
    kinds: dict[str, str] = {}
    if table is None:
        return kinds
    for name, entry, others in _lists(path, table):
        for word in (name, *others):
            if word not in words:
                raise mistake(path, entry.line, f'[{table.name}] "{word}" stands nowhere above')
            if kinds.setdefault(word, name) != name:
                what = f'[{table.name}] "{word}" is a word for "{kinds[word]}" already'
                raise mistake(path, entry.line, what)
    return kinds


def _doubtful(path: Path, table: Table | None, types: list[str]) -> dict[str, tuple[str, ...]]:
    doubtful: dict[str, tuple[str, ...]] = dict.fromkeys(types, ())
    for type, entry, names in _lists(path, table) if table else ():
        if type not in doubtful:
            raise mistake(path, entry.line, f'[{DOUBTFUL}] "{type}" is not a type of this file')
        doubtful[type] = names
    return doubtful
