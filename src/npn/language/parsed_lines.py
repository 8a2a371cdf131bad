"""An ingredient line taken apart: how much of what, and what else it says.

"1/2 cup cold unsalted butter, cubed (optional)" is 0.5 cup with the note "cold, cubed", the food
"unsalted butter", the short name "butter", and optional.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from npn.language.foods import (
    ENDLESS,
    describes_food,
    joins_food,
    read_segment,
    split_segments,
)
from npn.language.line_words import PREPARATIONS, kind_of
from npn.language.measures import (
    NOTHING,
    AmountNote,
    Measure,
    is_measured,
    read_measure,
    read_plain,
    read_plus,
    read_size,
)
from npn.language.names import IngredientNames, name_ingredient
from npn.language.quantities import ONLY_AFTER, PACKAGES, SPELLINGS, UNITS_AFTER, read_number
from npn.language.words import Words, find_words, skip, word_at, words_of
from npn.recipe import Amount, Ingredient

_LONGEST = 1_000  # characters: what follows in a longer line is not read
_BULLETS = frozenset({"-", "–", "—", "--", "*", "•", "·", "▢", "□", "+", ">"})
_OPTIONAL = frozenset({"optional", "opt", "optionally"})
_IF_WANTED = words_of("desired wanted using like liked wished available")
_NOT_LAST = words_of(", ; . : - * of")  # of a remark
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
    return _LineReader(find_words(line[:_LONGEST]), name_ingredient(line)).read()


@dataclass(slots=True)
class _LineReader:
    """Reads a line once from left to right, and gathers its remarks."""

    text: Words
    named: IngredientNames
    amount: Amount = NOTHING
    optional: bool = False
    notes: list[AmountNote] = field(default_factory=list)

    def read(self) -> ParsedLine:
        start = self._read_part(self._read_opening())
        measure = read_measure(self.text, start)
        if measure is not None:
            self._take(measure)
            start = measure.end
        outside = self._read_brackets(self._read_each(start))
        food = self._read_food(outside) or self._unit_as_food() or self.named.name
        self._forget_number_to_taste()
        note = ", ".join(note.text for note in sorted(self.notes)) or None
        return ParsedLine(replace(self.amount, note=note), food, self.named.name, self.optional)

    def _take(self, measure: Measure) -> None:
        self.amount = measure.amount
        self.notes += measure.notes
        if measure.amount.unit == "centiliter" and "garlic" in self.text.lower:
            self.amount = replace(measure.amount, unit="clove")  # Meal-Master's "cl"

    def _read_opening(self) -> int:
        """The word after a bullet and "Optional:"."""
        words = self.text.lower
        i = 0
        while word_at(words, i) in _BULLETS:
            i += 1
        if i + 1 < len(words) and words[i] in _OPTIONAL:
            self.optional = True
            i = skip(words, i + 1, ":", "-", ",")
        return i

    def _read_part(self, i: int) -> int:
        """The word after "Juice of", which is a remark on what follows."""
        words = self.text.lower
        end = i
        while word_at(words, end) in _BEFORE_PARTS:
            end += 1
        if end > i and words[end - 1] in _PARTS and word_at(words, end) in ("of", "from"):
            self._add_note(self.text, i, end)
            return end + 1
        return i

    def _read_each(self, i: int) -> int:
        words = self.text.lower
        if self.amount.quantity is not None and word_at(words, i) == "each":
            self._add_note(self.text, i, i + 1)
            i = skip(words, i + 1, ":", "of")
        return i

    def _read_brackets(self, start: int) -> Words:
        """The words outside brackets; what stands in brackets is read here."""
        outside: list[int] = []
        depth, opened = 0, start
        for i in range(start, len(self.text)):
            word = self.text.lower[i]
            if word in ("(", "["):
                if not depth:
                    opened = i + 1
                depth += 1
            elif word in (")", "]"):
                if depth == 1:
                    self._read_bracket(self.text.at(range(opened, i)))
                depth = max(depth - 1, 0)
            elif not depth:
                outside.append(i)
        if depth:
            self._read_bracket(self.text.at(range(opened, len(self.text))))
        return self.text.at(outside)

    def _read_bracket(self, inside: Words) -> None:
        size = read_size(inside.lower, 0)
        rest = inside.lower[size.end :] if size is not None else []
        if size is not None and (rest == ["each"] or (not rest and self.amount.unit in PACKAGES)):
            self.amount = replace(self.amount, package=self.amount.package or size.amount)
        elif not self._is_other_units(inside.lower):
            self._note(inside)

    def _is_other_units(self, words: Sequence[str]) -> bool:
        """Whether these are nothing but the amount in other units: "200 g / 7 oz"."""
        if not words or not is_measured(self.amount):
            return False
        i = 0
        while i < len(words):
            other = read_plain(words, i)
            if other is None or not is_measured(other.amount):
                return False
            i = skip(words, other.end, "/", ";", ",", "or")
        return True

    def _note(self, remark: Words) -> None:
        """A remark; "optional" and "if desired" are none, but say that it is optional."""
        kept = remark.at(i for i, word in enumerate(remark.lower) if word not in _OPTIONAL)
        words = kept.lower
        if len(words) < len(remark):
            self.optional = True
            if len(words) < 2:
                return
        if len(words) in (2, 3) and words[0] == "if" and words[-1] in _IF_WANTED:
            self.optional = True
            return
        start, end = 0, len(words)
        while start < end and not words[start][0].isalnum() and words[start][0] not in ".~":
            start += 1
        while end > start + 1 and words[end - 1] in _NOT_LAST:
            end -= 1
        if start < end:
            at = self.text.spans.index(kept.spans[start])
            more = self.text.lower[at - 1 : at] == ["+"] and read_number(words, start) is not None
            self._add_note(kept, start, end, "plus " if more else "")

    def _add_note(self, words: Words, start: int, end: int, before: str = "") -> None:
        self.notes.append(AmountNote(words.spans[start][0], before + words.quote(start, end)))

    def _read_food(self, outside: Words) -> str:
        segments = split_segments(outside)
        if not segments:
            return ""
        packed = self.amount.unit in PACKAGES
        food = read_segment(segments[0], packed)
        remarks = food.remarks
        before: list[str] = []
        after = ""
        named = {word for name in self.named.names for word in name.words}
        for segment in map(self._read_amount_in, segments[1:]):
            words = segment.lower
            if not words or self._is_remark(words):
                self._note(segment)
            elif describes_food(words):
                before.append(segment.quote(0, len(words)).lower())
            elif joins_food(food, words, named):
                joined = words[0] in ("and", "or", "&")
                more = read_segment(segment.at(range(joined, len(words))), packed)
                remarks += more.remarks
                if len(self.named.names) < 2 and not joined:
                    before.insert(0, more.spelled())
                else:
                    after += f"{self._joint(segment, joined)} {more.spelled()}"
            else:
                self._note(segment)
        for remark in remarks:
            self._note(remark)
        spelled = self._unit_after(food.spelled())
        return " ".join([*before, spelled]) + after if spelled else ""

    def _is_remark(self, words: Sequence[str]) -> bool:
        """Whether these name nothing, whatever they are: "optional", "juice of", "plus more"."""
        if words[0] in ("and", "or") and len(words) > 1:
            return words[1] in ENDLESS or read_number(words, 1) is not None
        return words[0] == "plus" or words[-1] == "of" or not _OPTIONAL.isdisjoint(words)

    def _joint(self, segment: Words, joined: bool) -> str:
        """What stands before one more food: ", thyme" and last " and sage"."""
        if joined:
            return " or" if segment.lower[0] == "or" else " and"
        last = segment.spans[-1] == self.text.spans[-1] and {"and", "&"}.isdisjoint(self.text.lower)
        return " and" if last else ","

    def _read_amount_in(self, segment: Words) -> Words:
        """The segment without an amount that it begins with: "Butter, 2 tablespoons", or "flour,
        plus 1/4 cup for rolling"."""
        text, amount, words = self.text, self.amount, segment.lower
        start = text.spans.index(segment.spans[0])
        if words[0] == "plus" and amount.plus is None and amount.quantity is not None:
            plus = read_plus(text.lower, start, amount.unit)
            if plus is not None:
                self.amount = replace(amount, plus=plus.amount)
                read = text.spans[plus.end - 1]
                return segment.at(i for i in range(len(words)) if segment.spans[i] > read)
        if amount.quantity is not None or amount.unit is not None:
            return segment.at(()) if self._is_other_units(words) else segment
        measure = read_measure(text, start)
        if len(words) == 1 and words[0] in SPELLINGS and len(words[0]) > 2:
            self.amount = Amount(1.0, unit=SPELLINGS[words[0]])
        elif measure is not None and text.spans[measure.end - 1] >= segment.spans[-1]:
            self._take(measure)
        else:
            return segment
        return segment.at(())

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
