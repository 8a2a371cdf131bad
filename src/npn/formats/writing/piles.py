"""Mixtures in words: what a step acts on, what it changes, and what there is in the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from npn.formats.writing.wording import change_text, end_state, in_order, plain
from npn.recipe import Ingredient
from npn.trace import APPLIANCES, COLD_APPLIANCES, Pile, Portion, StateChange, StepTrace, Trace

MANY = 3  # ingredients from which on a mixture is called by the step that made it
MOST_TOLD = 2  # of what one part of a mixture has and another has not
MOST_LISTED = 6  # in the end; of more, what is missing is shorter
ON = frozenset(
    """plate platter rack board sheet tray surface counter grill paper towel stand griddle stone bun
    countertop worktop table skewer toast""".split()
)


@dataclass(slots=True)
class PileNames:
    """What to call the piles of a trace, step by step."""

    names: Sequence[str]  # of the ingredients
    portions: Counter[int] = field(default_factory=Counter)  # uses so far, by ingredient
    made: dict[tuple[Portion, ...], int] = field(default_factory=dict)  # by which step
    piles: tuple[Pile, ...] = ()  # that lie about
    # How many piles of a name hold an ingredient.
    by_name: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def after(self, number: int, step: StepTrace) -> None:
        """Go on past step `number`, counted from 1."""
        self.portions.update(use.ingredient for use in step.uses)
        self.made = {pile.of: self.made.get(pile.of, number) for pile in step.piles}
        self.piles = step.piles
        self.by_name.clear()
        for pile in step.piles:
            self.by_name[pile.name or ""].update(pile.ingredients)

    def name(self, pile: Pile) -> str:
        """A pile by its name, by the little that it holds, or by the step that made it."""
        if pile.name:
            return plain(pile.name) + self._more_than_namesakes(pile)
        if len(pile.ingredients) >= MANY and pile.of in self.made:
            return f"step {self.made[pile.of]} mixture"
        return " + ".join(self.contents(pile))

    def own_name(self, pile: Pile) -> str:
        """The name of a pile, where that says more than the name of the one ingredient in it."""
        name = plain(pile.name or "")
        return "" if [self.names[i] for i in pile.ingredients] == [name] else name

    def _more_than_namesakes(self, pile: Pile) -> str:
        """What tells a pile from another of its name, which is a part of the same mixture: " with
        cocoa"; empty where there is none, or the other has more."""
        held = self.by_name[pile.name or ""]
        more = [self.names[i] for i in pile.ingredients if held[i] == 1]
        part = len(more) < len(pile.ingredients)
        return f" with {' and '.join(more)}" if part and 1 <= len(more) <= MOST_TOLD else ""

    def contents(self, pile: Pile) -> list[str]:
        """The ingredients in a pile; those of which a part is elsewhere, or not used yet, with the
        part: "butter (2nd part)"."""
        phrases = []
        for i in pile.ingredients:
            numbers = sorted(portion.portion for portion in pile.of if portion.ingredient == i)
            if len(numbers) >= self.portions[i]:
                phrases.append(self.names[i])
            else:
                phrases.append(f"{self.names[i]} ({' and '.join(map(ordinal, numbers))} part)")
        return phrases

    def all_of(
        self, who: Set[int], after: Sequence[Pile] = (), new: Set[int] = frozenset()
    ) -> list[str]:
        """The ingredients `who` in words: first the piles of which they are all, each name once,
        then the other ingredients by name. `after` are the piles that the step leaves. A pile that
        stays as it is is not meant by a `new` portion of what is in it, nor where only another part
        of the same mixture is handled."""
        phrases, rest = [], set(who) - new
        unmoved = set(self.piles).intersection(after)
        moved = _Holders(pile for pile in self.piles if pile not in unmoved)
        made = _Holders(pile for pile in after if pile not in unmoved)
        for pile in self.piles:
            mine = set(pile.ingredients)
            if not mine <= who or (mine <= new and pile in unmoved):
                continue
            rest -= mine
            if pile not in unmoved:
                phrases.append(self.name(pile))
            elif not moved.hold(pile):
                part = "part of the " if made.hold(pile) else ""
                phrases.append(part + self.name(pile))
        return list(dict.fromkeys([*phrases, *(self.names[i] for i in sorted(rest))]))


