"""A question in parts: whom it is about, and after which step."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from npn.formats.writing import wording
from npn.language.matching import CLASSES_OF, SAME_AS, Matcher
from npn.language.names import name_ingredient
from npn.language.words import lemma, words
from npn.trace import Pile, StepTrace, Trace

STEP = re.compile(r"\bsteps? (?:no\.? |number )?(\d{1,4})\b")
BEFORE = re.compile(r"\bbefore (?:the )?step \d")
FOODS = frozenset((*SAME_AS, *CLASSES_OF))
AT_THE_END = re.compile(r"\b(?:in|at) the end\b|\bfinally\b|\bfinished\b|\bwhen done\b")


@dataclass(frozen=True, slots=True)
class Reply:
    """`steps` are the steps on which the answer rests, numbered from 0; `ingredients` are those
    that it is about."""

    text: str
    steps: tuple[int, ...] = ()
    ingredients: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "answer": self.text,
            "steps": list(self.steps),
            "ingredients": list(self.ingredients),
        }


@dataclass(frozen=True, slots=True)
class Question:
    """`who` are the ingredients that it names; `step` is the step that it gives by number, None
    where it gives none; `done` are the steps after which it asks."""

    text: str
    words: tuple[str, ...]
    trace: Trace
    names: list[str]
    who: tuple[int, ...]
    step: int | None
    done: tuple[StepTrace, ...]

    @property
    def lemmas(self) -> frozenset[str]:
        return frozenset(map(lemma, self.words))

    @property
    def piles(self) -> tuple[Pile, ...]:
        return self.done[-1].piles if self.done else ()

    @property
    def when(self) -> str:
        return f"after step {len(self.done)}" if self.done else "before the first step"

    def name_all(self, who: Iterable[int]) -> str:
        return in_words([self.names[i] for i in who])

    def taken(self) -> list[list[tuple[int, str]]]:
        """For each step of the recipe the ingredients that it takes from the list, each with how
        much of it in words."""
        return [
            [(use.ingredient, phrase) for use, phrase in zip(step.uses, phrases, strict=True)]
            for step, phrases in zip(
                self.trace.steps, wording.taken(self.trace, self.names), strict=True
            )
        ]


def read_question(trace: Trace, text: str, after: int | None) -> Question | None:
    lower = " ".join(text.lower().split())
    if not lower or not trace.steps:
        return None
    found = STEP.search(lower)
    step = int(found[1]) - 1 if found else None
    if step is not None and not 0 <= step < len(trace.steps):
        return None
    if step is not None:
        done = step if BEFORE.search(lower) else step + 1
    elif after is not None and not AT_THE_END.search(lower):
        done = after
    else:
        done = len(trace.steps)
    tokens = tuple(words(lower))
    matcher = Matcher([name_ingredient(one.text) for one in trace.ingredients])
    who = tuple(sorted({mention.ingredient for mention in matcher.match(tokens)}))
    who = who or _called_by_steps(trace, tokens, matcher)
    names = wording.ingredient_names(trace)
    return Question(lower, tokens, trace, names, who, step, trace.steps[:done])


def _called_by_steps(trace: Trace, asked: tuple[str, ...], matcher: Matcher) -> tuple[int, ...]:
    """The ingredient that the steps call by a word of the question, which its line does not have:
    a step that says "beef" and takes the flank steak, and nothing else without naming it, means
    the steak by it."""
    lemmas = set(map(lemma, asked))
    found: set[int] = set()
    for step in trace.steps:
        text = words(step.text.lower())
        mentions = matcher.match(text)
        for use in step.uses:
            if use.words and lemmas.issuperset(map(lemma, words(use.words.lower()))):
                found.add(use.ingredient)
        unnamed = {use.ingredient for use in step.uses if not use.words}
        unnamed -= {mention.ingredient for mention in mentions}
        meant = {at for mention in mentions for at in range(mention.start, mention.end)}
        others = {lemma(word) for at, word in enumerate(text) if at not in meant}
        if len(unnamed) == 1 and not FOODS.isdisjoint(lemmas & others):
            found |= unnamed
    return tuple(found) if len(found) == 1 else ()


def in_words(parts: list[str]) -> str:
    """ "flour, sugar and salt"."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def in_order(steps: Iterable[int]) -> tuple[int, ...]:
    """The steps, each once, the first one first."""
    return tuple(sorted(set(steps)))
