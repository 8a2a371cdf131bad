"""The words of a heading that say what is made under it."""

from __future__ import annotations

from npn.language.lemmas import lemma

PLAIN = frozenset("for the to a an of and with in your make ingredients topping".split())


def heading_words(heading: str | None) -> set[str]:
    """The words of a heading that say what is made, in base form: those of "For the sauces" are
    {"sauce"}."""
    if not heading:
        return set()
    words = "".join(c if c.isalpha() else " " for c in heading.lower()).split()
    return {lemma(word) for word in words if word not in PLAIN}