class _Holders:
    """Piles, to be asked whether one of them holds a part of all that is in another pile: of a
    mixture that was divided."""

    def __init__(self, piles: Iterable[Pile]) -> None:
        self.of_portion: dict[Portion, set[int]] = {}
        for number, pile in enumerate(piles):
            for portion in pile.of:
                self.of_portion.setdefault(portion, set()).add(number)

    def hold(self, pile: Pile) -> bool:
        holders = [self.of_portion.get(portion, set()) for portion in pile.of]
        return bool(holders) and bool(set.intersection(*holders))


def acted_on(trace: Trace, names: Sequence[str]) -> list[str]:
    """For each step what it acts on besides what it takes from the list. What an earlier step acted
    on just so is called by that step, not repeated in full."""
    phrases = []
    piles = PileNames(names)
    same: dict[tuple[int, ...], int] = {}  # ingredients -> the first step that acts on just these
    for number, step in enumerate(trace.steps, 1):
        new = {use.ingredient for use in step.uses}
        parts = piles.all_of(set(step.entities), step.piles, new)
        if len(parts) > MANY and step.entities in same and not new:
            parts = [f"as in step {same[step.entities]}"]
        phrases.append(", ".join(parts))
        same.setdefault(step.entities, number)
        piles.after(number, step)
    return phrases


def changed(trace: Trace, names: Sequence[str]) -> list[list[str]]:
    """For each step a phrase for each group of ingredients that changed alike. Who changed is left
    out where it is everyone the step acts on."""
    phrases = []
    piles = PileNames(names)
    for number, step in enumerate(trace.steps, 1):
        groups: dict[tuple[int, ...], list[str]] = {}
        for change in sorted(step.changes, key=_order):
            groups.setdefault(change.ingredients, []).append(change_text(change))
        phrases.append(
            [
                ", ".join(phrases)
                if set(who) == set(step.entities)
                else f"{_who(set(who), set(step.entities), piles)}: {', '.join(phrases)}"
                for who, phrases in groups.items()
            ]
        )
        piles.after(number, step)
    return phrases


def _who(changed: Set[int], acted: Set[int], piles: PileNames) -> str:
    """Those that changed, in words; where nearly everyone did, those that did not."""
    phrases = piles.all_of(changed)
    others = [piles.names[i] for i in sorted(acted - changed)]
    if len(phrases) > MANY and len(others) <= MOST_TOLD:
        return f"all but {' and '.join(others)}"
    return ", ".join(phrases)


def _order(change: StateChange) -> tuple[bool, bool]:
    """Where things go comes first: into the dish, and with it into the oven."""
    return change.type != "location", change.end_state in APPLIANCES


def in_the_end(trace: Trace, names: Sequence[str]) -> list[tuple[str, str]]:
    """What there is after the last step, the largest first: what is in it, and where and how it
    is. Where a tracker knows no piles, ingredients that ended alike. Empty where nothing is
    known."""
    piles, states = PileNames(names), PileStates(trace.ingredients)
    for number, step in enumerate(trace.steps, 1):
        piles.after(number, step)
        states.after(step)
    if not piles.piles:
        return _by_final_state(trace, names)
    used = {i for i, times in piles.portions.items() if times} | {
        i for pile in piles.piles for i in pile.ingredients
    }
    return [
        (_whole(pile, piles, used), _condition(pile, states.of(pile)))
        for pile in sorted(piles.piles, key=lambda pile: -len(pile.of))
    ]


States = Mapping[Portion, Mapping[str, str]]


class PileStates:
    """The state of every portion in each pile, step by step. Changes are told of ingredients: a
    portion has had those since the step that took it from the list. Of a mixture that was divided,
    a part that stays as it is has none of what becomes of another."""

    def __init__(self, ingredients: Sequence[Ingredient]) -> None:
        self.ingredients = ingredients
        self.lying: dict[Pile, States] = {}
        self.last: dict[Portion, Mapping[str, str]] = {}  # of what lies nowhere any more, too
        self.left_alone: set[Pile] = set()  # by the last step, which handled another part

    def after(self, step: StepTrace) -> None:
        """Go on past a step."""
        changes: dict[int, dict[str, str]] = {}
        for change in step.changes:
            for i in change.ingredients:
                changes.setdefault(i, {})[change.type] = change.end_state
        stay = set(step.piles).intersection(self.lying)
        handled = _Holders(pile for pile in step.piles if pile not in stay)
        self.left_alone = {pile for pile in stay if handled.hold(pile)}
        before = dict(self.last)
        for pile in self.lying:
            if pile not in stay:  # what lay there too, in a pile that stays, is not what was moved
                before.update(self.lying[pile])
        self.lying = {
            pile: self.lying[pile]
            if pile in self.left_alone
            else self._changed(pile, self.lying.get(pile, before), changes)
            for pile in step.piles
        }
        for states in self.lying.values():
            self.last.update(states)

    def of(self, pile: Pile) -> list[Mapping[str, str]]:
        """The states of the portions in a pile, in their order."""
        states = self.lying[pile]
        return [states[portion] for portion in pile.of]

    def _changed(
        self, pile: Pile, before: States, changes: Mapping[int, dict[str, str]]
    ) -> dict[Portion, Mapping[str, str]]:
        states: dict[Portion, Mapping[str, str]] = {}
        for portion in pile.of:
            i = portion.ingredient
            known = before.get(portion, self.ingredients[i].state)
            states[portion] = {**known, **changes.get(i, {})}
        return states


