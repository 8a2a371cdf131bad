"""What the program knows about actions: which types of state each changes, and to which end state.

The knowledge lies in two files, actions.toml and end_states.toml. Those of cooking ship with the
package; another domain brings its own, and with them its own types and end states. Every mistake in
such a file is an error with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.language.verbs import verb_base

HERE = Path(__file__).parent
SHIPPED_END_STATES = HERE / "end_states.toml"
# Types whose changes follow rules besides the lexicon; the others come as an action says.
WITH_RULES = frozenset({"location", "composition", "temperature", "shape"})


@dataclass(frozen=True, slots=True)
class Action:
    """`changes` holds the end state for each type; an empty one means that the sentence names it.
    The other fields are explained at the top of actions.toml."""

    name: str
    changes: Mapping[str, str]
    defaults: Mapping[str, str]
    doubtful: frozenset[str] = frozenset()
    also: tuple[str, ...] = ()
    combines: bool = False
    may_combine: bool = False
    separates: bool = False
    serves: bool = False
    equipment: bool = False
    inert: bool = False
    ambiguous: bool = False
    # What follows from these, worked out once, because it is asked for in every clause.
    default_location: str = field(init=False, compare=False)  # implied ("oven"), or nothing
    cooks: bool = field(init=False, compare=False)
    heats: bool = field(init=False, compare=False)
    reshapes: bool = field(init=False, compare=False)
    certain: Mapping[str, str] = field(init=False, compare=False)  # changes that are not doubtful
    plain: tuple[tuple[str, str], ...] = field(init=False, compare=False)  # those without rules

    def __post_init__(self) -> None:
        known = object.__setattr__  # frozen
        known(self, "default_location", self.defaults.get("location", ""))
        known(self, "cooks", "cookedness" in self.changes)
        known(self, "heats", self.changes.get("temperature") == "hot")
        known(self, "reshapes", "shape" in self.changes)
        certain = {type: end for type, end in self.changes.items() if type not in self.doubtful}
        known(self, "certain", certain)
        plain = [(type, end) for type, end in certain.items() if type not in WITH_RULES]
        known(self, "plain", tuple(plain))


@dataclass(frozen=True, slots=True)
class EndState:
    """`name` is what is printed. `kind` is the same for different words for one thing: a frypan
    and a skillet are both of kind "skillet"."""

    type: str
    name: str
    kind: str
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`actions` by base form, `verbs` by any of their spellings; `end_states` by type and name,
    `word_forms` by type and by any word or words for them, plurals included."""

    actions: Mapping[str, Action]
    end_states: Mapping[str, Mapping[str, EndState]]
    word_forms: Mapping[str, Mapping[str, EndState]]
    verbs: Mapping[str, Action]

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(self.end_states)

    def action(self, verb: str) -> Action | None:
        """The action of a verb in its base form, under any of its spellings."""
        return self.verbs.get(verb) or self.verbs.get(verb.casefold())

    def expect_action(self, verb: str) -> Action:
        """The same for a verb in any form; an unknown one is an error that names the nearest."""
        action = self.action(verb) or self.action(verb_base(verb) or verb)
        if action is None:
            raise NpnError(f'the lexicon has no action "{verb}"{nearest(verb, self.verbs)}')
        return action

    def find(self, type: str, end: str | None = None) -> tuple[Action, ...]:
        """The actions that change `type`; with `end`, those that bring about that end state, also
        by default."""
        self._expect_type(type)
        if end is None:
            return tuple(a for a in self.actions.values() if type in a.changes)
        state = self.end_state(type, end)
        if state is None:
            raise NpnError(f'{type} has no end state "{end}"{nearest(end, self.end_states[type])}')
        return tuple(
            a
            for a in self.actions.values()
            if state.name in (a.changes.get(type), a.defaults.get(type))
        )

    def end_state(self, type: str, words: str) -> EndState | None:
        """The end state that a phrase names: its longest ending that is known, so that "large
        frying pan" is known by "frying pan"."""
        word_forms = self.word_forms[self._expect_type(type)]
        phrase = words.casefold()
        while phrase:
            if phrase in word_forms:
                return word_forms[phrase]
            phrase = phrase.partition(" ")[2]
        return None

    def location(self, words: str) -> EndState | None:
        """The place that a phrase names ("a large non-stick skillet": skillet)."""
        return self.end_state("location", words)

    def _expect_type(self, type: str) -> str:
        if type not in self.end_states:
            known = ", ".join(self.types)
            raise NpnError(f'"{type}" is not a type of state change: choose from {known}')
        return type


