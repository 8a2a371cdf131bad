"""What the program knows about actions: which types of state each changes, and to which end state.

The knowledge lies in two files, actions.toml and end_states.toml. Those of cooking ship with the
package; another domain brings its own, and with them its own types and end states. Every mistake in
such a file is an error with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from npn.errors import NpnError
from npn.language.verbs import verb_base

HERE = Path(__file__).parent
SHIPPED_END_STATES = HERE / "end_states.toml"


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

    @property
    def certain(self) -> dict[str, str]:
        """The changes that are not doubtful."""
        return {type: end for type, end in self.changes.items() if type not in self.doubtful}

    @property
    def default_location(self) -> str:
        """The place that the action implies ("oven"), or nothing."""
        return self.defaults.get("location", "")

    @property
    def cooks(self) -> bool:
        return "cookedness" in self.changes

    @property
    def heats(self) -> bool:
        return self.changes.get("temperature") == "hot"

    @property
    def reshapes(self) -> bool:
        return "shape" in self.changes


@dataclass(frozen=True, slots=True)
class EndState:
    """`doubtful` is one whose words more often mean something else."""

    name: str
    doubtful: bool


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
EXPECTED = {str: '"text" in quotes', bool: "true or false", tuple: '["a", "list"]'}
Value = TypeVar("Value", str, bool, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class LexiconDocument:
    """The tables of a file by their names: each has the values of its keys, with lists of strings
    as tuples. The text tells the line of a mistake."""

    path: Path
    text: str
    tables: Mapping[str, Mapping[str, object]]

    def value(self, table: str, key: str, kind: type[Value]) -> Value:
        """The value of a key, which must be of this kind."""
        value = self.tables[table][key]
        if not isinstance(value, kind):
            raise self.mistake(table, key, f"[{table}] {key} must be {EXPECTED[kind]}")
        return value

    def mistake(self, table: str, key: str, what: str) -> NpnError:
        """The error for a key of a table, with the line on which it stands."""
        return NpnError(f"{self.path}, line {self._line(table, key)}: {what}")

    def _line(self, table: str, key: str) -> int:
        """The line of a key below its table's heading; that of the heading, or the first, where
        the table is written in another way."""
        current, found = "", 1
        for number, line in enumerate(self.text.splitlines(), start=1):
            if line.lstrip().startswith("["):
                current = line.partition("#")[0].strip(" \t[]").replace('"', "")
                if current == table:
                    found = number
            elif current == table and line.partition("=")[0].strip().strip('"') == key:
                return number
        return found


def read_document(path: Path) -> LexiconDocument:
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NpnError(f"{path} is not a lexicon file: it is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        place = PLACE.search(str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise NpnError(f"{path}, line {line}: is not TOML: {error}") from error
    except RecursionError as error:
        raise NpnError(f"{path} is not a lexicon file: it is nested too deeply") from error
    document = LexiconDocument(path, text, {})
    tables = {}
    for name, table in data.items():
        if not isinstance(table, dict):
            raise document.mistake("", name, f'"{name}" stands before the first [table]')
        tables[name] = {key: _with_tuples(value) for key, value in table.items()}
    return replace(document, tables=tables)


def _with_tuples(value: object) -> object:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return value


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
DOUBTFUL = "doubtful"
LISTS = (DOUBTFUL, "also")

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


def _action(document: LexiconDocument, name: str, end_states: States) -> Action:
    changes: dict[str, str] = {}
    defaults: dict[str, str] = {}
    marks: dict[str, Any] = {}
    for key in document.tables[name]:
        type = key.removeprefix(DEFAULT)
        if type in end_states:
            end = document.value(name, key, str)
            if end not in end_states[type] and (end or key != type):
                what = f'[{name}] {key} = "{end}" is no end state of {type}'
                raise document.mistake(name, key, what + nearest(end, end_states[type]))
            (changes if key == type else defaults)[type] = end
        elif key in FLAGS:
            marks[key] = document.value(name, key, bool)
        elif key in LISTS:
            marks[key] = document.value(name, key, tuple)
        else:
            known = [*end_states, *(DEFAULT + type for type in end_states), *FLAGS, *LISTS]
            what = f'[{name}] has the unknown key "{key}"{nearest(key, known)}'
            raise document.mistake(name, key, f"{what}; the types are {', '.join(end_states)}")
    doubtful = marks.pop(DOUBTFUL, ())
    for type in doubtful:
        if type not in changes:
            what = f'[{name}] doubts "{type}" but does not change it'
            raise document.mistake(name, DOUBTFUL, what)
    return Action(name, changes, defaults, frozenset(doubtful), **marks)


def read_end_states(path: Path) -> tuple[States, States]:
    """The end states by type and name, and by type and any word for them."""
    document = read_document(path)
    types = [name for name in document.tables if name != DOUBTFUL]
    if not types:
        raise NpnError(f"{path} holds no type of state change: it has a [table] for each")
    doubtful = _doubtful(document, types)
    states: dict[str, dict[str, EndState]] = {}
    word_forms: dict[str, dict[str, EndState]] = {}
    for type in types:
        names = document.tables[type]
        states[type] = known = {name: EndState(name, (type, name) in doubtful) for name in names}
        forms = {form: known[name] for form, name in _words(document, type).items()}
        word_forms[type] = {plural(form): state for form, state in forms.items()} | forms
    return states, word_forms


def _doubtful(document: LexiconDocument, types: Sequence[str]) -> set[tuple[str, str]]:
    """The doubtful end states, each with its type."""
    doubtful: set[tuple[str, str]] = set()
    for type in document.tables.get(DOUBTFUL, ()):
        if type not in types:
            what = f'[{DOUBTFUL}] "{type}" is not a type of this file'
            raise document.mistake(DOUBTFUL, type, what)
        for name in document.value(DOUBTFUL, type, tuple):
            if name not in document.tables[type]:
                what = f'[{DOUBTFUL}] "{name}" is no end state of {type}'
                raise document.mistake(DOUBTFUL, type, what)
            doubtful.add((type, name))
    return doubtful


def _words(document: LexiconDocument, type: str) -> dict[str, str]:
    """The end state for each word of a type."""
    words = {name: name for name in document.tables[type]}
    for name in document.tables[type]:
        for other in document.value(type, name, tuple):
            if other in words:
                what = f'[{type}] "{other}" is a word for "{words[other]}" already'
                raise document.mistake(type, name, what)
            words[other] = name
    return words


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