def in_several(piles: Iterable[Pile]) -> set[Portion]:
    """The portions that lie in more than one pile: those of a mixture that was divided."""
    times = Counter(portion for pile in piles for portion in pile.of)
    return {portion for portion, count in times.items() if count > 1}


def _whole(pile: Pile, piles: PileNames, used: Set[int]) -> str:
    """What a pile is, in full."""
    missing = sorted(used - set(pile.ingredients))
    if len(pile.ingredients) > MOST_LISTED and len(missing) <= 2:
        but = f" but {' and '.join(piles.names[i] for i in missing)}" if missing else ""
        contents = f"everything{but}"
    else:
        contents = ", ".join(piles.contents(pile))
    name = piles.own_name(pile)
    return f"{name}: {contents}" if name else contents


def _condition(pile: Pile, states: Sequence[Mapping[str, str]]) -> str:
    """Where a pile is, and what most of it is ("in the pan, cooked, hot"), or, where its parts have
    nothing in common, what some of them are."""
    phrases = [at_place(pile.place)] if pile.place else []
    common = state_of_most(states)
    where = common.pop("location", None)
    if where in APPLIANCES and where != pile.place and not _has_left(where, common):
        phrases.append(at_place(where))
    common.pop("composition", None)  # that is what a pile is
    if len(pile.ingredients) > 1:
        common.pop("shape", None)  # one word for the shapes of several things tells a cook nothing
    known = in_order(common) or _of_some(states)
    return ", ".join([*phrases, *known]) or "nothing more known"


def state_of_most(states: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What most portions of a pile are."""
    common: dict[str, str] = {}
    for type in dict.fromkeys(type for state in states for type in state):
        end, times = Counter(state.get(type) for state in states).most_common(1)[0]
        if end is not None and 2 * times > len(states):
            common[type] = end
    return common


def _has_left(appliance: str, state: Mapping[str, str]) -> bool:
    """Whether what was put into an appliance has since been taken out: a cake that is at room
    temperature is not in the oven any more, though no step names where it cools."""
    kept = "cold" if appliance in COLD_APPLIANCES else "hot"
    return state.get("temperature", kept) != kept


def _of_some(states: Sequence[Mapping[str, str]]) -> list[str]:
    """What is known of some of what is in a pile: "its parts differ: some cooked, some hot"."""
    ends: dict[str, None] = {}
    for type in ("cookedness", "temperature"):
        for end in dict.fromkeys(state[type] for state in states if type in state):
            at = "at " if (type, end) == ("temperature", "room") else ""
            ends[f"some {at}{end_state(type, end)}"] = None
    return [f"its parts differ: {', '.join(ends)}"] if ends else []


def at_place(place: str) -> str:
    """Where that is: "in the bowl", "on the plate"."""
    words = plain(place)
    return f"{'on' if words.split()[-1:] and words.split()[-1] in ON else 'in'} the {words}"


def _by_final_state(trace: Trace, names: Sequence[str]) -> list[tuple[str, str]]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, state in zip(names, trace.states, strict=True):
        if state:
            groups.setdefault(tuple(in_order(state)), []).append(name)
    return [(", ".join(who), ", ".join(state)) for state, who in groups.items()]


def ordinal(number: int) -> str:
    """Of a number counted from 0: "1st", "2nd"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get((number + 1) % 10, "th")
    return f"{number + 1}{'th' if 10 < (number + 1) % 100 < 14 else ending}"
