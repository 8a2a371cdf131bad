"""What to do next: steps that may follow, each simulated to see what it would do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from npn.errors import NpnError
from npn.language.words import words
from npn.models import load_tracker
from npn.recipe import Recipe
from npn.trace import StepTrace, Trace
from npn.tracker import (
    Tracker,
    check_recipe,
    has_words,
    idle_step,
    read_in_turn,
    unite,
    unlisted,
    with_uses,
)

if TYPE_CHECKING:
    from npn.networks.generator.generator import StepGenerator

MOST_SUGGESTED = 20
# About five seconds of a tracker that looks at every word with every other.
MOST_READING = 19_000_000


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A step that may come next. `score` is the mean log-probability of its words; `trace` is the
    recipe so far with this step at its end."""

    text: str
    score: float
    trace: Trace

    @property
    def effect(self) -> StepTrace:
        """What the step would do."""
        return self.trace.steps[-1]

    def to_dict(self) -> dict[str, Any]:
        step = self.trace.to_dict()["steps"][-1]
        return {"text": self.text, "score": round(self.score, 4), **step}


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The likeliest first. A generator that knows few of the recipe's words says what it would say
    of any recipe."""

    title: str
    model: str
    tracker: str
    after: int  # steps
    suggestions: tuple[Suggestion, ...]
    known: float  # the share of the recipe's words that the generator knows

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.suggestions)

    def __len__(self) -> int:
        return len(self.suggestions)

    def __getitem__(self, at: int) -> Suggestion:
        return self.suggestions[at]

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "model": self.model,
            "tracker": self.tracker,
            "after": self.after,
            "suggestions": [one.to_dict() for one in self.suggestions],
        }


def suggest(
    recipe: Recipe, n: int = 3, *, after: int | None = None, model: str | None = None
) -> Suggestions:
    """The `n` likeliest next steps of a recipe, no two alike, with what each would do. `after` is
    the number of steps that are done (all, unless told); 0 asks for a first step. `model` is the
    file of another generator than the one that ships."""
    done = _check(recipe, n, after)
    tracker, generator = _tracker(), _generator(model)
    process = tracker.begin(recipe.ingredients)
    spoken = [tracker.sentences(step) if has_words(step) else [] for step in recipe.steps[:done]]
    read = read_in_turn(process, [one for sentences in spoken for one in sentences])
    steps: list[StepTrace] = []
    rest = iter(read)  # by sentence, as the generator learned it
    for step, sentences in zip(recipe.steps, spoken, strict=False):
        if sentences:
            steps.append(unite(step, list(islice(rest, len(sentences)))))
        else:
            steps.append(idle_step(step, len(recipe.ingredients), steps))
    found = generator.suggest(process.ingredients, read, n)
    suggestions = []
    for one in found.suggestions:
        branch = process.copy()
        effect = unite(one.text, [branch.read(s) for s in tracker.sentences(one.text)])
        simulated = with_uses([*steps, effect])
        trace = Trace(recipe.title, tracker.name, branch.ingredients, simulated, unlisted(branch))
        suggestions.append(Suggestion(one.text, one.score, trace))
    return Suggestions(
        recipe.title, generator.name, tracker.name, done, tuple(suggestions), found.known
    )


def _check(recipe: Recipe, n: int, after: int | None) -> int:
    """How many steps are done, of a recipe and a wish that are in order. Refuses what would take
    too long: the recipe so far is read once, and once more with each of the steps suggested."""
    check_recipe(recipe)
    if not isinstance(n, int):
        raise TypeError(f"how many steps to suggest is a whole number, not {n!r}")
    if not isinstance(after, int | None):
        raise TypeError(f"the number of steps that are done is a whole number, not {after!r}")
    done = len(recipe.steps) if after is None else after
    if not 1 <= n <= MOST_SUGGESTED:
        raise NpnError(f"between 1 and {MOST_SUGGESTED} next steps can be suggested, not {n}")
    if not 0 <= done <= len(recipe.steps):
        raise NpnError(f"there is no step {done}: the recipe has {len(recipe.steps)}")
    if not recipe.ingredients:
        raise NpnError("the recipe has no ingredients: list them, and steps can be suggested")
    texts = [one.text for one in recipe.ingredients] + list(recipe.steps[:done])
    length = sum(len(words(text)) for text in texts)
    if (n + 1) * length * (length + 1_000) > MOST_READING:
        raise NpnError(
            f"the recipe has {length:,} words so far, too many to suggest "
            f"{'a next step' if n == 1 else f'{n} next steps'}: shorten it"
            f"{'' if n == 1 else ', or ask for fewer'}"
        )
    return done


@cache
def _tracker() -> Tracker:
    return load_tracker()


@cache
def _generator(model: str | None) -> StepGenerator:
    from npn.networks.generator.generator import SHIPPED, load_generator

    return load_generator(SHIPPED if model is None else Path(model))
