"""Why a step takes an ingredient from the list, or acts on one: read off a trace, whoever made it.

Each decision comes with the reasons that hold (see `reasons`). Where none is found, it says so, and
how sure the tracker is, rather than guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from npn.errors import NpnError
from npn.recipe import Recipe
from npn.rules.reasons import Reason, ReasonFinder, name_of
from npn.trace import StepTrace, Trace, Use
from npn.tracker import Tracker

NO_REASON = "no reason found in the words"


@dataclass(frozen=True, slots=True)
class Decision:
    """Step `step` takes `use` of an ingredient, or, where `use` is None, acts on what was taken of
    it earlier. `chance` is how probable the tracker holds it, None for one that only says yes or
    no. `remark` is what the tracker did beyond its probabilities, if anything."""

    step: int
    ingredient: int
    use: Use | None
    reasons: tuple[Reason, ...]
    chance: float | None = None
    remark: str = ""


def explain(trace: Trace, step: int, ingredient: int | str) -> str:
    """Why `ingredient` is acted on in `step`, both numbered from 0 as in the trace, in words that
    number steps from 1 as a cook would; or that it is not."""
    i = trace.find(ingredient)
    if not 0 <= step < len(trace.steps):
        raise NpnError(f"there is no step {step}: this trace has {len(trace.steps)}")
    found = [one for one in explain_step(trace, step) if one.ingredient == i]
    if not found:
        return f"{name_of(trace, i)} is not acted on in step {step + 1}"
    return f"{name_of(trace, i)}: {'; '.join(dict.fromkeys(map(reasons_text, found)))}"


def explain_step(trace: Trace, step: int, names: Sequence[str] | None = None) -> list[Decision]:
    """The decisions of a step: first what it takes from the list, then what else it acts on.
    `names` is what to call the ingredients, as the trace does unless told."""
    finder = ReasonFinder(trace, step, names)
    one = trace.steps[step]
    taken = {use.ingredient for use in one.uses}
    acts: list[tuple[int, Use | None]] = [(use.ingredient, use) for use in one.uses]
    acts += [(i, None) for i in one.entities if i not in taken]
    return [
        Decision(step, i, use, tuple(finder.reasons(i, use)), _chance(one, i)) for i, use in acts
    ]


def reasons_text(decision: Decision) -> str:
    """The reasons of a decision in words: 'named as "oil"; "1 tablespoon" is half of the line's 2
    tablespoons'."""
    phrases = [_phrase(reason) for reason in decision.reasons] or [NO_REASON]
    if decision.remark:
        phrases.append(decision.remark)
    elif not decision.reasons and decision.chance is not None:
        phrases.append(f"the network is {100 * decision.chance:.0f} % sure")
    return "; ".join(phrases)


def _phrase(reason: Reason) -> str:
    if reason.needed is None:
        return reason.text
    return f"{reason.text} ({'needed' if reason.needed else 'also without it'})"


def _chance(step: StepTrace, i: int) -> float | None:
    """How sure a trace is that a step acts on an ingredient; None where it is all or nothing."""
    return step.attention[i] if step.attention and 0 < step.attention[i] < 1 else None


# -- Whether a decision needed its reasons: take one away, track again, and look.
#
# To take a reason away, the words that it rests on are replaced by words that say nothing ("the
# thing"), or the heading by one that says nothing ("Other"). What rests on no words cannot be
# taken away and stays unchecked.

HEADING = "Other"
SAME_FRACTION = 0.01


@dataclass(slots=True)
class ReasonChecker:
    """Checks the reasons of one recipe's decisions. Many rest on the same words: what a tracker
    makes of a changed recipe is remembered."""

    tracker: Tracker
    recipe: Recipe
    _traces: dict[object, Trace] = field(default_factory=dict)

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
    if reason.basis == "heading":
        heading = recipe.ingredients[decision.ingredient].section
        lines = tuple(
            replace(one, section=HEADING) if one.section == heading else one
            for one in recipe.ingredients
        )
        return replace(recipe, ingredients=lines)
    if not reason.quotes:
        return None
    text = recipe.steps[decision.step]
    neutral = "some" if reason.basis == "amount" else "thing"
    for quote in sorted(set(reason.quotes), key=lambda quote: quote.start, reverse=True):
        text = text[: quote.start] + neutral + text[quote.end :]
    steps = list(recipe.steps)
    steps[decision.step] = text
    return replace(recipe, steps=tuple(steps))


def _still_holds(decision: Decision, reason: Reason, trace: Trace) -> bool:
    """Whether a trace decides the same: for an amount, that as much is taken."""
    step = trace.steps[decision.step]
    if decision.use is None:
        return decision.ingredient in step.entities
    uses = [use for use in step.uses if use.ingredient == decision.ingredient]
    if reason.basis != "amount":
        return bool(uses)
    return any(_as_much(use.fraction, decision.use.fraction) for use in uses)


def _as_much(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < SAME_FRACTION
