"""The text of a step in pieces: words that mean ingredients, times to set a timer to, the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from npn.formats.writing.wording import plain
from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.language.times import find_times
from npn.language.words import tokenize
from npn.recipe import Ingredient
from npn.trace import StepTrace

Span = tuple[int, int]


class StepTextReader:
    """Made once for a recipe, then asked for every step."""

    def __init__(self, ingredients: Sequence[Ingredient]) -> None:
        self._matcher = Matcher([name_ingredient(one.text) for one in ingredients])

    def pieces(self, step: StepTrace) -> list[dict[str, Any]]:
        """The text in order, each piece with the ingredients that it means or the time that it
        gives, if any. Pieces, because a browser counts characters in another way than Python."""
        text = plain(step.text)
        marks: dict[Span, dict[str, Any]] = {}
        for time in find_times(text):
            marks[time.start, time.end] = {"seconds": time.seconds}
        for (start, end), who in self._meant(text, step).items():
            if not any(a < end and start < b for a, b in marks):
                marks[start, end] = {"ingredients": sorted(who)}
        pieces: list[dict[str, Any]] = []
        at = 0
        for (start, end), mark in sorted(marks.items()):
            if start > at:
                pieces.append({"text": text[at:start]})
            pieces.append({"text": text[start:end], **mark})
            at = end
        if at < len(text):
            pieces.append({"text": text[at:]})
        return pieces

    def _meant(self, text: str, step: StepTrace) -> dict[Span, set[int]]:
        """The words that mean ingredients: those that name them, then those of its uses."""
        tokens = tokenize(text)
        found: dict[Span, set[int]] = {}
        acted_on = set(step.entities)
        for one in self._matcher.match([token.text.lower() for token in tokens]):
            if one.ingredient in acted_on or not acted_on:
                span = (tokens[one.start].start, tokens[one.end - 1].end)
                found.setdefault(span, set()).add(one.ingredient)
        named = set().union(*found.values()) if found else set()
        for use in step.uses:
            start = text.find(use.words) if use.words and use.ingredient not in named else -1
            if start >= 0 and use.words:
                found.setdefault((start, start + len(use.words)), set()).add(use.ingredient)
        return _apart(found)


def _apart(found: dict[Span, set[int]]) -> dict[Span, set[int]]:
    """The spans of which none overlaps another, the shorter first."""
    kept: dict[Span, set[int]] = {}
    for (start, end), who in sorted(found.items(), key=lambda one: one[0][1] - one[0][0]):
        if not any(a < end and start < b for a, b in kept):
            kept[start, end] = who
    return kept
