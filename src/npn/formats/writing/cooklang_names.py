"""What each ingredient is called in a Cooklang file, and which words of the steps are marked.

In core Cooklang the words of a step that are marked are the ingredient's name, and marks of one
name are one ingredient. So an ingredient is called by the words that its steps have for it, by one
and the same spelling in all of them; a step that has none of these gets a list behind its text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from npn.formats.writing.flow import can_be_drawn
from npn.formats.writing.wording import ingredient_names, plain
from npn.language.matching import Matcher, Mention
from npn.language.names import name_ingredient
from npn.language.tokens import Token, tokenize
from npn.trace import Trace

SAFE = re.compile(r"[^\W_]+(?:[ '’-][^\W_]+)*")
UNSAFE = re.compile(r"[^\w .,;'’/&°½¼¾⅓⅔-]+|_+")


@dataclass(frozen=True, slots=True)
class Span:
    """The text of a step from `start` to `end` names an ingredient."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CooklangNames:
    """`names` has one for each ingredient, no two alike. `spans` has for each step the words to
    mark, by ingredient; they do not overlap."""

    names: list[str]
    spans: list[dict[int, Span]]


def find_names(trace: Trace) -> CooklangNames:
    texts = [plain(step.text) for step in trace.steps]
    mentions = [
        _mentions(text, matched)
        for text, matched in zip(texts, _matched(trace, texts), strict=True)
    ]
    spellings_of: dict[int, Counter[str]] = {}
    for text, found in zip(texts, mentions, strict=True):
        for i, spans in found.items():
            spellings = {text[span.start : span.end] for span in spans}
            spellings_of.setdefault(i, Counter()).update(spellings)
    names = _chosen(trace, spellings_of)
    spans_of = [
        {i: span for i, spans in found.items() if (span := _first(text, spans, names[i]))}
        for text, found in zip(texts, mentions, strict=True)
    ]
    return CooklangNames(names, spans_of)


def _first(text: str, spans: Sequence[Span], name: str) -> Span | None:
    return next((span for span in spans if text[span.start : span.end] == name), None)


def _chosen(trace: Trace, spellings_of: dict[int, Counter[str]]) -> list[str]:
    """For each ingredient the words that most of its steps have; else a name of its own."""
    names: list[str] = []
    taken: set[str] = set()
    for i, fallback in enumerate(ingredient_names(trace)):
        food = plain(trace.ingredients[i].food)
        spellings = sorted(
            spellings_of.get(i, Counter()).items(),
            key=lambda pair: (-pair[1], not pair[0].islower(), -len(pair[0])),
        )
        wanted = [*(spelling for spelling, _ in spellings), _safe(food), _safe(fallback)]
        free = (name for name in wanted if name and name.casefold() not in taken)
        name = next(free, f"ingredient {i + 1}")
        names.append(name)
        taken.add(name.casefold())
    return names


def _safe(name: str) -> str:
    """A name without what has a meaning in Cooklang."""
    return " ".join(UNSAFE.sub(" ", name).split())[:100].strip(" -.")


Matched = list[tuple[int, Span]]


def _matched(trace: Trace, texts: Sequence[str]) -> list[Matched]:
    """For each step those of the ingredients that it takes that its words name, and where."""
    if not can_be_drawn(trace):  # looking for each of thousands in thousands of steps takes minutes
        return [[] for _ in texts]
    matcher = Matcher([name_ingredient(one.text) for one in trace.ingredients])
    foods = [plain(one.food) for one in trace.ingredients]
    found = []
    for text, step in zip(texts, trace.steps, strict=True):
        used = {use.ingredient for use in step.uses}
        tokens = tokenize(text)
        mentions = matcher.match([token.text.lower() for token in tokens]) if used else []
        found.append(
            [
                (one.ingredient, _span(text, tokens, one, foods[one.ingredient]))
                for one in mentions
                if one.ingredient in used
            ]
        )
    return found


def _span(text: str, tokens: Sequence[Token], mention: Mention, food: str) -> Span:
    """The words of a mention, and those before it that are also the food's: "crushed tomatoes"."""
    start, end = tokens[mention.start].start, tokens[mention.end - 1].end
    longer = end - len(food)
    starts_word = longer == 0 or (longer > 0 and text[longer - 1] == " ")
    if longer < start and starts_word and text[longer:end].casefold() == food.casefold():
        start = longer
    return Span(start, end)


def _mentions(text: str, matched: Matched) -> dict[int, list[Span]]:
    """The words that mean just one of the ingredients that a step takes. Those inside a use's own
    words would not be better: a step names what it takes before it names it again."""
    who: dict[Span, set[int]] = {}
    for i, span in matched:
        who.setdefault(span, set()).add(i)
    found: dict[int, list[Span]] = {}
    done = 0
    for span, meant in sorted(who.items(), key=lambda pair: pair[0].start):
        if span.start < done:
            continue
        done = span.end
        if len(meant) == 1 and SAFE.fullmatch(text[span.start : span.end]):
            found.setdefault(meant.pop(), []).append(span)
    return found
