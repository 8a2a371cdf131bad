"""The parts of a page: the list, the steps with what they take and leave, the lives."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import groupby

from npn.formats.writing import wording
from npn.formats.writing.flow import Flow, can_be_drawn, flow_of, steps_with_piles
from npn.formats.writing.piles import PileNames, at_place, in_several
from npn.formats.writing.svg_text import attribute, markup
from npn.language.amounts import format_amount, is_decimal
from npn.language.quantities import plural
from npn.recipe import Amount
from npn.trace import Pile, Portion, Trace

MOST_LISTED = 6  # of what is in a pile; of more, the piles that went into it

NO_BREAK = "\u00a0"


def ingredient_list(trace: Trace) -> str:
    """The lines as they stood, each with the steps that take it."""
    takers: dict[int, list[int]] = {}
    for number, step in enumerate(trace.steps):
        for use in step.uses:
            takers.setdefault(use.ingredient, []).append(number)
    parts = ['<section class="list"><h2>Ingredients</h2>']
    numbers = range(len(trace.ingredients))
    for section, run in groupby(numbers, key=lambda i: trace.ingredients[i].section):
        parts.append(f"<h3>{markup(section)}</h3>" if section else "")
        parts.append(f"<ul>{''.join(_line(trace, i, takers.get(i, [])) for i in run)}</ul>")
    return _unbroken("".join([*parts, "</section>"]))


def _line(trace: Trace, i: int, steps: Sequence[int]) -> str:
    ingredient = trace.ingredients[i]
    amount = amount_markup(ingredient.amount)
    now = f' <span class="now" hidden>→ {amount}</span>' if "data-q" in amount else ""
    where = ", ".join(_step_link(number) for number in dict.fromkeys(steps))
    used = f' <small aria-label="used in step">{where}</small>' if where else ""
    return f"<li>{markup(ingredient.text)}{now}{used}</li>"


def _step_link(number: int) -> str:
    return f'<a href="#step-{number + 1}">{number + 1}</a>'


def step_list(trace: Trace, names: list[str]) -> str:
    """The steps, beside each what it takes, below each what lies where after it."""
    phrases = wording.taken(trace, names, amount_markup, markup)
    piles = _pile_notes(trace, names)
    items, section = [], None
    for number, step in enumerate(trace.steps):
        if step.section and step.section != section:
            items.append(f'<li class="heading"><h3>{markup(step.section)}</h3></li>')
        section = step.section
        uses = "".join(f"<li>{phrase}</li>" for phrase in phrases[number])
        takes = f'<ul class="takes" aria-label="takes">{uses}</ul>' if uses else ""
        items.append(
            f'<li id="step-{number + 1}" class="step"><span class="number">{number + 1}</span>'
            f"<p>{markup(step.text)}</p>{takes}{piles[number]}</li>"
        )
    steps = _unbroken("".join(items))
    return f'<section class="steps"><h2>Steps</h2><ol>{steps}</ol></section>'


def _unbroken(text: str) -> str:
    """`text` in which no line is broken inside "1 1/3"."""
    return wording.IN_MIXED_NUMBER.sub(NO_BREAK, text)


def _pile_notes(trace: Trace, names: list[str]) -> list[str]:
    """For each step the piles that it leaves changed, and in brief those that lie on beside, and
    what it took and threw away: a bay leaf."""
    if not can_be_drawn(trace) or not any(step.piles for step in trace.steps):
        return [""] * len(trace.steps)
    flow = flow_of(trace)
    stages: dict[int, list[int]] = {}
    for n, stage in enumerate(flow.stages):
        stages.setdefault(stage.step, []).append(n)
    notes = []
    known = PileNames(names)
    for number, step in enumerate(steps_with_piles(trace)):
        known.after(number + 1, step)
        changed = stages.get(number, [])
        there = [n for n in changed if flow.stages[n].pile in step.piles]
        items = [_changed_pile(n, flow, known, in_several(step.piles)) for n in there]
        gone = [one for n in changed if n not in there for one in flow.stages[n].pile.of]
        if gone:
            items.append(f'<li class="beside">no longer there: {_named(gone, known)}</li>')
        rest = list(step.piles)
        for n in there:
            if flow.stages[n].pile in rest:
                rest.remove(flow.stages[n].pile)
        if items and rest:
            beside = "; ".join(dict.fromkeys(_in_brief(pile, known) for pile in rest))
            items.append(f'<li class="beside">beside: {beside}</li>')
        notes.append(
            f'<ul class="piles" aria-label="after it">{"".join(items)}</ul>' if items else ""
        )
    return notes


def _named(portions: Sequence[Portion], known: PileNames) -> str:
    return ", ".join(markup(one) for one in known.contents(Pile(tuple(portions))))


def _changed_pile(n: int, flow: Flow, known: PileNames, divided: Set[Portion]) -> str:
    """A pile after a step: all that is in it, or, of much, what went into it. Of a mixture that
    was divided it has "part of the dressing"."""
    stage = flow.stages[n]
    much = len(stage.pile.of) > MOST_LISTED
    contents: list[str] = []
    named: set[Portion] = set()
    for m in stage.inputs:
        before = set(flow.stages[m].pile.of)
        part = before <= divided
        if len(before) > 1 and before <= set(stage.pile.of) and (part or much):
            contents.append(f"{'part of ' if part else ''}{_as_before(m, flow)}")
            named |= before
    rest = replace(stage.pile, of=tuple(one for one in stage.pile.of if one not in named))
    contents += [markup(one) for one in known.contents(rest)]
    return f"<li>{_place(stage.pile, known)}{', '.join(dict.fromkeys(contents))}</li>"


def _as_before(n: int, flow: Flow) -> str:
    """A pile that went into another: by its name, and by the step that put it together."""
    name, link = flow.stages[n].pile.name, _step_link(_filled(n, flow))
    return f"{markup(name)} (step {link})" if name else f"all from step {link}"


def _filled(n: int, flow: Flow) -> int:
    """The step that put together what is in the pile of stage n."""
    while len(flow.stages[n].inputs) == 1:
        before = flow.stages[n].inputs[0]
        if flow.stages[before].pile.of != flow.stages[n].pile.of:
            break
        n = before
    return flow.stages[n].step


def _place(pile: Pile, known: PileNames) -> str:
    named = [known.own_name(pile), at_place(pile.place) if pile.place else ""]
    words = " ".join(markup(one) for one in named if one)
    return f"<b>{words}:</b> " if words else ""


def _in_brief(pile: Pile, known: PileNames) -> str:
    where = f" {at_place(pile.place)}" if pile.place else ""
    return markup(known.name(pile) + where)


def lives(trace: Trace, names: list[str]) -> str:
    """What happens to each ingredient, step by step. Empty where no tracker says."""
    lives_of: list[list[str]] = [[] for _ in names]
    for number, step in enumerate(trace.steps):
        words: dict[int, dict[str, None]] = {use.ingredient: {"taken": None} for use in step.uses}
        for change in step.changes:
            if change.type != "composition":  # that is what the piles tell
                for i in change.ingredients:
                    words.setdefault(i, {})[wording.change_text(change)] = None
        for i, changes in words.items():
            lives_of[i].append(f"<li>{_step_link(number)} {markup(', '.join(changes))}</li>")
    rows = []
    for name, events in zip(names, lives_of, strict=True):
        if events:
            rows.append(
                f'<tr><th scope="row">{markup(name)}</th><td><ol>{"".join(events)}</ol></td></tr>'
            )
    if not rows:
        return ""
    head = '<section class="lives"><h2>The life of each ingredient</h2>'
    return f"{head}<table>{''.join(rows)}</table></section>"


# -- Amounts in a page, marked so that page.js can scale them.

# `data-q` and `data-m` are the quantity and the other end of its range, `data-u` the unit for one
# and for many, `data-d` says that the unit is written with decimals.


def amount_markup(amount: Amount | None) -> str:
    """An amount for people, as HTML; empty where nothing is known."""
    if amount is None:
        return ""
    text = _one(amount)
    if not text and amount.unit is not None:
        return ""
    if text and amount.package is not None and amount.quantity is not None:
        whole = format_amount(replace(amount, plus=None))
        size = whole[len(format_amount(replace(amount, plus=None, package=None))) :]
        text += f" {markup(size)}"
    plus = amount_markup(amount.plus)
    whole = f"{text} plus {plus}" if text and plus else text or plus
    return f"{whole} each" if whole and wording.is_of_each(amount) else whole


def _one(amount: Amount) -> str:
    bare = replace(amount, package=None, plus=None)
    text = markup(format_amount(bare))
    if amount.quantity is None or not text:
        return text
    data = f' data-q="{amount.quantity:.10g}"'
    if amount.most is not None:
        data += f' data-m="{amount.most:.10g}"'
    if amount.unit:
        data += f" data-u={attribute(f'{amount.unit}|{plural(amount.unit)}')}"
        data += ' data-d="1"' if is_decimal(amount.unit) else ""
    return f"<b{data}>{text}</b>"
