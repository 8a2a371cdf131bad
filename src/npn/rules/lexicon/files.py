"""Read actions.toml and end_states.toml. Every mistake is an error with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from pathlib import Path

from npn.errors import NpnError
from npn.rules.lexicon.document import LexiconDocument, LexiconTable, read_document
from npn.rules.lexicon.lexicon import Action, EndState, nearest

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
