"""The scene: what lies where and is part of what, and how a clause changes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from npn.knowledge.clauses import CONDITION, GOAL, OBJECT, REMARK, SOURCE, WITH, Clause
from npn.knowledge.effects import Effects
from npn.knowledge.lexicon import Action, Lexicon
from npn.knowledge.mixtures import Mixture, Mixtures
from npn.knowledge.places import Place
from npn.knowledge.references import REST, Reference
from npn.language.matching import Mention
from npn.language.names import IngredientNames

# Actions that make one of all they name; the others that combine add to what is there.
TOGETHER = frozenset(
    """mix combine whisk blend beat cream sift toss stir process shake puree mash whip dissolve
    pulse cook boil saute fry heat grind""".split()
)
PARTICLES = frozenset({"in", "on", "over", "into", "onto"})
STOVETOP = frozenset("pan skillet saucepan pot wok kettle griddle frypan fryer boiler".split())
# With a tool for its object, the action is done to the tool.
TOOL_ACTIONS = frozenset(
    """preheat heat grease butter oil spray line flour coat prepare light wipe clean turn reduce
    lower increase raise adjust scrape set dust rinse wash soak brush wet dampen use""".split()
)
TOOLS = frozenset(
    """heat oven grill broiler pan pans skillet rack racks sheet sheets dish dishes bowl bowls
    temperature flame burner sides side griddle wok saucepan pot mold molds tin tins cups cup
    processor blender mixer speed charcoal coals barbecue foil paper surface board hands knife
    plate plates platter casserole cooker water fire microwave ramekins ramekin jars jar lid
    thermometer skewers""".split()
)
GENERIC = frozenset({"it", "mixture", "food", "content", "piece", "combination", "all", "liquid"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence and what was found in it."""

    words: Sequence[str]
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]


@dataclass(slots=True)
class Parts:
    """The mixtures that the words of a clause stand for, by the role of the words."""

    objects: list[Mixture] = field(default_factory=list)
    withs: list[Mixture] = field(default_factory=list)
    goals: list[Mixture] = field(default_factory=list)
    sources: list[Mixture] = field(default_factory=list)
    conditions: list[Mixture] = field(default_factory=list)
    named: set[int] = field(default_factory=set)  # objects by their own names

    def of(self, role: str) -> list[Mixture]:
        return {
            OBJECT: self.objects, WITH: self.withs, GOAL: self.goals, SOURCE: self.sources,
        }.get(role, self.conditions)  # fmt: skip

    def all(self) -> list[Mixture]:
        return [*self.objects, *self.withs, *self.goals]


