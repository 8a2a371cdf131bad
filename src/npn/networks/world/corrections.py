"""From corrections to what decoding is given: first what is taken from the list (`given_uses`),
which says what portions there are, and then what is known of those portions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from npn.corrections import (
    Correction,
    Corrections,
    GivenAct,
    GivenCompany,
    GivenGone,
    GivenName,
    GivenPile,
    GivenPlace,
    GivenState,
    GivenUse,
    portions_of,
)
from npn.errors import NpnError
from npn.networks.world.config import WorldSettings
from npn.networks.world.decoding import DecodedWorld
from npn.networks.world.given import Given, GivenGroup, nothing_given
from npn.networks.world.given_uses import PortionKey, UseReader, keys_of
from npn.networks.world.prediction import StepPrediction
from npn.networks.world.reading import WorldInput
from npn.trace import Portion, StepTrace


def give(
    corrections: Corrections,
    one: WorldInput,
    steps: StepPrediction,
    stated: NDArray[np.float32],
    settings: WorldSettings,
) -> tuple[StepPrediction, Given]:
    """The probabilities that decoding begins with, and what it is given besides."""
    corrections.check(one.steps, one.ingredients)
    uses = UseReader(one, steps, stated, settings)
    meant: list[tuple[Correction, list[PortionKey]]] = []
    keys: list[PortionKey] = []
    for fact in corrections.facts:
        if isinstance(fact, GivenUse | GivenAct):
            uses.note(fact)
            keys = []
        else:
            keys = keys or keys_of(uses.table(uses.read()))
            meant.append((fact, [_find(keys, portion, fact.step) for portion in portions_of(fact)]))
    steps = uses.read()
    table = uses.table(steps)
    given = nothing_given(one, table.line, table.step)
    given.fractions = uses.fractions(keys_of(table))
    for (s, i), acts in uses.acts.items():
        given.acts[s, i] = 1 if acts else -1
    numbers = {key: e for e, key in enumerate(keys_of(table))}
    for fact, portions in meant:
        if all(key in numbers for key in portions):  # their uses may have been corrected away
            _note(given, fact, [numbers[key] for key in portions])
    return steps, given


def _find(keys: list[PortionKey], portion: Portion, step: int) -> PortionKey:
    mine = [key for key in keys if key.line == portion.ingredient]
    if portion.portion >= len(mine) or mine[portion.portion].step > step:
        raise NpnError(
            f"no portion {portion.portion} of ingredient {portion.ingredient} has been taken from "
            f"the list by step {step}"
        )
    return mine[portion.portion]


def _note(given: Given, fact: Correction, portions: list[int]) -> None:
    e, s = portions[0], fact.step
    if isinstance(fact, GivenPlace):
        given.places[s, e] = fact.place
    elif isinstance(fact, GivenName):
        given.names[s, e] = fact.name
    elif isinstance(fact, GivenState):
        given.states.setdefault((s, e), {})[fact.type] = fact.end_state
    elif isinstance(fact, GivenGone):
        given.groups = _without(given, {e}, range(s, len(given.named)))
        given.gone[e] = s
    elif isinstance(fact, GivenPile | GivenCompany):
        exact = isinstance(fact, GivenPile)
        given.groups = _without(given, set(portions) if exact else {e}, range(s, s + 1))
        given.groups.append(GivenGroup(s, tuple(portions), exact))
        for one in portions:
            if given.gone.get(one, s + 1) <= s:
                del given.gone[one]


def _without(given: Given, who: set[int], steps: range) -> list[GivenGroup]:
    """What is given to lie together, but for these portions in these steps."""
    kept = []
    for group in given.groups:
        rest = tuple(e for e in group.of if e not in who or group.step not in steps)
        if rest == group.of:
            kept.append(group)
        elif rest and group.exact:
            kept.append(replace(group, of=rest))
    return kept


def check_kept(
    given: Given, world: DecodedWorld, steps: list[StepTrace], numbers: Sequence[int]
) -> None:
    """Refuse corrections that cannot all hold. `numbers` has for each step its number in the
    recipe."""
    for problem, s in _broken(given, world, steps):
        raise NpnError(f"step {numbers[s] + 1}: {problem}: this contradicts another correction")


def _broken(
    given: Given, world: DecodedWorld, steps: Sequence[StepTrace]
) -> Iterator[tuple[str, int]]:
    """What is given and does not hold, with its step."""
    wrong = (given.acts > 0) & ~world.acts | (given.acts < 0) & world.acts
    for s, i in np.argwhere(wrong):
        yield f"whether ingredient {i} is acted on", int(s)
    for s, i in np.argwhere(given.left).tolist():
        if any(_is_joined(given, world, s, e) for e in given.portions_of(i)):
            yield f"ingredient {i} is left alone, but lies with what the step acts on", s
    piles = [{e: pile for pile in after for e in pile.of} for after in world.piles]
    for group in given.groups:
        found, of = piles[group.step].get(group.of[0]), set(group.of)
        if found is None or (of != set(found.of) if group.exact else not of <= set(found.of)):
            yield "what lies together", group.step
    for e, s in given.gone.items():
        if e in piles[s]:
            yield "what is gone", s
    for (s, e), place in given.places.items():
        if e not in piles[s] or steps[s].piles[world.piles[s].index(piles[s][e])].place != place:
            yield f"what is in the {place}" if place else "what is in no vessel", s
    for (s, e), states in given.states.items():
        lines = {int(given.line[m]) for m in piles[s][e].of} if e in piles[s] else {-1}
        for type, end in states.items():
            changed = {i for c in steps[s].changes if (c.type, c.end_state) == (type, end)
                    for i in c.ingredients}  # fmt: skip
            if end is not None and not lines <= changed:
                yield f"what becomes {end}", s


def _is_joined(given: Given, world: DecodedWorld, s: int, e: int) -> bool:
    """Whether a portion lies with what the step takes, or acts on together with others that lay
    with it. What is in several portions may be acted on in another of them."""
    times = np.bincount(given.line[given.taken <= s], minlength=len(given.acts[s]))
    after = next((set(pile.of) for pile in world.piles[s] if e in pile.of), set())
    before = world.piles[s - 1] if s else ()
    mates = next((set(pile.of) for pile in before if e in pile.of), set())
    acted = {m for m in mates if world.acts[s, given.line[m]] and times[given.line[m]] == 1}
    return any(given.taken[m] == s for m in after) or (len(acted) > 1 and bool(acted & after))
