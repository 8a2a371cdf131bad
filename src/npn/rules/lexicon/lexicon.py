"""What the program knows about actions: which types of state each changes, and to which end state.

The knowledge lies in two files, actions.toml and end_states.toml. Those of cooking ship with the
package; another domain brings its own, and with them its own types and end states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from npn.errors import NpnError
from npn.language.verbs import verb_base

HERE = Path(__file__).parent
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


def load_lexicon(actions: Path | None = None, end_states: Path | None = None) -> Lexicon:
    """The lexicon in two files; where one is not given, it is the one of cooking that ships."""
    if actions is None and end_states is None:
        return _shipped()
    return _read(actions or HERE / "actions.toml", end_states or HERE / "end_states.toml")


def load_lexicon_folder(folder: Path) -> Lexicon:
    """A lexicon of one's own: a folder with actions.toml and end_states.toml."""
    if not folder.is_dir():
        raise NpnError(
            f"{folder} is not a folder: a lexicon is a folder with actions.toml and end_states.toml"
        )
    return _read(folder / "actions.toml", folder / "end_states.toml")


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of an error message: what may have been meant."""
    near = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"; the nearest are {', '.join(near)}" if near else ""


@cache
def _shipped() -> Lexicon:
    return _read(HERE / "actions.toml", HERE / "end_states.toml")


def _read(actions: Path, end_states: Path) -> Lexicon:
    from npn.rules.lexicon.files import read_actions, read_end_states

    states, word_forms = read_end_states(end_states)
    known = read_actions(actions, states)
    spellings = {spelling: action for action in known.values() for spelling in action.also}
    return Lexicon(known, states, word_forms, spellings | known)
