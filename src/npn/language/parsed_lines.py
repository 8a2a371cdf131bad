"""An ingredient line taken apart: how much of what, and what else it says.

"1/2 cup cold unsalted butter, cubed (optional)" is 0.5 cup with the note "cold, cubed", the food
"unsalted butter", the short name "butter", and optional.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from npn.language.foods import (
    ENDLESS,
    Food,
    describes_food,
    join_describing,
    joins_food,
    read_segment,
    split_segments,
)
from npn.language.line_words import PREPARATIONS, kind_of
from npn.language.measures import (
    NOTHING,
    AmountNote,
    Measure,
    has_number,
    is_measured,
    read_measure,
    read_plain,
    read_plus,
    read_size,
)
from npn.language.names import IngredientNames, name_ingredient
from npn.language.quantities import ONLY_AFTER, PACKAGES, SPELLINGS, UNITS_AFTER
from npn.language.words import Words, find_words, skip, word_at, words_of
from npn.recipe import Amount, Ingredient

_LONGEST = 1_000  # characters: what follows in a longer line is not read
_BULLETS = frozenset({"-", "–", "—", "--", "*", "•", "·", "▢", "□", "+", ">"})
_OPTIONAL = frozenset({"optional", "opt", "optionally"})
_IF_WANTED = words_of("desired wanted using like liked wished available")
_PARTS = words_of("juice zest rind peel juices zests")
_BEFORE_PARTS = PREPARATIONS | _PARTS | {"and", "&", "fresh", "freshly", "the", ",", "or"}


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """`food` is for shopping ("unsalted butter"), `name` the short name of the steps ("butter")."""

    amount: Amount
    food: str
    name: str
    optional: bool = False


@lru_cache(maxsize=8_192)
def parse_line(line: str) -> ParsedLine:
    """The amount, the food and the remarks of one ingredient line."""
    named = name_ingredient(line)
    if not named.names and not line[:_LONGEST].strip():
        return ParsedLine(NOTHING, "", "")
    return _LineReader(find_words(line[:_LONGEST]), named).read()


class _LineReader:
    """Reads a line once from left to right, and gathers its remarks."""

    def __init__(self, text: Words, named: IngredientNames) -> None:
        self.text = text
        self.named = named
        self.amount = NOTHING
        self.optional = False
        self.notes: list[AmountNote] = []

    def read(self) -> ParsedLine:
        start = self._read_part(self._read_opening())
        measure = read_measure(self.text, start)
        if measure is not None:
            self._take(measure)
            start = measure.end
        start = self._read_each(start)
        places = self._read_brackets(start)
        food = self._read_food(places)
        if not food:
            food = self._unit_as_food() or self.named.name
        self._forget_number_to_taste()
        return ParsedLine(self._noted(), food, self.named.name, self.optional)

    def _take(self, measure: Measure) -> None:
        self.amount = measure.amount
        self.notes += measure.notes
        if measure.amount.unit == "centiliter" and "garlic" in self.text.lower:
            self.amount = replace(measure.amount, unit="clove")  # Meal-Master's "cl"

    def _read_opening(self) -> int:
        """The word after a bullet and "Optional:"."""
        words = self.text.lower
        i = 0
        while i < len(words) and words[i] in _BULLETS:
            i += 1
        if i + 1 < len(words) and words[i] in _OPTIONAL:
            self.optional = True
            i = skip(words, i + 1, ":", "-", ",")
        return i

    def _read_part(self, i: int) -> int:
        """The word after "Juice of", which is a remark on what follows."""
        words = self.text.lower
        end = i
        while end < len(words) and words[end] in _BEFORE_PARTS:
            end += 1
        if end > i and words[end - 1] in _PARTS and word_at(words, end) in ("of", "from"):
            self.notes.append(AmountNote(i, self.text.quote(i, end)))
            return end + 1
        return i

    def _read_each(self, i: int) -> int:
        words = self.text.lower
        if self.amount.quantity is not None and word_at(words, i) == "each":
            self.notes.append(AmountNote(i, self.text.quote(i, i + 1)))
            i = skip(words, i + 1, ":", "of")
        return i

    def _read_brackets(self, start: int) -> list[int]:
        """The places outside brackets; what stands in brackets is read here."""
        places: list[int] = []
        depth, opened = 0, start
        for i in range(start, len(self.text.lower)):
            word = self.text.lower[i]
            if word in ("(", "["):
                if not depth:
                    opened = i + 1
                depth += 1
            elif word in (")", "]"):
                if depth == 1:
                    self._read_bracket(opened, i)
                depth = max(depth - 1, 0)
            elif not depth:
                places.append(i)
        if depth:
            self._read_bracket(opened, len(self.text.lower))
        return places

    def _read_bracket(self, start: int, end: int) -> None:
        words = self.text.lower[:end]
        size = read_size(words, start)
        rest = words[size.end :] if size is not None else words
        if size is not None and (rest == ["each"] or (not rest and self.amount.unit in PACKAGES)):
            self.amount = replace(self.amount, package=self.amount.package or size.amount)
        elif is_measured(self.amount) and self._is_other_units(words, start):
            return
        else:
            self._note(list(range(start, end)))

    def _is_other_units(self, words: Sequence[str], start: int) -> bool:
        """Whether nothing but amounts stands here: "(200 g)", "(200 g / 7 oz)"."""
        i = start
        while i < len(words):
            other = read_plain(words, i)
            if other is None or not is_measured(other.amount):
                return False
            i = skip(words, other.end, "/", ";", ",", "or")
        return i > start

    def _note(self, places: Sequence[int]) -> None:
        """A remark; "optional" and "if desired" are none, but say that it is optional."""
        words = self.text.lower
        kept = [i for i in places if words[i] not in _OPTIONAL]
        if len(kept) < len(places):
            self.optional = True
            if len(kept) < 2:
                return
        if len(kept) in (2, 3) and words[kept[0]] == "if" and words[kept[-1]] in _IF_WANTED:
            self.optional = True
            return
        while kept and not words[kept[0]][0].isalnum() and words[kept[0]][0] not in ".~":
            kept = kept[1:]
        while kept and (words[kept[-1]] in (",", ";", ".", ":", "-", "*", "of") and len(kept) > 1):
            kept = kept[:-1]
        if kept:
            more = words[: kept[0]][-1:] == ["+"] and has_number(words, kept[0])
            quote = self.text.quote(kept[0], kept[-1] + 1)
            self.notes.append(AmountNote(kept[0], f"plus {quote}" if more else quote))

    def _read_food(self, places: Sequence[int]) -> str:
        text = self.text
        segments = join_describing(text, split_segments(text, places))
        if not segments:
            return ""
        food = Food(text, self.amount.unit in PACKAGES)
        read_segment(food, segments[0])
        before: list[str] = []
        after = ""
        named = {word for name in self.named.names for word in name.words}
        for segment in segments[1:]:
            segment = self._read_amount_in(segment)
            if not segment:
                continue
            if self._is_remark(segment):
                self._note(segment)
            elif describes_food(text, segment):
                before.append(text.quote(segment[0], segment[-1] + 1).lower())
            elif joins_food(food, segment, named):
                after = self._join(food, segment, before, after)
            else:
                self._note(segment)
        for places in food.remarks:
            self._note(places)
        spelled = self._unit_after(food.spelled())
        return " ".join([*before, spelled]) + after if spelled else ""

    def _is_remark(self, segment: Sequence[int]) -> bool:
        """A segment that names nothing, whatever its words: "optional", "juice of", "plus more"."""
        words = self.text.lower
        first, last = words[segment[0]], words[segment[-1]]
        if first in ("and", "or") and len(segment) > 1:
            second = segment[1]
            return words[second] in ENDLESS or has_number(words, second)
        return first == "plus" or last == "of" or any(words[i] in _OPTIONAL for i in segment)

    def _join(self, food: Food, segment: list[int], before: list[str], after: str) -> str:
        """Put a segment that goes on naming to the food: before it ("Sugar; brown") or after it
        ("thyme, basil and sage")."""
        words = self.text.lower
        joined = words[segment[0]] in ("and", "or", "&")
        more = Food(self.text, food.packed)
        read_segment(more, segment[1:] if joined else segment)
        food.remarks += more.remarks
        if len(self.named.names) < 2 and not joined:
            before.insert(0, more.spelled())
            return after
        if joined:
            return f"{after} {'or' if words[segment[0]] == 'or' else 'and'} {more.spelled()}"
        last = segment[-1] == len(words) - 1 and not {"and", "&"} & set(words)
        return f"{after} and {more.spelled()}" if last else f"{after}, {more.spelled()}"

    def _read_amount_in(self, segment: list[int]) -> list[int]:
        """The segment without an amount that it begins with: "Butter, 2 tablespoons", or "flour,
        plus 1/4 cup for rolling"."""
        words = self.text.lower[: segment[-1] + 1]
        if words[segment[0]] == "plus" and self.amount.plus is None:
            plus = read_plus(words, segment[0], self.amount.unit)
            if plus is not None and self.amount.quantity is not None:
                self.amount = replace(self.amount, plus=plus.amount)
                return [i for i in segment if i >= plus.end]
        if self.amount.quantity is None and self.amount.unit is None:
            return self._read_late_amount(segment, words)
        if is_measured(self.amount) and self._is_other_units(words, segment[0]):
            return []
        return segment

    def _read_late_amount(self, segment: list[int], words: Sequence[str]) -> list[int]:
        first = segment[0]
        if len(segment) == 1 and words[first] in SPELLINGS and len(words[first]) > 2:
            self.amount = Amount(1.0, unit=SPELLINGS[words[first]])
            return []
        measure = read_measure(self.text, first)
        if measure is None or measure.end <= segment[-1]:
            return segment
        self._take(measure)
        return []

    def _unit_after(self, food: str) -> str:
        """ "garlic cloves" counts cloves of garlic."""
        rest, _, last = food.rpartition(" ")
        unit = UNITS_AFTER.get(last)
        if unit is None or not rest or self.amount.unit or self.amount.quantity is None:
            return food
        only = ONLY_AFTER.get(unit)
        if only is not None and not rest.endswith(only):
            return food
        self.amount = replace(self.amount, unit=unit)
        return rest

    def _unit_as_food(self) -> str:
        """ "4 cloves" are a spice: nothing else is named."""
        unit = self.amount.unit
        if unit is None or is_measured(self.amount):
            return ""
        self.amount = replace(self.amount, unit=None)
        words = [word for word in self.text.lower if SPELLINGS.get(word) == unit]
        return words[-1] if words else unit

    def _forget_number_to_taste(self) -> None:
        """ "1 x Salt, to taste" has no quantity; "1 carrot, or more to taste" has."""
        notes = [note.text.lower() for note in self.notes]
        to_taste = any(n.endswith("to taste") and not n.endswith("more to taste") for n in notes)
        if to_taste and replace(self.amount, plus=None) == Amount(1):
            self.amount = replace(self.amount, quantity=None)

    def _noted(self) -> Amount:
        if not self.notes:
            return self.amount
        return replace(self.amount, note=", ".join(note.text for note in sorted(self.notes)))


