"""What an ingredient's own line says of its state: "melted butter", "cold water", "cooked rice"."""

from __future__ import annotations

from collections.abc import Mapping

from npn.language.verbs import verb_base, verb_form
from npn.language.words import Remembered, words
from npn.rules.lexicon.lexicon import Lexicon

# After "hot", these are no hot food: "hot pepper".
SHARP = frozenset("pepper peppers chile chiles chili chilies sauce mustard curry".split())
# What a participle says of now: chopped nuts are still in pieces, toasted ones no longer hot.
LASTING = ("shape", "cookedness", "cleanliness")
STATED = frozenset({"temperature", "cookedness"})  # in words of their own: "cold", "raw"
PORTIONED = "divided"  # several steps take of it: nothing is done to it yet


class FirstStates(Remembered[Mapping[str, str]]):
    """Made once for a lexicon: `first_states["melted butter"]` are the end states that the line
    states, by type."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(self._find)
        self._lexicon = lexicon
        self._stated = {type: forms for type, forms in lexicon.word_forms.items() if type in STATED}

    def _find(self, line: str) -> Mapping[str, str]:
        text = words(line)
        state: dict[str, str] = {}
        for i, word in enumerate(text):
            if word != PORTIONED:
                state.update(self._lasting(word))
            if SHARP.isdisjoint(text[i + 1 : i + 2]):
                pair = " ".join(text[i : i + 2])
                for type, word_forms in self._stated.items():
                    found = word_forms.get(pair) or word_forms.get(word)
                    if found is not None:
                        state[type] = found.name
        return state

    def _lasting(self, word: str) -> Mapping[str, str]:
        """The end states that a participle states and that last: "chopped" is still separated."""
        action = self._lexicon.action(verb_base(word) or "")
        if action is None or "participle" not in verb_form(word):
            return {}
        return {type: action.certain[type] for type in LASTING if action.certain.get(type)}
