"""What an ingredient's own line says of its state: "melted butter", "cold water", "cooked rice"."""

from __future__ import annotations

from npn.knowledge.lexicon import Lexicon
from npn.language.remembered import Remembered
from npn.language.tokens import words
from npn.language.verbs import verb_base, verb_form

# What a participle tells of now: chopped nuts are still in pieces, toasted ones no longer hot.
SHARP = frozenset("pepper peppers chile chiles chili chilies sauce mustard curry".split())
LASTING = ("shape", "cookedness", "cleanliness")
TOLD = frozenset({"temperature", "cookedness"})  # in words of their own: "cold", "raw"


class FirstStates(Remembered[dict[str, str]]):
    """Made once for a lexicon; of a line, the end states that stand in it, by type."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(self._find)
        self._lexicon = lexicon
        self._told = [(type, forms) for type, forms in lexicon.forms.items() if type in TOLD]
        self._opening = frozenset(
            [form.partition(" ")[0] for _, forms in self._told for form in forms]
        )
        self._lasting = Remembered(self._find_lasting)

    def _find(self, line: str) -> dict[str, str]:
        state: dict[str, str] = {}
        text = words(line)
        opening = self._opening
        for i, lasting in enumerate(map(self._lasting.__getitem__, text)):
            if lasting:
                state.update(lasting)
            if text[i] in opening:
                pair = " ".join(text[i : i + 2])
                for type, forms in self._told:
                    found = forms.get(pair) or forms.get(text[i])
                    if found is not None and SHARP.isdisjoint(text[i + 1 : i + 2]):
                        state[type] = found.name
        return state

    def _find_lasting(self, word: str) -> dict[str, str]:
        """What a participle tells of now."""
        action = self._lexicon.action(verb_base(word) or "")
        if action is None or "participle" not in verb_form(word):
            return {}
        ends = [(type, action.changes.get(type)) for type in LASTING]
        return {type: end for type, end in ends if end and type not in action.doubtful}
