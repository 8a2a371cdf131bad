"""The scene: what lies where and is part of what, and how a clause changes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from npn.knowledge.clauses import CONDITION, GOAL, OBJECT, REMARK, SOURCE, WITH, Clause
from npn.knowledge.consequences import TOGETHER, Deed, change
from npn.knowledge.effects import Effects
from npn.knowledge.lexicon import Action, Lexicon
from npn.knowledge.mixtures import Mixture, Mixtures
from npn.knowledge.places import Place
from npn.knowledge.reading import Reading
from npn.knowledge.references import REST, Reference
from npn.language.matching import Mention
from npn.language.names import IngredientNames

PARTICLES = frozenset({"in", "on", "over", "into", "onto"})
STOVETOP = frozenset("""pan skillet saucepan pot wok kettle griddle frypan fryer boiler""".split())
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

    def unused(self, besides: Sequence[Mention] = ()) -> list[int]:
        used = {i for mixture in self.mixtures.all for i in mixture.members}
        used |= {mention.ingredient for mention in besides}
        return [i for i in range(len(self.names)) if i not in used]

    def act(self, action: Action, clause: Clause, reading: Reading) -> set[int]:
        """Simulate one clause; returns the ingredients it acts on."""
        focus = self.mixtures.last()
        on_tool = self.on_tool(clause, reading)
        parts = self._parts(action, clause, reading)
        place = self._place(clause, reading)
        if on_tool:
            if action.changes.get("temperature") == "hot":
                self.effects.stage = self._vessel(clause, reading)
            used = {i for mixture in parts.withs for i in mixture.members}
            return used
        if action.serves:
            if not parts.all():
                return set()
            if focus is not None and not parts.objects:
                parts.objects.append(focus)
        if action.separates and parts.named and "shape" not in action.changes:
            return self._separate(parts, place)
        objects = [*parts.objects, *parts.withs]
        goals = parts.goals
        if goals and parts.withs and not parts.objects:
            implied = self._implied(parts, focus)
            objects += [implied] if implied is not None else []
        if not objects and self._boils_water(clause, reading):
            self.effects.stage = self._vessel(clause, reading)
            return set()
        if not objects:
            implied = self._implied(parts, focus)
            objects = [implied] if implied is not None else []
            if action.name == "add" and objects and not goals and place is None:
                there = self.mixtures.last(besides=objects)
                goals = [there] if there is not None else []
        elif not goals and _over(clause, reading):
            there = self.mixtures.last(besides=objects)
            if there is not None:
                goals = [there]
        elif not goals and self._joins_scene(action, clause, reading, parts):
            there = self._in_place(place, objects) or (
                None if place is not None and place.fresh else self._under_way(objects)
            )
            if there is not None:
                goals = [there]
        if not goals and place is not None and not place.fresh:
            there = self._in_place(place, objects)
            if there is not None and (
                action.combines or action.may_combine or "cookedness" in action.changes
            ):
                goals = [there]
        if (
            not goals
            and "cookedness" in action.changes
            and focus is not None
            and self._cooks_in(focus, objects, place)
        ):
            goals = [focus]
        acting = _distinct([*goals, *objects])
        if not acting:
            return set()
        moving = {i for mixture in objects for i in mixture.members}
        goal = {i for mixture in goals for i in mixture.members}
        where = self.effects.where(goal)
        joined = len(acting) > 1 and (
            action.combines
            or action.may_combine
            or bool(goals)
            or bool(parts.withs)
            or "cookedness" in action.changes
            or "composition" in action.changes
            or (
                len(objects) > 1
                and (place is not None or action.changes.get("temperature") == "hot")
            )
        )
        if joined:
            acting = [self.mixtures.join(acting)]
        for mixture in acting:
            self.mixtures.touch(mixture)
        for name in self._given_names(clause, reading):
            acting[0].names.add(name)
        members = {i for mixture in acting for i in mixture.members}
        change(
            Deed(
                action,
                clause,
                reading,
                members,
                moving,
                goal - moving,
                where,
                joined,
                place,
                frozenset(
                    m.ingredient for m in reading.mentions if clause.start <= m.start < clause.end
                ),
            ),
            self.effects,
            self.names,
        )
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
                if role == REMARK and reference.at < clause.verb:
                    continue
                if role == CONDITION and reference.ingredients:
                    continue
                if role == GOAL and "shape" in action.changes and not action.combines:
                    between = reading.words[clause.verb + 1 : reference.at]
                    if "into" in between or "to" in between:
                        continue  # what it becomes: "roll into balls"
                into = reading.words[clause.verb + 1 : clause.verb + 2] == ["in"]
                elided = (role == GOAL or (role == OBJECT and into)) and not parts.objects
                mixture = self._referred(reference, parts, self.mixtures.last() if elided else None)
                if mixture is not None:
                    parts.of(role).append(mixture)
        return parts

    def _given_names(self, clause: Clause, reading: Reading) -> list[str]:
        """What the clause makes: "For the sauce, combine …"."""
        return [
            r.name
            for r in reading.references
            if clause.start <= r.at < clause.verb
            and clause.role(r.at) == REMARK
            and r.name not in GENERIC
        ]

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
        """Where the clause puts things: the first place after its verb, or one before it."""
        goals = [
            place
            for place in reading.places
            if clause.start <= place.start < clause.end
            and clause.role(place.start) == GOAL
            and not place.doubtful
        ]
        after = [place for place in goals if place.start > clause.verb]
        return next(iter(after or goals), None)

    def _in_place(self, place: Place | None, besides: Iterable[Mixture]) -> Mixture | None:
        if place is None:
            return None
        others = [
            m
            for m in self.mixtures.all
            if not any(m is b for b in besides)
            and (
                self.effects.where(m.members) == place.name
                or (place.name == "pan" and self.effects.where(m.members) in STOVETOP)
            )
        ]
        if len(others) > 1 and place.name in STOVETOP:
            return self.mixtures.join(others)
        return max(others, key=lambda m: m.touched, default=None)

    def on_tool(self, clause: Clause, reading: Reading) -> bool:
        """Whether it is a tool that the clause acts on: "grease a pan", "reduce the heat"."""
        action = self.lexicon.action(clause.action)
        if action is None or (action.name not in TOOL_ACTIONS and not action.equipment):
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

    def _joins_scene(self, action: Action, clause: Clause, reading: Reading, parts: Parts) -> bool:
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
        return action.name == "add" or not (parts.objects and parts.withs)

    def _under_way(self, besides: Sequence[Mixture]) -> Mixture | None:
        """What is being made: the last touched that is more than one ingredient made ready."""
        others = [m for m in self.mixtures.all if not any(m is b for b in besides)]
        made = [m for m in others if len(m.members) > 1 or self.effects.where(m.members)]
        return max(made or others, key=lambda m: m.touched, default=None)

    def _cooks_in(self, focus: Mixture, objects: Sequence[Mixture], place: Place | None) -> bool:
        if any(m is focus for m in objects):
            return False
        where = self.effects.where(focus.members)
        return where in STOVETOP and (place is None or place.name == where)

    def _separate(self, parts: Parts, place: Place | None) -> set[int]:
        """Take what is named out of what it is in."""
        out = set(parts.named)
        held = [self.mixtures.holding(i) for i in out]
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

    def _vessel(self, clause: Clause, reading: Reading) -> str:
        """The pot or pan that the clause makes ready, or nothing."""
        return next(
            (
                place.name
                for place in reading.places
                if clause.start <= place.start < clause.end and place.name in STOVETOP
            ),
            "",
        )

    def _boils_water(self, clause: Clause, reading: Reading) -> bool:
        """Whether the clause heats water that is not in the list."""
        words = reading.words[clause.start : clause.end]
        return "water" in words and not any(
            m.start == clause.start + words.index("water") for m in reading.mentions
        )


def _over(clause: Clause, reading: Reading) -> bool:
    """Whether the clause ends in "over" or "on top": over what is meant goes without saying."""
    words = [w for w in reading.words[clause.verb + 1 : clause.end] if w.isalpha()]
    return bool(words) and (
        words[-1] in ("over", "top", "tops", "in") or "on top" in " ".join(words[:6])
    )


def _distinct(mixtures: Iterable[Mixture]) -> list[Mixture]:
    return list({id(mixture): mixture for mixture in mixtures}.values())