def together(actions: Sequence[Action]) -> Action:
    """One action of several on the same object: "cook and stir the onion"."""
    last = actions[-1]
    return replace(
        last,
        changes={type: end for action in actions for type, end in action.changes.items()},
        defaults={type: end for action in actions for type, end in action.defaults.items()},
        doubtful=frozenset().union(*(action.doubtful for action in actions)),
        combines=any(action.combines for action in actions),
        may_combine=any(action.may_combine for action in actions),
    )


def load_lexicon(folder: Path | None = None) -> Lexicon:
    """The lexicon of one's own in a folder; without one, that of cooking, which ships."""
    if folder is None:
        return _shipped()
    if not folder.is_dir():
        raise NpnError(
            f"{folder} is not a folder: a lexicon is a folder with actions.toml and end_states.toml"
        )
    return read_lexicon(folder / "actions.toml", folder / "end_states.toml")


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of an error message: what may have been meant."""
    near = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"; the nearest are {', '.join(near)}" if near else ""


@cache
def _shipped() -> Lexicon:
    return read_lexicon(HERE / "actions.toml", SHIPPED_END_STATES)


def read_lexicon(actions: Path, end_states: Path) -> Lexicon:
    """The lexicon in two files."""
    states, word_forms = read_end_states(end_states)
    known = read_actions(actions, states)
    spellings = {spelling: action for action in known.values() for spelling in action.also}
    return Lexicon(known, states, word_forms, spellings | known)


# -- How actions.toml and end_states.toml are read.

PLACE = re.compile(r"at line ([0-9]+)")


@dataclass(frozen=True, slots=True)
class LexiconDocument:
    """The tables of a file by their names; `[synonyms.shape]` is called "synonyms.shape". A table
    has the values of its keys, with lists of strings as tuples."""

    path: Path
    text: str
    tables: Mapping[str, Mapping[str, object]]

    def mistake(self, table: str, key: str | None, what: str) -> NpnError:
        """The error for a table, or for one of its keys, with the line on which that stands."""
        return NpnError(f"{self.path}, line {_line(self.text, table, key)}: {what}")


def read_document(path: Path) -> LexiconDocument:
    text = _read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = PLACE.search(str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise NpnError(f"{path}, line {line}: is not TOML: {error}") from error
    except RecursionError as error:
        raise NpnError(f"{path} is not a lexicon file: it is nested too deeply") from error
    document = LexiconDocument(path, text, dict(_tables("", data)))
    for key in document.tables.get("", ()):
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


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NpnError(f"{path} is not a lexicon file: it is not UTF-8 text") from error


DEFAULT = "default_"
FLAGS = {
    "combines": "what it acts on is together afterwards",
    "may_combine": "brings food together where it puts it on or into other food",
    "separates": "takes something out of or off the food",
    "serves": "brings the food to the table",
    "equipment": "mostly acts on a tool, not on food",
    "inert": "an imperative that is no action itself",
    "ambiguous": "the word is mostly a thing or a quality, not this action",
}
LISTS = ("doubtful", "also")
SYNONYMS = "synonyms."
DOUBTFUL = "doubtful"

States = Mapping[str, Mapping[str, EndState]]


def read_actions(path: Path, end_states: States) -> dict[str, Action]:
    """The actions by name, whose types and end states must be among `end_states`."""
    document = read_document(path)
    if not document.tables:
        raise NpnError(f"{path} holds no action: a lexicon has a [table] for each")
    actions = {name: _action(document, name, end_states) for name in document.tables}
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
        words = _words(document, type)
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


def _action(document: LexiconDocument, name: str, end_states: States) -> Action:
    changes: dict[str, str] = {}
    defaults: dict[str, str] = {}
    flags: dict[str, bool] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for key, value in document.tables[name].items():
        type = key.removeprefix(DEFAULT)
        if type in end_states:
            if not isinstance(value, str):
                raise document.mistake(name, key, f'[{name}] {key} must be "text" in quotes')
            if value not in end_states[type] and (value or key != type):
                what = f'[{name}] {key} = "{value}" is no end state of {type}'
                raise document.mistake(name, key, what + nearest(value, end_states[type]))
            (changes if key == type else defaults)[type] = value
        elif key in FLAGS:
            if not isinstance(value, bool):
                raise document.mistake(name, key, f"[{name}] {key} must be true or false")
            flags[key] = value
        elif key in LISTS:
            if not isinstance(value, tuple):
                raise document.mistake(name, key, f'[{name}] {key} must be ["a", "list"]')
            lists[key] = value
        else:
            known = [*end_states, *(DEFAULT + type for type in end_states), *FLAGS, *LISTS]
            what = f'[{name}] has the unknown key "{key}"{nearest(key, known)}'
            raise document.mistake(name, key, f"{what}; the types are {', '.join(end_states)}")
    doubtful = lists.get("doubtful", ())
    for type in doubtful:
        if type not in changes:
            what = f'[{name}] doubts "{type}" but does not change it'
            raise document.mistake(name, "doubtful", what)
    return Action(name, changes, defaults, frozenset(doubtful), lists.get("also", ()), **flags)


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


def _lists(document: LexiconDocument, table: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The keys of a table that holds nothing but lists; none where there is no such table."""
    for key, value in document.tables.get(table, {}).items():
        if not isinstance(value, tuple):
            raise document.mistake(table, key, f'[{table}] {key} must be ["a", "list"]')
        yield key, value


