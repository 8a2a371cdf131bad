"""Labels of worlds that are kept without text: what each step takes from the list, what it acts on,
what lies together after it, and where.

The words of a step that mean an ingredient are kept as the numbers of the first and the last of
them, from 0: in "Add the oil, salt and half the flour." `[5, 7]` is "half the flour". Words are
runs of letters and digits, so "stir-fry" has two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from label_lines import digest_field, fields, ingredient_numbers, recipe_name

from npn.errors import NpnError

WORD = re.compile(r"\w+")
MEMBER = re.compile(r"[0-9]{1,4}[a-z]?")
DRAWN = ("hard", "random", "disagree", "unsure", "divided")


@dataclass(frozen=True, slots=True)
class LabelledUse:
    """`fraction` is the part of the line's whole amount, None where it cannot be known; `words` are
    the first and the last word of the step that mean it, None where none does."""

    ingredient: int
    fraction: float | None
    words: tuple[int, int] | None

    @staticmethod
    def from_list(data: object) -> LabelledUse:
        if not isinstance(data, list) or len(data) != 3:
            raise NpnError("a use must be [ingredient, fraction or null, words or null]")
        (ingredient,) = ingredient_numbers(data[:1], "uses")
        fraction, words = data[1:]
        if fraction is not None and not (type(fraction) in (int, float) and 0 < fraction <= 1):
            raise NpnError(f"a fraction must be null or a number up to 1, not {fraction!r}")
        if words is None:
            return LabelledUse(ingredient, fraction, None)
        first, last = _first_and_last(words)
        return LabelledUse(ingredient, fraction, (first, last))


@dataclass(frozen=True, slots=True)
class LabelledPile:
    """`of` are ingredients as in gold: "3", or "0b" for the second portion of ingredient 0."""

    of: tuple[str, ...]
    place: str | None

    @staticmethod
    def from_list(data: object) -> LabelledPile:
        if not isinstance(data, list) or len(data) != 2 or not isinstance(data[1], str | None):
            raise NpnError("a pile must be [members, place or null]")
        members, place = data
        if not isinstance(members, list) or not members or not all(map(_is_member, members)):
            raise NpnError('members of a pile must be like "3" or "0b"')
        return LabelledPile(tuple(members), place)


@dataclass(frozen=True, slots=True)
class WorldLabelStep:
    uses: tuple[LabelledUse, ...]
    acts: tuple[int, ...]
    piles: tuple[LabelledPile, ...]

    @staticmethod
    def from_dict(data: object) -> WorldLabelStep:
        step = fields(data, "uses acts piles")
        if not isinstance(step["uses"], list) or not isinstance(step["piles"], list):
            raise NpnError('"uses" and "piles" must be lists')
        return WorldLabelStep(
            tuple(map(LabelledUse.from_list, step["uses"])),
            ingredient_numbers(step["acts"], "acts"),
            tuple(map(LabelledPile.from_list, step["piles"])),
        )


@dataclass(frozen=True, slots=True)
class WorldLabel:
    """The world of one recipe. `source` is its corpus or gold file, `id` its line (from 0) or id
    there, `drawn` how it was chosen, `digest` that of the text which was labelled."""

    source: str
    id: str
    drawn: str
    digest: str
    steps: tuple[WorldLabelStep, ...]

    @property
    def recipe(self) -> str:
        return f"{self.source}/{self.id}"

    @staticmethod
    def from_dict(data: object) -> WorldLabel:
        label = fields(data, "recipe drawn digest steps")
        source, id = recipe_name(label)
        if label["drawn"] not in DRAWN:
            raise NpnError(f'"drawn" must be one of {", ".join(DRAWN)}')
        if not isinstance(label["steps"], list):
            raise NpnError('"steps" must be a list')
        steps = tuple(map(WorldLabelStep.from_dict, label["steps"]))
        return WorldLabel(source, id, label["drawn"], digest_field(label), steps)

    def gold(self, recipe: Mapping[str, Any]) -> dict[str, Any]:
        """What the label adds to its recipe in a gold file."""
        steps = zip(self.steps, recipe["steps"], strict=True)
        return {"drawn": self.drawn, "world": [_gold_step(step, text) for step, text in steps]}


def words_at(text: str, words: tuple[int, int]) -> str:
    """The text from the first word to the last. Raises NpnError where it has fewer words."""
    spans = [found.span() for found in WORD.finditer(text)]
    first, last = words
    if last >= len(spans):
        raise NpnError(f"a use names word {last}, but its step has {len(spans)}, from 0")
    return text[spans[first][0] : spans[last][1]]


def _gold_step(step: WorldLabelStep, text: str) -> dict[str, Any]:
    return {
        "uses": [
            {
                "i": use.ingredient,
                "fraction": use.fraction,
                "said": None if use.words is None else words_at(text, use.words),
            }
            for use in step.uses
        ],
        "acts_on": list(step.acts),
        "piles": [{"of": list(pile.of), "where": pile.place} for pile in step.piles],
    }


def _first_and_last(words: object) -> tuple[int, int]:
    numbers = words if isinstance(words, list) else []
    if len(numbers) == 2 and all(type(n) is int for n in numbers) and 0 <= numbers[0] <= numbers[1]:
        return numbers[0], numbers[1]
    raise NpnError(f"words must be null or the numbers of the first and the last, not {words!r}")


def _is_member(member: object) -> bool:
    return isinstance(member, str) and MEMBER.fullmatch(member) is not None
