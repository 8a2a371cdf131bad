"""The rules, watched: what they found in a sentence and what they did is kept for the network."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields

from npn.knowledge.clauses import Clause
from npn.knowledge.effects import Effects
from npn.knowledge.lexicon import Action
from npn.knowledge.reading import Reading
from npn.knowledge.scene import Scene
from npn.language.matching import Matcher, Mention

_SCENE = [one.name for one in fields(Scene)]
_EFFECTS = [one.name for one in fields(Effects)]


@dataclass(slots=True)
class Act:
    action: Action
    clause: Clause
    reading: Reading
    members: set[int]


@dataclass(slots=True)
class WatchedEffects(Effects):
    """Effects that keep whose states may have changed."""

    touched: set[int] = field(default_factory=set)

    @staticmethod
    def of(effects: Effects) -> WatchedEffects:
        return WatchedEffects(*[getattr(effects, name) for name in _EFFECTS])

    def copy(self) -> WatchedEffects:
        return WatchedEffects.of(Effects.copy(self))

    def change(
        self, type: str, end_state: str, ingredients: Collection[int], anew: bool = False
    ) -> None:
        if ingredients:
            states = self.states
            self.touched.update([i for i in ingredients if states[i].get(type) != end_state])
            Effects.change(self, type, end_state, ingredients, anew)

    def leave(self, place: str, ingredients: Collection[int]) -> None:
        self.touched.update(ingredients)
        Effects.leave(self, place, ingredients)


@dataclass(slots=True)
class WatchedScene(Scene):
    """A scene that keeps what the clauses of a sentence did."""

    acts: list[Act] = field(default_factory=list)

    @staticmethod
    def of(scene: Scene) -> WatchedScene:
        watched = WatchedScene(*[getattr(scene, name) for name in _SCENE])
        watched.effects = WatchedEffects.of(scene.effects)
        return watched

    def act(self, action: Action, clause: Clause, reading: Reading) -> set[int]:
        members = Scene.act(self, action, clause, reading)
        self.acts.append(Act(action, clause, reading, members))
        return members


class WatchedMatcher(Matcher):
    """A matcher that keeps what it finds in a sentence, not what it is asked of parts of it."""

    __slots__ = ("mentions", "waiting", "words")
    waiting: bool  # for a sentence

    @staticmethod
    def of(matcher: Matcher) -> WatchedMatcher:
        watched = WatchedMatcher.__new__(WatchedMatcher)
        for name in Matcher.__slots__:
            setattr(watched, name, getattr(matcher, name))
        return watched

    def match(self, words: Sequence[str]) -> list[Mention]:
        mentions = super().match(words)
        if self.waiting:
            self.waiting = False
            self.words, self.mentions = words, mentions
        return mentions
