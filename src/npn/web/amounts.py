"""How much of each ingredient has been taken, and how much is left on the list."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from npn.formats.writing.wording import amount_text
from npn.language.amounts import scale
from npn.recipe import Amount
from npn.trace import Portion, StepTrace, Trace, Use

NEAR = 0.02  # of the whole: 1/3 and 0.66 are meant to be everything


def with_amounts(trace: Trace, factor: float = 1.0) -> Trace:
    """The same trace with all its amounts multiplied by `factor`, and with the amount of every use
    that is a known part of a known whole."""
    ingredients = tuple(
        replace(one, amount=scale(one.amount, factor)) if one.amount else one
        for one in trace.ingredients
    )
    return replace(
        trace,
        ingredients=ingredients,
        steps=tuple(_step(step, trace, factor) for step in trace.steps),
    )


def _step(step: StepTrace, trace: Trace, factor: float) -> StepTrace:
    uses = []
    for use in step.uses:
        amount = use.amount or _part(use, trace.ingredients[use.ingredient].amount)
        uses.append(replace(use, amount=scale(amount, factor) if amount else None))
    return replace(step, uses=tuple(uses))


def _part(use: Use, whole: Amount | None) -> Amount | None:
    if use.fraction is None or use.fraction >= 1 or whole is None or whole.quantity is None:
        return None
    return scale(replace(whole, note=None), use.fraction)


class PortionAmounts:
    """Of a trace `with_amounts`: what has been taken of each ingredient so far."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._uses: defaultdict[int, list[Use]] = defaultdict(list)
        self._total = Counter(use.ingredient for step in trace.steps for use in step.uses)

    def take(self, use: Use) -> None:
        self._uses[use.ingredient].append(use)

    def text(self, portion: Portion) -> str:
        """How much a portion is, for people; empty where nobody knows."""
        uses = self._uses[portion.ingredient]
        if portion.portion >= len(uses):
            return ""
        use = uses[portion.portion]
        if use.amount:
            return amount_text(use.amount)
        whole = use.fraction is not None or self._total[portion.ingredient] == 1
        return amount_text(self._trace.ingredients[portion.ingredient].amount) if whole else ""

    def left(self, i: int) -> str | None:
        """How much of an ingredient waits on the list, for people; None where nothing does."""
        uses, whole = self._uses[i], self._trace.ingredients[i].amount
        if not uses:
            return amount_text(whole)
        if len(uses) == self._total[i]:
            return None
        rest = 1 - sum(use.fraction or 0 for use in uses)
        known = all(use.fraction is not None for use in uses)
        if not known or whole is None or whole.quantity is None:
            return "the rest"
        return amount_text(scale(whole, rest)) if rest > NEAR else None