def _words(document: LexiconDocument, type: str) -> dict[str, str]:
    """The end state for each word of a type."""
    words = {name: name for name in document.tables[type]}
    for name, others in _lists(document, type):
        for other in others:
            if other in words:
                what = f'[{type}] "{other}" is a word for "{words[other]}" already'
                raise document.mistake(type, name, what)
            words[other] = name
    return words


def _kinds(document: LexiconDocument, type: str, words: Mapping[str, str]) -> dict[str, str]:
    """What each word that has synonyms is a word for."""
    kinds: dict[str, str] = {}
    table = SYNONYMS + type
    for name, others in _lists(document, table):
        for word in (name, *others):
            if word not in words:
                what = f'"{word}" is no word of [{type}], so has no synonyms'
                raise document.mistake(table, name, what)
            if kinds.setdefault(word, name) != name:
                what = f'[{table}] "{word}" is a word for "{kinds[word]}" already'
                raise document.mistake(table, name, what)
    return kinds


def _doubtful(document: LexiconDocument, types: list[str]) -> dict[str, Set[str]]:
    doubtful: dict[str, Set[str]] = dict.fromkeys(types, frozenset())
    for type, names in _lists(document, DOUBTFUL):
        if type not in doubtful:
            what = f'[{DOUBTFUL}] "{type}" is not a type of this file'
            raise document.mistake(DOUBTFUL, type, what)
        for name in names:
            if name not in document.tables[type]:
                what = f'[{DOUBTFUL}] "{name}" is no end state of {type}'
                raise document.mistake(DOUBTFUL, type, what)
        doubtful[type] = frozenset(names)
    return doubtful
