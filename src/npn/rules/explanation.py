"""Why an ingredient is acted on: which words say so, or which mixture it is part of, and since
when. Read off a trace, whoever made it."""

from __future__ import annotations

from functools import cache

from npn.errors import NpnError
from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.language.tokens import words
from npn.language.verbs import verb_base
from npn.rules.grammar.places import PlaceFinder
from npn.rules.grammar.references import find_references
from npn.rules.lexicon.lexicon import load_lexicon
from npn.trace import Trace

MANY = 4  # mates from which on they are counted


def explain(trace: Trace, step: int, ingredient: int | str) -> str:
    """Why `ingredient` is acted on in `step`, both numbered from 0 as in the trace, in words that
    number steps from 1 as a cook would; or that it is not."""
    i = trace.find(ingredient)
    if not 0 <= step < len(trace.steps):
        raise NpnError(f"there is no step {step}: this trace has {len(trace.steps)}")
    name = _name(trace, i)
    if i not in trace.steps[step].entities:
        return f"{name} is not acted on in step {step + 1}"
    return f"{name}: {'; '.join(_reasons(trace, step, i))}"


def _reasons(trace: Trace, step: int, i: int) -> list[str]:
    text = words(trace.steps[step].text)
    names = [name_ingredient(one.text) for one in trace.ingredients]
    mentions = Matcher(names).match(text)
    words_for_it = [" ".join(text[m.start : m.end]) for m in mentions if m.ingredient == i]
    if words_for_it:
        return [f'named as "{words_for_it[0]}"']
    taken = {at for m in mentions for at in range(m.start, m.end)}
    acts = {action.name for action in trace.steps[step].actions}
    taken.update(at for at, word in enumerate(text) if verb_base(word) in acts)
    places = _places().find(text)
    there = {at for place in places for at in range(place.start, place.end)}
    references = find_references(text, taken, there, names, range(len(names)))
    if any(i in reference.ingredients for reference in references):
        return ["one of the ingredients that the step sums up"]
    mates = _mates(trace, step, i)
    named = {m.ingredient for m in mentions} & mates
    reasons = []
    if named:
        reasons.append(f"{_list(trace, named)} is named")
    elif references:
        at = references[0].at
        reasons.append(f'"{text[at]}" stands for it')
    elif mentions:
        reasons.append("what the named ones go to")
    else:
        reasons.append("nothing is named: what is under way is meant")
    if mates:
        since = _since(trace, step, i, mates)
        reasons.append(f"in one mixture with {_list(trace, mates)} since step {since + 1}")
    elif (last := _last_touched(trace, step, i)) is not None:
        reasons.append(f"last acted on in step {last + 1}")
    return reasons


@cache
def _places() -> PlaceFinder:
    return PlaceFinder(load_lexicon())


def _mates(trace: Trace, step: int, i: int) -> set[int]:
    """Who was together with an ingredient before a step."""
    before = trace.steps[step - 1].mixtures if step else ()
    return {j for mixture in before if i in mixture for j in mixture} - {i}


def _since(trace: Trace, step: int, i: int, mates: set[int]) -> int:
    """The step from which on an ingredient has been with any of its mates."""
    since = step - 1
    while since and _mates(trace, since, i) & mates:
        since -= 1
    return since


def _last_touched(trace: Trace, step: int, i: int) -> int | None:
    return next((t for t in reversed(range(step)) if i in trace.steps[t].entities), None)


def _list(trace: Trace, who: set[int]) -> str:
    names = [_name(trace, i) for i in sorted(who)]
    if len(names) >= MANY:
        names = [*names[: MANY - 2], f"{len(names) - MANY + 2} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _name(trace: Trace, i: int) -> str:
    return trace.ingredients[i].name or trace.ingredients[i].text
