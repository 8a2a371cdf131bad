"""What an ingredient's own line says of its state: "melted butter", "cold water", "cooked rice"."""

from __future__ import annotations

from npn.knowledge.lexicon import Lexicon
from npn.language.tokens import words
from npn.language.verbs import verb_base, verb_form

# What a participle tells of now: chopped nuts are still in pieces, toasted ones no longer hot.
SHARP = frozenset("pepper peppers chile chiles chili chilies sauce mustard curry".split())
LASTING = ("shape", "cookedness", "cleanliness")
TOLD = frozenset({"temperature", "cookedness"})  # in words of their own: "cold", "raw"


def first_state(line: str, lexicon: Lexicon) -> dict[str, str]:
    """The end states that stand in an ingredient line, by type."""
    state: dict[str, str] = {}
    text = words(line)
    told = [(type, forms) for type, forms in lexicon.forms.items() if type in TOLD]
    for i, word in enumerate(text):
        if "participle" in verb_form(word):
            action = lexicon.action(verb_base(word) or "")
            for type in LASTING if action else ():
                end_state = action.changes.get(type) if action else None
                if end_state and action and type not in action.doubtful:
                    state[type] = end_state
        pair = " ".join(text[i : i + 2])
        for type, forms in told:
            found = forms.get(pair) or forms.get(word)
            if found is not None and SHARP.isdisjoint(text[i + 1 : i + 2]):
                state[type] = found.name
    return state
