"""What each ingredient is called in a Cooklang file, and which words of the steps are marked.

In core Cooklang the words of a step that are marked are the ingredient's name, and marks of one
name are one ingredient. So an ingredient is called by the words that its steps have for it, by one
and the same spelling in all of them; a step that has none of these gets a list behind its text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from npn.formats.writing import wording
from npn.formats.writing.flow import can_be_drawn, flow_of
from npn.formats.writing.wording import ingredient_names, plain
from npn.language.amounts import format_number
from npn.language.matching import Matcher, Mention
from npn.language.names import name_ingredient
from npn.language.quantities import plural
from npn.language.words import Token, tokenize
from npn.recipe import Amount
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
            spellings = list(dict.fromkeys(text[span.start : span.end] for span in spans))
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
    """For each ingredient the words that most of its steps have, of several the first; else a name
    of its own."""
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


# -- Amounts as Cooklang has them in braces: "1.5%cup", "2-3%clove", "2%14-oz can".

SHORT = {
    "tablespoon": "tbsp", "teaspoon": "tsp", "gram": "g", "kilogram": "kg", "milligram": "mg",
    "milliliter": "ml", "liter": "l", "deciliter": "dl", "centiliter": "cl", "ounce": "oz",
    "fluid ounce": "fl oz", "pound": "lb", "centimeter": "cm", "millimeter": "mm",
}  # fmt: skip
UNSAFE_AMOUNT = re.compile(r"[^\w .,'’/&°½¼¾⅓⅔-]+|-{2,}")
EXACT = 1e-9


def braces(amount: Amount | None) -> str:
    """What stands in the braces of a mark, without a second amount ("plus 1 cup"). The unit has one
    spelling whatever the number, so that readers can add amounts up."""
    if amount is None:
        return ""
    if amount.quantity is None:
        return _safe_amount(f"some {plural(amount.unit)}" if amount.unit else "")
    number = exact_number(amount.quantity)
    if amount.most is not None:
        number = f"{number}-{exact_number(amount.most)}"
    unit = unit_text(amount)
    return f"{number}%{unit}" if unit else number


def unit_text(amount: Amount) -> str:
    """The unit, with the size of a package: "14-oz can"."""
    unit = SHORT.get(amount.unit or "", amount.unit or "")
    if amount.package is not None and amount.package.quantity is not None:
        package = replace(amount.package, package=None, plus=None)
        size = f"{exact_number(amount.package.quantity)}-{unit_text(package)}"
        unit = f"{size.removesuffix('-')} {unit}".strip()
    return _safe_amount(unit)


def _safe_amount(words: str) -> str:
    """Words without what has a meaning in Cooklang."""
    return " ".join(UNSAFE_AMOUNT.sub(" ", words).split())


def exact_number(number: float) -> str:
    """ "1/3" where that is exactly meant, else decimals: "1.5", "0.667"."""
    written = format_number(number)
    if "/" in written and " " not in written:
        over, under = written.split("/")
        if abs(int(over) / int(under) - number) < EXACT:
            return written
    return f"{number:.4f}".rstrip("0").rstrip(".") or "0"


# -- Marks for what earlier steps made, an extension of Cooklang: "@&(~1)dough{}" is what the step
# before left, "@&(=2)sauce{}" what the second section left.

UNSAFE_RESULT = re.compile(r"[^\w '’-]+")


def result_marks(trace: Trace) -> list[tuple[str, ...]]:
    """For each step the marks of what it goes on with."""
    marks: list[dict[str, None]] = [{} for _ in trace.steps]
    if not can_be_drawn(trace):
        return [()] * len(trace.steps)
    flow, places = flow_of(trace), _places(trace)
    for stage in flow.stages:
        for source in stage.inputs:
            made = flow.stages[source].step
            if made == stage.step or stage.step not in places or made not in places:
                continue
            name = UNSAFE_RESULT.sub(
                " ", wording.plain(flow.stages[source].pile.name or "")
            ).strip()
            where = _reference(places[made], places[stage.step])
            marks[stage.step][f"@&({where}){name or f'step {made + 1} result'}{{}}"] = None
    return [tuple(step_marks) for step_marks in marks]


def _reference(made: tuple[int, int], here: tuple[int, int]) -> str:
    """From a place (section, step in it) to an earlier one."""
    return f"~{here[1] - made[1]}" if made[0] == here[0] else f"={made[0]}"


def _places(trace: Trace) -> dict[int, tuple[int, int]]:
    """The section and the place in it of each step with words, both from 1."""
    numbers = [n for n, step in enumerate(trace.steps) if wording.plain(step.text)]
    runs = groupby(numbers, key=lambda n: trace.steps[n].section)
    return {
        n: (section, place)
        for section, (_, run) in enumerate(runs, 1)
        for place, n in enumerate(run, 1)
    }
