"""The last stage: a decoded world, which knows portions by number, becomes the steps of a trace,
which speak of ingredients, amounts, named piles and changes of state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from npn.language.amounts import scale
from npn.networks.world.config import END_STATES
from npn.networks.world.decoding import (
    CARRIED_OUT,
    LITTLE,
    DecodedWorld,
    Moves,
    choose_actions,
    choose_fractions,
)
from npn.networks.world.features import Grammar
from npn.networks.world.given import Changes, Given, replace_changes
from npn.networks.world.piles import Names, PlacedPile, by_name, name_piles
from npn.networks.world.prediction import Floats, StepPrediction
from npn.networks.world.reading import WorldInput
from npn.recipe import Amount, Ingredient, Recipe
from npn.trace import (
    APPLIANCES,
    COLD_APPLIANCES,
    Pile,
    Portion,
    SelectedAction,
    StateChange,
    StepTrace,
    Use,
)

# What lies in a pile comes to these states together, where it was in the same state before: where
# half a soup would be hot, all of it is. Each of what a step newly takes has its own: meat may be
# browned before the tomatoes come to it.
SHARED = frozenset({"cookedness", "temperature", "composition"})
# These are told at every step that causes them, not only at the first. The others are told again
# only where the network is sure: an onion that was cut is cut smaller.
REPEATED = frozenset({"composition", "cookedness"})
SURE_AGAIN = 0.95
# How much "no change" counts beside an end state, where that is not 1: the network is too careful
# with shapes. These and SURE_AGAIN were chosen on recipes that are held out.
NO_CHANGE = {"shape": 0.5}
BARELY, HARDLY = 0.51, 0.49  # the attention of what was decided against its probability


@dataclass(frozen=True, slots=True)
class WorldReading:
    """All that was found out about a recipe, stage by stage: what the grammar sees in the words,
    the numbers made of it, the network's probabilities, and the world decided on. `npn explain
    --stages` prints it. `given` is what corrections say, if there are any."""

    grammar: Grammar
    input: WorldInput
    steps: StepPrediction
    world: DecodedWorld
    given: Given | None = None


def trace_steps(recipe: Recipe, reading: WorldReading) -> Iterator[StepTrace]:
    """The trace of every step of a recipe, in order."""
    one, grammar, world = reading.input, reading.grammar, reading.world
    given = reading.given
    fractions = choose_fractions(
        world.portions, reading.steps.fraction, grammar.stated, given.fractions if given else None
    )
    states = [dict(ingredient.state) for ingredient in grammar.ingredients]
    moves = Moves(one, reading.steps.location, world)
    changes: list[tuple[StateChange, ...]] = []
    places: list[list[str | None]] = []
    for s in range(len(recipe.steps)):
        changes.append(tuple(_changes(reading, s, moves, states)))
        places.append([moves.place(s, pile) for pile in world.piles[s]])
    cooked = [
        {i for one in step if one.type == "cookedness" for i in one.ingredients} for step in changes
    ]
    corrected = [
        given.names_of(s, [pile.of for pile in piles]) if given else {}
        for s, piles in enumerate(world.piles)
    ]
    names = name_piles(recipe, grammar, world.acts, world.portions, world.piles, cooked, corrected)
    for s, text in enumerate(recipe.steps):
        actions = choose_actions(one, s, reading.steps.verbs)
        placed = zip(world.piles[s], places[s], strict=True)
        yield StepTrace(
            text,
            tuple(SelectedAction(name, round(sure, 4)) for name, sure in actions.items()),
            tuple(map(int, np.flatnonzero(world.acts[s]))),
            _attention(reading.steps.act[s], world.acts[s]),
            changes[s],
            tuple(_uses(reading, s, fractions)),
            tuple(_pile(pile, place, reading, names[s]) for pile, place in placed),
        )


def _attention(
    chances: Floats, acts: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> tuple[float, ...]:
    """The network's probability of acting on each ingredient. A trace promises more than one half
    for those that are acted on: where the decision went the other way, it is moved to just that
    side of one half."""
    chances = np.where(acts, np.maximum(chances, BARELY), np.minimum(chances, HARDLY))
    return tuple(round(float(chance), 4) for chance in chances)


def _uses(reading: WorldReading, step: int, fractions: Sequence[float | None]) -> Iterator[Use]:
    """What a step takes from the list: a use for each portion that is taken there."""
    portions = reading.world.portions
    for e in map(int, np.flatnonzero(portions.step == step)):
        i, fraction = int(portions.line[e]), fractions[e]
        ingredient, nth = reading.grammar.ingredients[i], int(portions.second[e])
        amount = _stated_amount(reading.grammar, step, i, nth, fraction)
        if amount is None:
            amount = _part(ingredient, fraction)
        yield Use(i, fraction, amount, _words(reading.grammar, step, i))


def _stated_amount(
    grammar: Grammar, step: int, i: int, nth: int, fraction: float | None
) -> Amount | None:
    """The amount of a use of less than a line as the step itself states it: "1 tablespoon" of a
    line of 1 cup."""
    amounts = grammar.amounts.get((step, i), [])[nth : nth + 1]
    if (
        not amounts
        or fraction in (None, 1.0)
        or abs(grammar.stated[step, i, nth] - fraction) > LITTLE
    ):
        return None
    return amounts[0]


def _part(ingredient: Ingredient, fraction: float | None) -> Amount | None:
    """So much of the line's amount: half of "2 tablespoons oil" is 1 tablespoon."""
    if fraction is None or ingredient.amount is None or ingredient.amount.quantity is None:
        return None
    part = scale(ingredient.amount, fraction)
    return Amount(part.quantity, part.most, part.unit, None, part.package, part.plus)


def _words(grammar: Grammar, step: int, i: int) -> str | None:
    """The words of a step that first name an ingredient ("oil" for olive oil), None where no words
    do."""
    for span in grammar.mentions:
        if span.step == step and span.ingredient == i:
            return " ".join(grammar.words[step][span.start : span.end])
    return None


def _pile(
    pile: PlacedPile,
    place: str | None,
    reading: WorldReading,
    names: Names,
) -> Pile:
    """A pile for the trace. What lies alone has the name of its ingredient."""
    portions = reading.world.portions
    of = tuple(Portion(int(portions.line[e]), portions.number(e)) for e in pile.of)
    name = names.get(frozenset(pile.of)) or None
    if len(of) == 1:
        name = name or reading.grammar.ingredients[of[0].ingredient].name or None
    return Pile(of, place, name)


def _changes(
    reading: WorldReading, s: int, moves: Moves, states: list[dict[str, str]]
) -> Iterator[StateChange]:
    """What changes in a step: one change for each state type and end state, with all ingredients
    that come to it. `states` are those of the ingredients before the step, and are brought up to
    date; what is cold already does not become cold again (but see REPEATED)."""
    found: Changes = {}
    before = [dict(state) for state in states] if reading.given else []
    for group in acted_groups(reading.world, s):
        for travellers in _by_pile(reading.world, s, group):
            for place, sure in _new_place(reading, s, travellers):
                found.setdefault(("location", place), []).extend(zip(travellers, sure, strict=True))
                for i in travellers:
                    states[i]["location"] = place
        for type, end, sure in _end_states(reading, s, group, states):
            for i, chance in zip(group, sure, strict=True):
                if chance <= 0:
                    continue
                if type in REPEATED or states[i].get(type) != end or chance > SURE_AGAIN:
                    found.setdefault((type, end), []).append((i, chance))
                states[i][type] = end
    for i in _thrown_out(reading.world, s):
        replace_changes(found, {i}, "composition", "not composed", BARELY)
        states[i]["composition"] = "not composed"
    if reading.given:
        piles = [pile.of for pile in reading.world.piles[s]]
        reading.given.keep_changes(s, piles, reading.world.acts, found, before, states)
    _correct_moves(found, moves, s)
    for (type, end), who in found.items():
        chance = round(float(np.mean([sure for _, sure in who])), 4)
        yield StateChange(type, end, chance, tuple(sorted(i for i, _ in who)))


def _thrown_out(world: DecodedWorld, s: int) -> list[int]:
    """What a step takes out of a mixture and throws away: "fish out the bay leaf"."""
    line = world.portions.line
    earlier = world.piles[s - 1] if s else ()
    mixed = {int(line[e]) for pile in earlier if len(pile.of) > 1 for e in pile.of}
    left = {int(line[e]) for pile in world.piles[s] for e in pile.of}
    return [i for i in sorted(mixed - left) if world.acts[s, i]]


def _correct_moves(found: Changes, moves: Moves, s: int) -> None:
    """Let a step move its piles to the places where they lie, vessels before appliances."""
    where = {i: end for (type, end), who in found.items() if type == "location" for i, _ in who}
    corrected = moves.move(s, where)
    for (type, end), who in list(found.items()):
        if type == "location" and end not in APPLIANCES:
            found[type, end] = [(i, sure) for i, sure in who if i not in corrected]
            if not found[type, end]:
                del found[type, end]
    for i, place in corrected.items():
        found.setdefault(("location", place), []).append((i, BARELY))
    for change in [one for one in found if one[1] in APPLIANCES]:
        found[change] = found.pop(change)  # into the dish, and with it into the oven


def acted_groups(world: DecodedWorld, s: int) -> list[list[int]]:
    """The ingredients that a step acts on, in groups that share what is done to them: those that
    lay in one pile before the step, and those that the step takes into one pile."""
    acted = set(map(int, np.flatnonzero(world.acts[s])))
    line, taken = world.portions.line, world.portions.step == s
    before = world.piles[s - 1] if s else ()
    groups = [{int(line[e]) for e in pile.of} for pile in before]
    groups += [{int(line[e]) for e in pile.of if taken[e]} for pile in world.piles[s]]
    found = []
    for group in groups:
        members = sorted(group & acted)
        if members:
            found.append(members)
            acted -= group
    return found + [[i] for i in sorted(acted)]


def _by_pile(world: DecodedWorld, s: int, group: list[int]) -> list[list[int]]:
    """The members of a group that lie together after the step as well, and so have moved together:
    of a chicken in its broth, the chicken may go to the board alone."""
    homes: dict[int, tuple[int, ...]] = {}
    for number, pile in enumerate(world.piles[s]):
        for e in pile.of:
            i = int(world.portions.line[e])
            homes[i] = (*homes.get(i, ()), number)
    parts: dict[tuple[int, ...], list[int]] = {}
    for i in group:
        parts.setdefault(homes.get(i, ()), []).append(i)
    return list(parts.values())


def _new_place(
    reading: WorldReading, s: int, group: list[int]
) -> Iterator[tuple[str, list[float]]]:
    """The place that a step moves a group to, if it moves it, and how sure that is of each of its
    members. What is chilled ends in the refrigerator, whichever vessel it is put into before."""
    where = reading.steps.location[s, group]
    by_place = by_name(reading.input, where)
    place = max(by_place, key=lambda name: by_place[name])
    appliance = _implied_appliance(reading, s, group)
    if appliance in COLD_APPLIANCES or (appliance and place is None):
        yield appliance, [1.0] * len(group)
    elif place is not None:
        same = [1 + c for c, name in enumerate(reading.input.place_names) if name == place]
        yield place, [float(chance) for chance in where[:, same].sum(1)]


def _implied_appliance(reading: WorldReading, s: int, group: list[int]) -> str | None:
    """The appliance that the last action of a step needs although no word names it ("bake": an
    oven), where the network sees the group come out of it cooked, or cold."""
    needed = [
        verb.appliance
        for verb, chance in zip(reading.grammar.verbs, reading.steps.verbs, strict=True)
        if verb.step == s and chance > CARRIED_OUT and verb.appliance
    ]
    if not needed:
        return None
    type, end = (
        ("temperature", "cold") if needed[-1] in COLD_APPLIANCES else ("cookedness", "cooked")
    )
    sure = reading.steps.states[list(END_STATES).index(type)][s, group].mean(0)
    best = (sure * _weights(type)).argmax()
    return needed[-1] if best == 1 + END_STATES[type].index(end) else None


def _weights(type: str) -> Floats:
    """How much the chances of no change and of each end state of a type count."""
    return np.array([NO_CHANGE.get(type, 1.0), *(1.0 for _ in END_STATES[type])], np.float32)


def _end_states(
    reading: WorldReading, s: int, group: list[int], states: Sequence[Mapping[str, str]]
) -> Iterator[tuple[str, str, list[float]]]:
    """The end states other than places that a group comes to, and how sure that is of each
    ingredient; 0 where it does not."""
    portions = reading.world.portions
    lay_there = np.isin(group, portions.line[portions.step < s]).any()
    for (type, ends), chances in zip(END_STATES.items(), reading.steps.states, strict=True):
        sure = chances[s, group]  # [ingredients, 1 + ends]
        if type in SHARED and lay_there:
            sure = share_chances(sure, [states[i].get(type) for i in group])
        best = (sure * _weights(type)).argmax(1)
        for number, end in enumerate(ends, 1):
            if (best == number).any():
                yield type, end, [float(x) for x in np.where(best == number, sure[:, number], 0)]


def share_chances(sure: Floats, before: Sequence[str | None]) -> Floats:
    """The chances of a group's members, the same for all that were in the same state before: the
    onions come to be hot in a pan whose oil is hot already."""
    shared = np.empty_like(sure)
    for state in set(before):
        members = [n for n, one in enumerate(before) if one == state]
        shared[members] = sure[members].mean(0)
    return shared