@dataclass(slots=True)
class Scene:
    lexicon: Lexicon
    names: Sequence[IngredientNames]
    mixtures: Mixtures
    effects: Effects

    def copy(self) -> Scene:
        return replace(self, mixtures=self.mixtures.copy(), effects=self.effects.copy())

    def unused(self) -> list[int]:
        used = {i for mixture in self.mixtures.all for i in mixture.members}
        return [i for i in range(len(self.names)) if i not in used]

    def act(self, action: Action, clause: Clause, reading: Reading) -> set[int]:
        """Simulate one clause; returns the ingredients it acts on."""
        focus = self.mixtures.last()
        on_tool = self._on_tool(action, clause, reading)
        parts = self._parts(action, clause, reading)
        place = self._place(clause, reading)
        if on_tool:
            return {i for mixture in parts.withs for i in mixture.members}
        if action.serves:
            if not parts.all():
                return set()
            if focus is not None and not parts.objects:
                parts.objects.append(focus)
        if action.separates and parts.named:
            return self._separate(action, clause, reading, parts, place)
        objects = [*parts.objects, *parts.withs]
        goals = parts.goals
        if not objects:
            if parts.goals or not (action.combines or action.may_combine):
                pass
            implied = self._implied(parts, focus)
            objects = [implied] if implied is not None else []
        elif not goals and _over(clause, reading):
            there = self.mixtures.last(besides=objects)
            if there is not None:
                goals = [there]
        elif not goals and self._joins_scene(action, clause, reading, parts):
            there = self._in_place(place, objects) or (
                None if place is not None and place.fresh else focus
            )
            if there is not None:
                goals = [there]
        if not goals and place is not None and not place.fresh:
            there = self._in_place(place, objects)
            if there is not None and (action.combines or action.may_combine):
                goals = [there]
        if not goals and "cookedness" in action.changes and focus is not None:
            if self._cooks_in(focus, objects, place):
                goals = [focus]
        acting = _distinct([*goals, *objects])
        if not acting:
            return set()
        moving = {i for mixture in objects for i in mixture.members}
        joined = len(acting) > 1 and (
            action.combines or action.may_combine or bool(goals) or bool(parts.withs)
            or "cookedness" in action.changes or "composition" in action.changes
        )
        if joined:
            acting = [self.mixtures.join(acting)]
        for mixture in acting:
            self.mixtures.touch(mixture)
        members = {i for mixture in acting for i in mixture.members}
        self._change(action, clause, reading, members, moving, joined, place, goals)
        return members

    # Who: from words to mixtures

    def _parts(self, action: Action, clause: Clause, reading: Reading) -> Parts:
        parts = Parts()
        for mention in reading.mentions:
            if clause.start <= mention.start < clause.end:
                role = clause.role(mention.start)
                mixture = self._mentioned(mention, role, action, reading)
                if mixture is not None:
                    parts.of(role).append(mixture)
                    if role == OBJECT:
                        parts.named.add(mention.ingredient)
        named = [m.end for m in reading.mentions]
        for reference in reading.references:
            if clause.start <= reference.at < clause.end and reference.at not in named:
                role = clause.role(reference.at)
                if role == CONDITION and reference.ingredients:
                    continue
                elided = role == GOAL and not parts.objects and not parts.withs
                mixture = self._referred(reference, parts, self.mixtures.last() if elided else None)
                if mixture is not None:
                    parts.of(role).append(mixture)
        return parts

    def _mentioned(
        self, mention: Mention, role: str, action: Action, reading: Reading
    ) -> Mixture | None:
        held = self.mixtures.holding(mention.ingredient)
        if held is None:
            if role == REMARK:
                return None
            return self.mixtures.begin([mention.ingredient])
        rest = not REST.isdisjoint(reading.words[max(0, mention.start - 4) : mention.start])
        if len(held.members) > 1 and (rest or (mention.amount and action.combines)):
            portion = Mixture({mention.ingredient})
            self.mixtures.all.append(portion)
            return portion
        return held

    def _referred(
        self, reference: Reference, parts: Parts, elided: Mixture | None
    ) -> Mixture | None:
        if reference.name in ("dry", "wet"):
            kind = set(reference.ingredients)
            made = [m for m in self.mixtures.all if len(m.members) > 1 and m.members <= kind]
            if made:
                return max(made, key=lambda m: m.touched)
        if reference.ingredients:
            fresh = [i for i in reference.ingredients if self.mixtures.holding(i) is None]
            if fresh:
                return self.mixtures.begin(fresh)
            return self.mixtures.holding(reference.ingredients[0])
        known = self.mixtures.called(reference.name)
        if known is not None:
            return known
        others = [m for m in self.mixtures.all if not any(m is p for p in parts.all())]
        if elided is not None and len(others) > 1:
            others = [m for m in others if m is not elided]
        several = [m for m in others if len(m.members) > 1]
        found = max(several or others, key=lambda m: m.touched, default=None)
        if reference.name == "it" and parts.objects:
            return None
        if found is not None and reference.name not in GENERIC and reference.name:
            found.names.add(reference.name)
        return found

    def _implied(self, parts: Parts, focus: Mixture | None) -> Mixture | None:
        """What is meant where the clause names no object."""
        for mixture in (*parts.conditions, *parts.sources):
            return mixture
        others = [m for m in self.mixtures.all if not any(m is p for p in parts.goals)]
        return max(others, key=lambda m: m.touched, default=None)

    # Where

    def _place(self, clause: Clause, reading: Reading) -> Place | None:
        for place in reversed(reading.places):
            if (
                clause.start <= place.start < clause.end
                and clause.role(place.start) == GOAL
                and not place.doubtful
            ):
                return place
        return None

    def _in_place(self, place: Place | None, besides: Iterable[Mixture]) -> Mixture | None:
        if place is None:
            return None
        others = [
            m
            for m in self.mixtures.all
            if not any(m is b for b in besides) and self.effects.where(m.members) == place.name
        ]
        return max(others, key=lambda m: m.touched, default=None)

    def _on_tool(self, action: Action, clause: Clause, reading: Reading) -> bool:
        """Whether it is a tool that the clause acts on: "grease a pan", "reduce the heat"."""
        if action.name not in TOOL_ACTIONS and not action.equipment:
            return False
        food = {m.start for m in reading.mentions} | {r.at for r in reading.references}
        for at in range(clause.verb + 1, clause.end):
            if clause.role(at) != OBJECT:
                break
            if at in food:
                return False
            if reading.words[at] in TOOLS:
                return True
        return action.equipment

    # How

    def _joins_scene(
        self, action: Action, clause: Clause, reading: Reading, parts: Parts
    ) -> bool:
        """Whether what the clause names is added to what is already under way."""
        after = reading.words[clause.verb + 1] if clause.verb + 1 < clause.end else ""
        if not action.combines:
            return action.may_combine and (
                "top" in reading.words[clause.verb : clause.end] or after == "in"
            )
        if after in PARTICLES:
            return True
        if action.name in TOGETHER:
            return False
        return not (parts.objects and parts.withs)

    def _cooks_in(
        self, focus: Mixture, objects: Sequence[Mixture], place: Place | None
    ) -> bool:
        if any(m is focus for m in objects):
            return False
        where = self.effects.where(focus.members)
        return where in STOVETOP and (place is None or place.name == where)

    def _separate(
        self,
        action: Action,
        clause: Clause,
        reading: Reading,
        parts: Parts,
        place: Place | None,
    ) -> set[int]:
        out = set(parts.named)
        held = [self.mixtures.holding(i) for i in out]
        import os
        V = os.environ.get("SEP","C")
        whole = {i for m in held if m for i in m.members}
        if V in "AB" and action.name != "discard":
            for m in held:
                if m is not None:
                    self.mixtures.touch(m)
            if place is not None: self.effects.change("location", place.name, out)
            if len(whole)>len(out): self.effects.change("composition", "not composed", out)
            if V=="B":
                self.mixtures.take_out(out)
                return whole
            return out
        if any(m is not None and len(m.members) > len(out) for m in held):
            self.mixtures.take_out(out)
            self.effects.change("composition", "not composed", out)
        else:
            for m in held:
                if m is not None:
                    self.mixtures.touch(m)
        if place is not None:
            self.effects.change("location", place.name, out)
        return out

    def _change(
        self,
        action: Action,
        clause: Clause,
        reading: Reading,
        members: set[int],
        moving: set[int],
        joined: bool,
        place: Place | None,
        goals: Sequence[Mixture],
    ) -> None:
        for type, end_state in action.changes.items():
            if type == "location" or type in action.doubtful:
                continue
            if type == "composition":
                if end_state == "composed" and len(members) > 1:
                    self.effects.change(type, end_state, members)
            elif type == "shape":
                self.effects.change(type, end_state, moving)
            else:
                self.effects.change(type, end_state, members)
        if joined and "composition" not in action.changes:
            self.effects.change("composition", "composed", members)
        where = place.name if place is not None else action.changes.get("location", "")
        if where:
            self.effects.change("location", where, moving if goals else members)
        elif joined and self.effects.where(members):
            self.effects.change("location", self.effects.where(members), members)
        elif action.default_location:
            self.effects.change("location", action.default_location, members)


def _over(clause: Clause, reading: Reading) -> bool:
    """Whether the clause ends in "over" or "on top": over what is meant goes without saying."""
    words = [w for w in reading.words[clause.verb + 1 : clause.end] if w.isalpha()]
    return bool(words) and (
        words[-1] in ("over", "top", "tops", "in") or "on top" in " ".join(words[:6])
    )


def _distinct(mixtures: Iterable[Mixture]) -> list[Mixture]:
    return list({id(mixture): mixture for mixture in mixtures}.values())
