"""What an ingredient's own line says of its state: "melted butter", "cold water", "cooked rice"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from npn.knowledge.lexicon import Lexicon
from npn.language.remembered import Remembered
from npn.language.tokens import words
from npn.language.verbs import verb_base, verb_form

# What a participle tells of now: chopped nuts are still in pieces, toasted ones no longer hot.
SHARP = frozenset("pepper peppers chile chiles chili chilies sauce mustard curry".split())
LASTING = ("shape", "cookedness", "cleanliness")
TOLD = frozenset({"temperature", "cookedness"})  # in words of their own: "cold", "raw"


class Telling(NamedTuple):
    """What a word tells: the end states that it gives by itself, and whether it is, or opens, a
    word for one ("cold", "room temperature")."""

    lasting: Mapping[str, str]
    opening: bool


class FirstStates(Remembered[Mapping[str, str]]):
    """Made once for a lexicon; of a line, the end states that stand in it, by type."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(self._find)
        self._lexicon = lexicon
        self._told = [(type, forms) for type, forms in lexicon.forms.items() if type in TOLD]
        self._opening = frozenset(
            [form.partition(" ")[0] for _, forms in self._told for form in forms]
        )
        self._telling = Remembered(self._told_by)

    def _find(self, line: str) -> Mapping[str, str]:
        text = words(line)
        telling = list(map(self._telling.__getitem__, text))
        if not any(telling):
            return {}
        state: dict[str, str] = {}
        for i, tells in enumerate(telling):
            if tells is None:
                continue
            state.update(tells.lasting)
            if tells.opening and SHARP.isdisjoint(text[i + 1 : i + 2]):
                pair = " ".join(text[i : i + 2])
                for type, forms in self._told:
                    found = forms.get(pair) or forms.get(text[i])
                    if found is not None:
                        state[type] = found.name
        return state

    def _told_by(self, word: str) -> Telling | None:
        telling = Telling(self._find_lasting(word), word in self._opening)
        return telling if telling.lasting or telling.opening else None

    def _find_lasting(self, word: str) -> dict[str, str]:
        """What a participle tells of now."""
        action = self._lexicon.action(verb_base(word) or "")
        if action is None or "participle" not in verb_form(word):
            return {}
        return {type: action.certain[type] for type in LASTING if action.certain.get(type)}
