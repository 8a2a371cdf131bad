"""A trace in words, and in signs: what the table and the Markdown page both say of ingredients and
amounts, and their matrix of ingredients by steps. Of mixtures and of what becomes of them speaks
`piles`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from npn.language.amounts import format_amount, format_part, format_yield, scale
from npn.language.parsed_lines import second_food
from npn.recipe import Amount, Ingredient
from npn.trace import STATE_TYPES, StateChange, Trace, Use

# What a terminal would obey instead of show: control characters, and marks that turn the writing
# direction of what follows.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
FOR_THE = re.compile(r"^for (?:the )?|:$", re.IGNORECASE)
NEAR = 0.02
# The space in "1 1/3" and "1 ½": broken there, a line would begin with "1/3 cup".
IN_MIXED_NUMBER = re.compile(r"(?<=[0-9]) (?=[0-9]+[/⁄][0-9]|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")


def plain(text: str) -> str:
    """`text` on one line, with nothing in it that a terminal would obey."""
    return UNSEEN.sub("\ufffd", " ".join(text.split()))


def title(trace: Trace) -> str:
    return plain(trace.title) or "Untitled recipe"


def summary(trace: Trace) -> str:
    made = f"{plain(format_yield(trace.yields))}, " if trace.yields else ""
    return (
        f"{made}{count(len(trace.ingredients), 'ingredient')}, "
        f"{count(len(trace.steps), 'step')}, tracked by {plain(trace.model)}"
    )


def count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def ingredient_names(trace: Trace) -> list[str]:
    """A short name for each ingredient, no two alike. Two sugars are told apart by what a shopper
    calls them, or by their sections ("sugar (sauce)"), or else the second is "sugar (2)"."""
    names = [plain(one.name) or plain(one.text) or "?" for one in trace.ingredients]
    same_name: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        same_name.setdefault(name, []).append(i)
    for name, who in same_name.items():
        if len(who) > 1:
            better_names = _distinguished(name, [trace.ingredients[i] for i in who])
            for i, better in zip(who, better_names, strict=True):
                names[i] = better
    seen: Counter[str] = Counter()
    for i, name in enumerate(names):
        seen[name] += 1
        names[i] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def _distinguished(name: str, ingredients: Sequence[Ingredient]) -> list[str]:
    """Names for ingredients of one name: as they are, where nothing tells them apart."""
    foods = [plain(one.food) for one in ingredients]
    if all(foods) and len(set(foods)) == len(foods):
        return foods
    sections = [FOR_THE.sub("", plain(one.section or "")) for one in ingredients]
    if len(set(sections)) == len(sections):
        return [f"{name} ({section})" if section else name for section in sections]
    return [name] * len(ingredients)


def taken(
    trace: Trace,
    names: list[str],
    show: Callable[[Amount | None], str] | None = None,
    quote: Callable[[str], str] | None = None,
) -> list[list[str]]:
    """For each step what it takes from the list, a phrase each: "2 tablespoons sugar", "half of
    the oil: 1 tablespoon". `show` writes an amount and `quote` a name, for a form with markup."""
    show, quote = show or amount_text, quote or plain
    times = Counter(use.ingredient for step in trace.steps for use in step.uses)
    left = dict.fromkeys(times, 1.0)
    found = []
    for step in trace.steps:
        phrases = []
        for use in step.uses:
            i = use.ingredient
            rest = left[i] < 1 and use.fraction is not None and use.fraction >= left[i] - NEAR
            left[i] -= use.fraction or 0
            ingredient = trace.ingredients[i]
            divided = times[i] > 1
            amount = show(_amount(use, ingredient, divided))
            part = _share(use, divided, rest)
            if amount and not part:  # "2 eggs", as the line has it, where the name is "egg"
                besides = "" if divided else _besides(ingredient, show, quote)
                phrases.append(f"{amount} {quote(ingredient.food or names[i])}{besides}")
            elif amount and "%" in part:  # "1/4 cup of the milk" says more than "12 %" of it
                phrases.append(f"{amount} of the {quote(names[i])}")
            else:
                phrases.append(part + quote(names[i]) + (f": {amount}" if amount else ""))
        found.append(phrases)
    return found


def _besides(
    ingredient: Ingredient, show: Callable[[Amount | None], str], quote: Callable[[str], str]
) -> str:
    """What there is of a second food in a line: " plus 1 yolk" after "2 eggs"."""
    more = second_food(ingredient.amount.note) if ingredient.amount else None
    return f" plus {show(more.amount)} {quote(more.food)}" if more else ""


def _amount(use: Use, ingredient: Ingredient, divided: bool) -> Amount | None:
    """How much a use takes: as the step says, or as its part of the line's amount is."""
    if use.amount is not None:
        return replace(use.amount, note="each") if is_of_each(ingredient.amount) else use.amount
    if use.fraction is None:
        return None if divided else ingredient.amount
    return scale(ingredient.amount, use.fraction) if ingredient.amount else None


