"""How the part of a line that a use takes follows from the amounts that the step states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npn.language.amount_arithmetic import fraction_of
from npn.language.amount_text import format_amount, format_part
from npn.language.shares import Share
from npn.recipe import Amount
from npn.rules.reason import Basis, Reason
from npn.rules.step_words import Quote, StepWords
from npn.trace import Trace, Use

ALL_BUT = 0.98  # of an amount: as good as all
NEAR = 0.02


def amount_reasons(trace: Trace, step: int, use: Use, words: StepWords) -> Iterator[Reason]:
    """Why a use takes the fraction that it takes: '"1 tablespoon" is half of the line's 2
    tablespoons'. Nothing where it is plainly the whole line, or where no amount comes to it."""
    i, fraction = use.ingredient, use.fraction
    if fraction is None:
        return
    left = _left_by(trace, step, i, fraction)
    for stated, quote in words.stated(i):
        text = _stated_text(stated.amount, quote, trace.ingredients[i].amount, fraction)
        if not text and stated.amount == Share(None) and left:
            text = f'"{quote.text}" is what {left} left of it'
        if text:
            yield Reason(Basis.AMOUNT, text, (quote,))
            return
    if left:
        yield Reason(Basis.AMOUNT, f"what {left} left of it")


def _left_by(trace: Trace, step: int, i: int, fraction: float) -> str:
    """The steps before that took some of an ingredient, if they left just this fraction."""
    uses = [
        (number, use)
        for number, one in enumerate(trace.steps[:step], 1)
        for use in one.uses
        if use.ingredient == i
    ]
    rest = 1 - sum(use.fraction or 0 for _, use in uses)
    if not uses or rest > ALL_BUT or abs(rest - fraction) > NEAR:
        return ""
    return _numbers(sorted({number for number, _ in uses}))


def _stated_text(
    stated: Amount | Share, quote: Quote, whole: Amount | None, fraction: float
) -> str:
    """How a stated amount comes to a fraction of the line's; empty where it does not."""
    if isinstance(stated, Share):
        part = stated.fraction
    else:
        part = fraction_of(stated, whole) if whole is not None else None
    if part is None or abs(part - fraction) > NEAR:
        return ""
    line = format_amount(whole) if whole is not None else ""
    if isinstance(stated, Share):
        return f'"{quote.text}" of the line\'s {line}' if line else f'"{quote.text}" of the line'
    if part > ALL_BUT:
        return f'"{quote.text}" is all of the line'
    return f'"{quote.text}" is {format_part(part)} of the line\'s {line}'


def _numbers(steps: Sequence[int]) -> str:
    if len(steps) == 1:
        return f"step {steps[0]}"
    return f"steps {', '.join(map(str, steps[:-1]))} and {steps[-1]}"
