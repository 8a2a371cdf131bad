"""Whether a decision needed its reasons: take one away, track again, and look.

To take a reason away, the words that it rests on are replaced by words that say nothing ("the
thing"), or the heading by one that says nothing ("Other"). What rests on no words cannot be taken
away and stays unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from npn.recipe import Recipe
from npn.rules.explanation import Decision
from npn.rules.reason import Basis, Reason
from npn.rules.step_words import Quote
from npn.trace import Trace, Use
from npn.tracker import Tracker

NEUTRAL = {Basis.AMOUNT: "some"}
THING = "thing"
HEADING = "Other"
SAME_FRACTION = 0.01


@dataclass(slots=True)
class ReasonChecker:
    """Checks the reasons of one recipe's decisions. Many rest on the same words: what a tracker
    makes of a changed recipe is remembered."""

    tracker: Tracker
    recipe: Recipe
    _traces: dict[tuple[tuple[str, ...], tuple[str | None, ...]], Trace] = field(
        default_factory=dict
    )

    def check(self, decisions: Iterable[Decision]) -> list[Decision]:
        """The decisions, with each reason marked that was taken away."""
        return [
            replace(one, reasons=tuple(self._checked(one, reason) for reason in one.reasons))
            for one in decisions
        ]

    def _checked(self, decision: Decision, reason: Reason) -> Reason:
        changed = without(self.recipe, decision, reason)
        if changed is None:
            return reason
        key = (changed.steps, tuple(one.section for one in changed.ingredients))
        if key not in self._traces:
            self._traces[key] = self.tracker.track(changed)
        return replace(reason, needed=not _still_holds(decision, reason, self._traces[key]))


def without(recipe: Recipe, decision: Decision, reason: Reason) -> Recipe | None:
    """The recipe without what a reason rests on; None where it rests on nothing that can go."""
    if reason.basis is Basis.HEADING:
        heading = recipe.ingredients[decision.ingredient].section
        lines = tuple(
            replace(one, section=HEADING) if one.section == heading else one
            for one in recipe.ingredients
        )
        return replace(recipe, ingredients=lines)
    if not reason.quotes:
        return None
    text = _blanked(recipe.steps[decision.step], reason.quotes, NEUTRAL.get(reason.basis, THING))
    steps = list(recipe.steps)
    steps[decision.step] = text
    return replace(recipe, steps=tuple(steps))


def _blanked(text: str, quotes: Sequence[Quote], neutral: str) -> str:
    for quote in sorted(set(quotes), key=lambda quote: quote.start, reverse=True):
        text = text[: quote.start] + neutral + text[quote.end :]
    return text


def _still_holds(decision: Decision, reason: Reason, trace: Trace) -> bool:
    """Whether a trace decides the same: for an amount, that as much is taken."""
    step = trace.steps[decision.step]
    if decision.use is None:
        return decision.ingredient in step.entities
    uses = [use for use in step.uses if use.ingredient == decision.ingredient]
    if reason.basis is not Basis.AMOUNT:
        return bool(uses)
    return any(_same_fraction(use, decision.use) for use in uses)


def _same_fraction(one: Use, other: Use) -> bool:
    if one.fraction is None or other.fraction is None:
        return one.fraction == other.fraction
    return abs(one.fraction - other.fraction) < SAME_FRACTION
