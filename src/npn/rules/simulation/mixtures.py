"""Which ingredients are together: several mixtures side by side, each with the names the text has
given it, in the order in which they were last touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

TOUCHED = attrgetter("touched")
Groups = tuple[tuple[int, ...], ...]


@dataclass(slots=True, eq=False)
class Mixture:
    """One or more ingredients that are acted on as one. A divided ingredient ("half the sugar",
    "the remaining sugar") can be in several."""

    members: set[int]
    names: set[str] = field(default_factory=set)
    touched: int = 0  # when it was last acted on
    aside: bool = False  # taken out of another: nothing is added to it unless it is named

    def copy(self) -> Mixture:
        return replace(self, members=set(self.members), names=set(self.names))


@dataclass(slots=True)
class Mixtures:
    all: list[Mixture] = field(default_factory=list)
    clock: int = 0
    _newest: Mixture | None = None  # the one touched last, whether it is still there or not
    _groups: Groups | None = None  # until they change

    def copy(self) -> Mixtures:
        return Mixtures([mixture.copy() for mixture in self.all], self.clock)

    @property
    def any_made(self) -> bool:
        """Whether anything has been put together yet."""
        return max([len(mixture.members) for mixture in self.all], default=0) > 1

    def touch(self, mixture: Mixture) -> None:
        self.clock += 1
        mixture.touched = self.clock
        mixture.aside = False
        self._newest = mixture

    def last(self, besides: Sequence[Mixture] = ()) -> Mixture | None:
        """The mixture touched last: what is meant when nothing is named."""
        newest = self._newest
        if newest is not None and newest not in besides and newest in self.all:
            return newest
        return max(self.others(besides), key=TOUCHED, default=None)

    def others(self, besides: Sequence[Mixture]) -> list[Mixture]:
        return [mixture for mixture in self.all if mixture not in besides]

    def holding(self, ingredient: int) -> Mixture | None:
        """The mixture, the last touched one, of which an ingredient is part."""
        found = None
        for mixture in self.all:
            if ingredient in mixture.members and (found is None or mixture.touched > found.touched):
                found = mixture
        return found

    def called(self, name: str) -> Mixture | None:
        so_called = [mixture for mixture in self.all if name in mixture.names]
        return max(so_called, key=TOUCHED, default=None)

    def begin(self, members: Iterable[int]) -> Mixture:
        mixture = Mixture(set(members))
        self.all.append(mixture)
        self.touch(mixture)
        self._groups = None
        return mixture

    def divide(self, ingredient: int) -> Mixture:
        """A portion of an ingredient whose other portion is in a mixture already."""
        portion = Mixture({ingredient})
        self.all.append(portion)
        return portion

    def join(self, mixtures: Iterable[Mixture]) -> Mixture:
        """Make one of several, and touch it."""
        first, *others = mixtures
        for other in others:
            if other is not first:
                first.members |= other.members
                first.names |= other.names
                if other in self.all:
                    self.all.remove(other)
        self.touch(first)
        self._groups = None
        return first

    def take_out(self, ingredients: Iterable[int]) -> Mixture:
        """Part some ingredients from what they are in; they stay together."""
        out = set(ingredients)
        for mixture in self.all:
            mixture.members -= out
        self.all = [mixture for mixture in self.all if mixture.members]
        portion = self.begin(out)
        portion.aside = True
        return portion

    @property
    def groups(self) -> Groups:
        """Those of two or more, for the trace."""
        if self._groups is None:
            groups = [tuple(sorted(m.members)) for m in self.all if len(m.members) > 1]
            self._groups = tuple(sorted({*groups})) if len(groups) > 1 else tuple(groups)
        return self._groups
