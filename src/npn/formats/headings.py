"""Headings of the parts of a recipe: "For the sauce", "Poolish (night before)", "To assemble".

A heading is never an ingredient or a step; it is the section of the lines below it. Some lines are
headings by themselves: they are marked ("## Sauce", "--- SAUCE ---", "**Sauce**"), end with a
colon, or are worded so ("For the sauce"). Others are only seen among their neighbours, which
`heading_places.py` looks at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from npn.formats.text_lines import has_amount

_MARKED = re.compile(
    r"#{1,6}\s{0,9}[^\W\d]"  # Markdown, and Nextcloud Cookbook
    r"|(\*\*|__)[^*_\d]{2,60}:?\1:?$"
    r"|(?:M{5}|[-=~]{2})[-=~_ ]{0,70}[^\W_][^-=~]{0,58}[-=~]{2,70}\s{0,9}$"
)
_SIGNS = "#*_=~- \t:"
_LONGEST = 70
BRACKETS = re.compile(r"\([^()]{0,60}\)")
SEPARATORS = re.compile(r"[,;:.!?\d½¼¾⅓⅔]")

# "To serve", "To assemble the cake": never "to taste".
_PURPOSES = frozenset(
    """assemble serve finish garnish decorate top coat fry dust glaze fill cook bake make prepare
    complete brush roll build bread marinate season accompany""".split()
)
# Nouns that name a part of a dish and, alone, nothing that is bought.
PARTS = frozenset(
    """dough doughs sauce sauces topping toppings filling fillings frosting icing glaze marinade
    dressing vinaigrette batter crust crusts base garnish garnishes assembly stuffing coating
    breading rub brine poolish levain biga preferment sponge tangzhong soaker crumble streusel
    ganache layer layers mixture finish finishing serving extras add-ins mix-ins accompaniments
    decoration decorations""".split()
)
# With these beside them they may be: "pie crust" and "tomato sauce" are bought too.
DISHES = frozenset(
    """cake cakes cupcakes pie tart pastry salad soup stew slaw syrup gravy custard meringue compote
    salsa pesto curd bowl bowls burgers patties meatballs dumplings drizzle seasoning bread buns
    starter""".split()
)
_QUALIFIERS = frozenset(
    """final main first second third basic quick simple the my our optional homemade top bottom
    middle inner outer and & or day before night overnight sweet savory savoury creamy""".split()
)
# Lines without an amount that stand first in a group as often as anywhere.
STAPLES = frozenset(
    """salt pepper oil butter water sugar flour milk egg eggs ice parsley cilantro coriander basil
    chives mint dill spray lemon lime wedges cream cheese rice bread honey paprika cinnamon
    cumin nutmeg seasoning garlic onion onions vinegar mustard mayonnaise ketchup""".split()
)


def heading_text(line: str) -> str:
    """The words of a heading without its marks: "**Sauce:**" is "Sauce"."""
    return line.strip().removeprefix("MMMMM").strip(_SIGNS)


def is_clear_heading(text: str, shouted: bool = False) -> bool:
    """Whether a line is a heading whatever stands around it. In a text that is `shouted`, in
    capitals throughout, capitals mark none."""
    text = text.strip()
    if not text or len(text) > _LONGEST + 10:
        return False
    if is_marked(text):
        return True
    words = text.lower().rstrip(":").split()
    if len(text) > _LONGEST or has_amount(text) or not any(map(str.isalpha, text)):
        return False
    if text.endswith(":"):
        return len(words) <= 6 or (words[0] in ("for", "to") and len(words) <= 10)
    return is_purpose(text) or (not shouted and _is_in_capitals(text, words))


def is_marked(text: str) -> bool:
    """Whether a line is set as a heading: "## Sauce", "**Sauce**", "--- SAUCE ---"."""
    return _MARKED.match(text) is not None


def is_purpose(text: str) -> bool:
    """ "For the sauce", "To serve", "To assemble the cake"; not "For dusting, flour"."""
    words = text.lower().rstrip(":").split()
    if not words or len(text) > _LONGEST or SEPARATORS.search(without_brackets(text)):
        return False
    if words[0] == "for":
        return 2 <= len(words) <= 7 and (words[1] == "the" or len(words) <= 3)
    if words[0] == "to":
        named = len(words) > 1 and words[1] in _PURPOSES
        return named and (len(words) == 2 or (words[2] in ("the", "your") and len(words) <= 7))
    return False


def _is_in_capitals(text: str, words: Sequence[str]) -> bool:
    bare = without_brackets(text)
    if not bare.isupper() or len(words) > 6 or SEPARATORS.search(bare):
        return False
    known = not PARTS.union(DISHES).isdisjoint(words)
    return known or (len(bare) > 4 and words[-1] not in STAPLES)


def names_a_part(text: str) -> bool:
    """ "Sauce", "Final dough", "Poolish (night before)"; not "pie crust", which is bought."""
    words = set(without_brackets(text).lower().split())
    return not words.isdisjoint(PARTS) and words <= PARTS | _QUALIFIERS


def without_brackets(text: str) -> str:
    return BRACKETS.sub("", text).strip()
