"""Why a step takes an ingredient from the list, or acts on one: read off a trace, whoever made it.

Each decision comes with the reasons that hold (see `reasons`). Where none is found, it says so, and
how sure the tracker is, rather than guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.errors import NpnError
from npn.rules.reason import Reason, name_of
from npn.rules.reasons import ReasonFinder
from npn.trace import Trace, Use

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
    decisions = [
        Decision(step, use.ingredient, use, tuple(finder.for_use(use)), _chance(trace, step, use))
        for use in one.uses
    ]
    taken = {use.ingredient for use in one.uses}
    for i in one.entities:
        if i not in taken:
            reasons = tuple(finder.for_act(i))
            decisions.append(Decision(step, i, None, reasons, _chance(trace, step, i)))
    return decisions


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


def _chance(trace: Trace, step: int, of: Use | int) -> float | None:
    """How sure the trace is that a step acts on an ingredient; None where it is all or nothing."""
    attention = trace.steps[step].attention
    i = of if isinstance(of, int) else of.ingredient
    return attention[i] if attention and 0 < attention[i] < 1 else None