# -- An ingredient with all that its line says of it, also of a second food in it.

_JOINING = frozenset({"plus", "and", "+", "&"})
_NO_FOOD = frozenset({"more", "extra", "additional", "another", "or", "each"})
_MOST_WORDS = 3  # of a food; of more, it is a remark


def describe(ingredient: Ingredient) -> Ingredient:
    """The ingredient with its name, food, amount and whether it is optional, from its line; what
    the source gave of these stays."""
    if ingredient.name and ingredient.food and ingredient.amount is not None:
        return ingredient
    parsed = parse_line(ingredient.text)
    return replace(
        ingredient,
        name=ingredient.name or parsed.name,
        food=ingredient.food or parsed.food,
        amount=parsed.amount if ingredient.amount is None else ingredient.amount,
        optional=ingredient.optional or parsed.optional,
    )


def describe_all(ingredients: Iterable[Ingredient]) -> tuple[Ingredient, ...]:
    """Each of the ingredients, described: what a trace lists."""
    return tuple([describe(one) for one in ingredients])


# -- A second food that a line has beside its first: the yolk of "2 eggs plus 1 yolk".


class SecondFood(NamedTuple):
    """How much of what a line has besides."""

    amount: Amount
    food: str


def second_food(note: str | None) -> SecondFood | None:
    """The second food of a line, which is told among its remarks: "large, plus 1 yolk" has a yolk.
    None where there is none: "plus 1 for the top" is more of the same."""
    for remark in (note or "").split(", "):
        words = find_words(remark)
        if not words.lower or words.lower[0] not in _JOINING:
            continue
        found = read_plain(words.lower, 1)
        if found is None or found.amount.quantity is None:
            continue
        rest = words.lower[found.end :]
        if 1 <= len(rest) <= _MOST_WORDS and all(map(_may_name, rest)):
            return SecondFood(found.amount, words.quote(found.end, len(words.lower)).lower())
    return None


def _may_name(word: str) -> bool:
    return word[0].isalpha() and word not in _NO_FOOD and kind_of(word) != "stop"
