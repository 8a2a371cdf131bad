"""The scene: what lies where and is part of what, and how a clause changes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from npn.language.names import IngredientNames
from npn.rules.grammar.clauses import Clause
from npn.rules.grammar.places import STOVETOP, Place
from npn.rules.lexicon import Action
from npn.rules.simulation.consequences import TOGETHER, AppliedAction, change, is_a
from npn.rules.simulation.referents import Referents, find_referents, given_names, implied
from npn.rules.simulation.states import Effects, Mixture, Mixtures, last_touched, members_of
from npn.trace import Pile, Portion

FLAVORERS = frozenset("leaf stick sprig pod garni stalk bone clove".split())  # cooked along only
FILLING = frozenset({"fill", "cover", "line"})  # a vessel, with food


class Act(NamedTuple):
    """What a clause did: an action, on these ingredients."""

    action: Action
    clause: Clause
    members: set[int]


@dataclass(slots=True)
class Scene:
    names: Sequence[IngredientNames]
    mixtures: Mixtures
    effects: Effects
    used: set[int] = field(default_factory=set)  # the ingredients taken from the list so far

    def piles(self) -> tuple[Pile, ...]:
        """Everything that lies about and has been used, with the vessel that it is in."""
        piles = []
        for mixture in self.mixtures.all:
            members = sorted(mixture.members & self.used)
            if members:
                piles.append(Pile(tuple(map(Portion, members)), self.effects.place(members)))
        return tuple(piles)

    def unused(self) -> list[int]:
        """The ingredients that have not been touched yet."""
        used = members_of(self.mixtures.all)
        return [i for i in range(len(self.names)) if i not in used]

    def act(self, action: Action, clause: Clause) -> set[int]:
        """Simulate one clause; returns the ingredients it acts on."""
        focus = self.mixtures.last() if action.cooks or action.serves else None
        referents = find_referents(action, clause, self.mixtures)
        if clause.acts_on_tool(action):
            if action.heats:
                self.effects.ready_vessel = clause.vessel()
            return self._ready(clause, referents.withs)
        if action.serves:
            if not referents.all():
                return set()
            if focus is not None and not referents.objects:
                referents.objects.append(focus)
        apart = action.separates and referents.named and not action.reshapes
        if apart and not clause.takes_all():
            return self._separate(action, referents.named, referents.place)
        named = referents.objects or referents.withs
        if referents.place is None and action.changes.get("location") == "":
            referents.place = clause.bearer()
        watered = not named and (not action.combines or action.name in FILLING)
        if watered and clause.is_about_water():
            self.effects.ready_vessel = clause.vessel()
            return set()
        fills = action.name in FILLING and (referents.withs or action.name == "fill")
        if referents.place is None and not referents.objects and fills:
            referents.place = clause.filled()
            if referents.place is not None:
                referents.objects, referents.withs = referents.withs, []
        brings = action.combines or action.may_combine or clause.opens_with_particle()
        if not named and action.reshapes and not brings:  # "poke holes in the cake"
            referents.objects, referents.goals = referents.goals, []
        objects = self._objects(referents)
        goals = referents.goals or self._goals(referents, objects, focus)
        return self._together(referents, objects, goals)

    def _ready(self, clause: Clause, withs: Sequence[Mixture]) -> set[int]:
        """Make a tool ready with some food, or with paper; it is no part of what comes there."""
        filled = clause.filled()
        for mixture in withs:
            if len(mixture.members) == 1:
                mixture.aside = True
                if filled is not None:
                    self.effects.change("location", filled.name, mixture.members)
        used = members_of(withs)
        return used.intersection([mention.ingredient for mention in clause.mentions]) or used

    def _objects(self, referents: Referents) -> list[Mixture]:
        """What is acted on, named or not."""
        objects = [*referents.objects, *referents.withs]
        if referents.objects or (objects and not referents.goals and referents.place is None):
            return objects
        meant = implied(referents, self.mixtures)  # "toss with oil in a bowl": what is there
        return objects if meant is None else [*objects, meant]

    def _goals(
        self, referents: Referents, objects: Sequence[Mixture], focus: Mixture | None
    ) -> list[Mixture]:
        """What the objects go to, where the clause does not say: one mixture at most."""
        action, clause, place = referents.action, referents.clause, referents.place
        goal: Mixture | None = None
        if not referents.objects and not referents.withs:
            if action.name == "add" and objects and place is None:
                goal = self.mixtures.last(besides=objects)
        elif place is None and self.effects.ready_vessel and (action.cooks or action.name == "add"):
            return []  # it goes alone into the vessel that was made ready for it
        elif clause.ends_in_over():
            goal = self.mixtures.last(besides=objects)
        elif self._joins(referents):
            goal = self._in_place(place, objects)
            if goal is None and not (place is not None and place.fresh):
                named = bool(referents.objects)
                goal = self._under_way(objects) if named else self.mixtures.last(objects)
        cooks = action.cooks and not action.default_location  # bake: elsewhere
        if goal is None and place is not None and not place.fresh:
            there = self._in_place(place, objects)
            goal = there if action.combines or action.may_combine or cooks else None
        if goal is None and cooks and focus is not None and self._cooks_in(focus, objects, place):
            goal = focus
        return [] if goal is None else [goal]

    def _together(
        self, referents: Referents, objects: Sequence[Mixture], goals: Sequence[Mixture]
    ) -> set[int]:
        """Put objects and goals together if that is what the action does, and change them."""
        action, clause, place = referents.action, referents.clause, referents.place
        acting = list(dict.fromkeys([*goals, *objects]))
        if not acting:
            return set()
        moving = members_of(objects)
        host = members_of(goals)
        there = host - moving
        if not goals and action.combines and referents.objects and referents.withs:
            host = _biggest([*referents.objects, *referents.withs]).members
        where = self.effects.vessel(host)
        spread = members_of(referents.withs or referents.objects or objects)
        joined = len(acting) > 1 and (
            action.combines
            or action.may_combine
            or bool(goals or referents.withs)
            or action.cooks
            or action.heats
            or "composition" in action.changes
            or place is not None
        )
        if joined:
            acting = [self.mixtures.join(acting)]
        else:
            for mixture in acting:
                self.mixtures.touch(mixture)
        acting[0].names.update(given_names(clause))
        applied = AppliedAction(
            action, clause, moving, there, where, joined, place, spread, self.names
        )
        change(applied, self.effects)
        return applied.members

    def _separate(self, action: Action, out: set[int], place: Place | None) -> set[int]:
        """Take what is named out of what it is in."""
        held = [m for m in map(self.mixtures.holding, out) if m is not None]
        if any(len(mixture.members) > len(out) for mixture in held):
            self.mixtures.take_out(out)
            self.effects.change("composition", "not composed", out)
            if action.name == "discard" or all(is_a(self.names[i], FLAVORERS) for i in out):
                self.mixtures.touch(held[0])  # the cook goes on with the rest
        else:
            for mixture in held:
                self.mixtures.touch(mixture)
                mixture.aside = action.name == "remove"
            if action.name == "remove" and self.effects.where(out) in STOVETOP:
                self.effects.ready_vessel = self.effects.where(out)  # what comes next goes there
        if place is not None:
            self.effects.change("location", place.name, out)
        elif action.name == "remove":
            self.effects.leave(self.effects.where(out), out)
        return set(out)

    def _joins(self, referents: Referents) -> bool:
        """Whether what the clause names is added to what is already under way."""
        action, clause = referents.action, referents.clause
        if not action.combines:
            after = clause.after_verb
            return action.may_combine and ("top" in after or after[:1] == ["in"])
        if clause.opens_with_particle():
            return True
        if action.name in TOGETHER:
            return bool(referents.withs) and not referents.objects
        return action.name == "add" or not (referents.objects and referents.withs)

    def _in_place(self, place: Place | None, besides: Sequence[Mixture]) -> Mixture | None:
        """What lies in a place already: on the stove, all of it together."""
        if place is None:
            return None
        names = {place.name, *(STOVETOP if place.name == "pan" else ())}
        there = [
            mixture
            for mixture in self.mixtures.others(besides)
            if not mixture.aside and self.effects.where(mixture.members) in names
        ]
        if len(there) > 1 and place.name in STOVETOP:
            return self.mixtures.join(there)
        return last_touched(there)

    def _under_way(self, besides: Sequence[Mixture]) -> Mixture | None:
        """What is being made: the last touched that is more than one ingredient made ready."""
        others = self.mixtures.others(besides)
        others = [m for m in others if not m.aside] or others
        made = [m for m in others if len(m.members) > 1 or self._is_begun(m)]
        return last_touched(made or others)

    def _is_begun(self, mixture: Mixture) -> bool:
        """Whether more was done to it than to wash or cut it."""
        states = [self.effects.states[i] for i in mixture.members]
        return any(
            "location" in s or s.get("shape") == "deformed" or s.get("temperature") == "hot"
            for s in states
        )

    def _cooks_in(self, focus: Mixture, objects: Sequence[Mixture], place: Place | None) -> bool:
        """Whether food goes into the fat or stock that is on the stove, unsaid."""
        if focus in objects:
            return False
        where = self.effects.where(focus.members)
        return where in STOVETOP and (place is None or place.name == where)


def _biggest(mixtures: Sequence[Mixture]) -> Mixture:
    """Where the others go when things are put together with each other: the biggest mixture, or the
    first of what are none yet."""
    first, *others = mixtures
    made = [mixture for mixture in others if len(mixture.members) > 1]
    return max([first, *made], key=lambda mixture: len(mixture.members))