def _share(use: Use, divided: bool, rest: bool) -> str:
    """The part of the line that a use takes, in words; empty where it takes all."""
    if use.fraction is None:
        return "some " if divided and use.amount is None else ""
    if use.fraction >= 1:
        return ""
    return f"{'the rest' if rest else format_part(use.fraction)} of the "


def amount_text(amount: Amount | None) -> str:
    """An amount for people, without its note, but "1 teaspoon each" of what it is the amount of
    each; empty where nothing is known."""
    text = plain(format_amount(amount)) if amount is not None else ""
    return f"{text} each" if text and is_of_each(amount) else text


def is_of_each(amount: Amount | None) -> bool:
    """Whether there is so much of every food in the line: "1 tsp each baking soda and salt"."""
    return amount is not None and "each" in (amount.note or "").lower().split(", ")


def end_state(type: str, end: str) -> str:
    return "room temperature" if (type, end) == ("temperature", "room") else plain(end)


def change_text(change: StateChange) -> str:
    """What a change leads to: "hot", "→ oven"."""
    arrow = "→ " if change.type == "location" else ""
    return arrow + end_state(change.type, change.end_state)


def in_order(state: dict[str, str]) -> list[str]:
    """The end states of one ingredient, in the order of the types."""
    types = [*STATE_TYPES, *(type for type in state if type not in STATE_TYPES)]
    return [end_state(type, state[type]) for type in types if type in state]


def remarks(trace: Trace, names: list[str]) -> list[str]:
    """Sentences on the ingredients that no step uses, and on the food that the list lacks."""
    return [one for one in (never_used(trace, names), unlisted(trace)) if one]


def never_used(trace: Trace, names: list[str]) -> str:
    """The ingredients that no step uses, as a sentence; empty where there are none."""
    used = {i for step in trace.steps for i in step.entities}
    used |= {use.ingredient for step in trace.steps for use in step.uses}
    left = [name for i, name in enumerate(names) if i not in used]
    return f"Never used: {', '.join(left)}." if left else ""


def unlisted(trace: Trace) -> str:
    """The food that the list lacks, as a sentence; empty where there is none."""
    return f"Not in the list: {', '.join(map(plain, trace.unlisted))}." if trace.unlisted else ""


# -- Ingredients by steps in marks: the life of each ingredient on one line.

MOST_CELLS = 4_000  # a larger matrix is no longer something to look at


@dataclass(frozen=True, slots=True)
class CellMark:
    """One sign in a cell; `type` is the kind of state that changed, or empty."""

    sign: str
    meaning: str
    type: str = ""


TOUCHED = CellMark("•", "acted on")
MOVED = CellMark(">", "moved", "location")
CHANGES = {
    mark.meaning: mark
    for mark in (
        CellMark("c", "cooked", "cookedness"),
        CellMark("r", "raw", "cookedness"),
        CellMark("^", "hot", "temperature"),
        CellMark("v", "cold", "temperature"),
        CellMark("=", "room temperature", "temperature"),
        CellMark("+", "composed", "composition"),
        CellMark("-", "not composed", "composition"),
        CellMark("/", "separated", "shape"),
        CellMark("o", "molded", "shape"),
        CellMark("!", "hit", "shape"),
        CellMark("~", "deformed", "shape"),
        CellMark("w", "clean", "cleanliness"),
        CellMark("d", "dirty", "cleanliness"),
        CellMark("y", "dry", "cleanliness"),
    )
}

Row = Sequence[tuple[CellMark, ...]]


def matrix(trace: Trace) -> list[Row] | None:
    """For each ingredient, for each step: what happened to it there. None where there is too much
    to look at."""
    if len(trace.ingredients) * len(trace.steps) > MOST_CELLS:
        return None
    rows: list[list[tuple[CellMark, ...]]] = [[()] * len(trace.steps) for _ in trace.ingredients]
    for number, step in enumerate(trace.steps):
        for i in step.entities:
            rows[i][number] = (TOUCHED,)
        marks: dict[int, dict[str, CellMark]] = {}
        for change in sorted(step.changes, key=order_in_cell):
            for i in change.ingredients:
                one = mark(change)
                marks.setdefault(i, {})[one.sign] = one
        for i, several in marks.items():
            rows[i][number] = tuple(several.values())
    return [*rows]


def order_in_cell(change: StateChange) -> int:
    """Marks in a cell stand in the order of the state types."""
    return STATE_TYPES.index(change.type) if change.type in STATE_TYPES else len(STATE_TYPES)


def mark(change: StateChange) -> CellMark:
    """A lexicon of one's own may have other types and end states: those are all one mark."""
    if change.type == "location":
        return MOVED
    meaning = end_state(change.type, change.end_state)
    return CHANGES.get(meaning, CellMark("*", "another change", change.type))


def legend(rows: Sequence[Row]) -> list[CellMark]:
    """Each mark in the matrix once."""
    return list({mark.sign: mark for row in rows for cell in row for mark in cell}.values())


def blocks(steps: int, at_once: int) -> list[range]:
    """Columns to show side by side, `at_once` at a time."""
    return [range(first, min(first + at_once, steps)) for first in range(0, steps, at_once)]
