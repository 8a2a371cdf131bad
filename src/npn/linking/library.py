"""Going through a library, recipe by recipe."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from npn.errors import NpnError
from npn.linking.journal import BEGUN, DONE, UNDONE, Journal, JournalEntry
from npn.linking.manager import Data, Listed, Manager, MissingError, RefusedError, Steps
from npn.linking.plan import Plan, parts_of
from npn.recipe import Recipe
from npn.trace import Trace

Tracking = Callable[[Iterable[Recipe]], Iterable[Trace | NpnError]]  # in the recipes' order

MOST_REFUSED = 5  # changes that are refused before the first that is not


@dataclass(frozen=True, slots=True)
class LinkChoice:
    """`every` links each step that touches an ingredient, not only those that take it from the
    list; `relink` also replaces links that somebody has set. Only the recipes with the keys `only`
    are linked (all, where it is empty), and none with the keys `skip`."""

    every: bool = False
    relink: bool = False
    only: Collection[str] = ()
    skip: Collection[str] = ()


@dataclass(slots=True)
class Tally:
    """How many recipes were (or would be) linked, were done in an earlier run, have somebody's
    links, and need no change; which cannot be linked, by title and with the reason; and how many
    of these the server does not let us change."""

    linked: int = 0
    before: int = 0
    kept: int = 0
    same: int = 0
    unfit: list[tuple[str, str]] = field(default_factory=list)
    refused: int = 0


@dataclass(slots=True)
class Linking:
    """One way through a library: every recipe is planned, its plan shown, and with `change` carried
    out."""

    journal: Journal
    choice: LinkChoice
    show: Callable[[Plan], None]
    change: bool
    tally: Tally = field(default_factory=Tally)

    @property
    def manager(self) -> Manager:
        return self.journal.manager

    def run(self, tracking: Callable[[int], AbstractContextManager[Tracking]]) -> Tally:
        """`tracking` is told how many recipes there are, and gives what tracks them, which may read
        some ahead. Where the server fails, NpnError says at which recipe, and how far it went."""
        every = self._listed()
        waiting: deque[tuple[Listed, Data]] = deque()  # for their traces

        def recipes() -> Iterator[Recipe]:
            for listed in every:
                with self._stopping_at(listed):
                    found = self._read(listed)
                if found is not None:
                    data, recipe = found
                    waiting.append((listed, data))
                    yield recipe

        with tracking(len(every)) as track:
            for trace in track(recipes()):
                listed, data = waiting.popleft()
                with self._stopping_at(listed):
                    self._link(listed, data, trace)
        return self.tally

    def _listed(self) -> list[Listed]:
        """All recipes before the first is changed: changes could reorder the server's pages."""
        only, skip = self.choice.only, self.choice.skip
        listed = list(self.manager.listed())
        missing = set(only) - {one.key for one in listed}
        if missing:
            raise NpnError(f"{self.manager.url} has no recipe {', '.join(sorted(missing))}")
        return [one for one in listed if (not only or one.key in only) and one.key not in skip]

    @contextmanager
    def _stopping_at(self, listed: Listed) -> Iterator[None]:
        try:
            yield
        except NpnError as error:
            sentence = (
                f"{error}; it stopped at {listed.title} (--skip {listed.key} leaves that out)"
            )
            linked = self.tally.linked
            if self.change and linked:
                recipes = "1 recipe was" if linked == 1 else f"{linked:,} recipes were"
                sentence += (
                    f", and {recipes} linked before that: run the same command to go on, or undo "
                    f"it with --undo {self.journal.path}"
                )
            raise NpnError(sentence) from error

    def _read(self, listed: Listed) -> tuple[Data, Recipe] | None:
        """The recipe as the server has it and for trackers, None where it is to be left as it
        is."""
        tally, known = self.tally, self.journal.last(listed.key)
        if known and known.state == DONE and not self.choice.relink:
            tally.before += 1
            return None
        try:
            data = self.manager.fetch(listed.key)
        except MissingError:
            tally.unfit.append((listed.title, "it is no longer there"))
            return None
        steps = self.manager.steps(data)
        if known and known.state == BEGUN and self.manager.same(steps, known.after):
            if self.change:
                self.journal.mark(known, DONE)
            tally.before += 1
            return None
        if self.manager.is_linked(data) and not self.choice.relink:
            tally.kept += 1
            return None
        try:
            return data, self.manager.recipe(data)
        except NpnError as error:
            tally.unfit.append((listed.title, str(error)))
            return None

    def _link(self, listed: Listed, data: Data, trace: Trace | NpnError) -> None:
        """Link a recipe by its trace, or note why its tracker could not make one."""
        manager, tally = self.manager, self.tally
        if isinstance(trace, NpnError):
            tally.unfit.append((listed.title, str(trace)))
            return
        parts = parts_of(trace, self.choice.every)
        before, after = manager.steps(data), manager.linked(data, parts)
        if manager.same(before, after):
            tally.same += 1
            return
        plan = Plan(listed, before, after, trace, parts)
        self.show(plan)
        try:
            if self.change:
                self._change(plan)
            tally.linked += 1
        except RefusedError as error:
            tally.unfit.append((listed.title, str(error)))
            tally.refused += 1
            self._check_token()

    def _check_token(self) -> None:
        """One recipe may be locked; where nothing but refusals came, it is the token."""
        if not self.tally.linked and self.tally.refused >= MOST_REFUSED:
            raise NpnError(
                f"{self.manager.url} lets this token change no recipe: make one in "
                f"{self.manager.title} that may write, and set {self.manager.variable} to it"
            )

    def _change(self, plan: Plan) -> None:
        entry = self.journal.begin(plan)
        try:
            answered = self.manager.replace_steps(entry.key, entry.after)
        except RefusedError:
            self.journal.mark(entry, UNDONE)
            raise
        if answered is not None and not self.manager.same(answered, entry.after):
            self.manager.replace_steps(entry.key, entry.before)
            raise NpnError(
                f"{self.manager.url} did not keep the links of {entry.title} as they were given; "
                "its steps were put back"
            )
        self.journal.mark(entry, DONE)


@dataclass(slots=True)
class Undone:
    """How many recipes were (or would be) put back, are as they were already, and have been changed
    by somebody since, which are left alone, or are gone."""

    put_back: int = 0
    already: int = 0
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def undo(journal: Journal, show: Callable[[JournalEntry], None], *, change: bool) -> Undone:
    """Put back every recipe of the journal, the last first; without `change` only say what would
    be put back."""
    tally, manager = Undone(), journal.manager
    now: dict[str, Steps] = {}  # the steps of a recipe after what was undone so far
    for entry in reversed(journal.entries):
        if entry.state == UNDONE:
            continue
        try:
            if entry.key not in now:
                now[entry.key] = manager.steps(manager.fetch(entry.key))
        except MissingError:
            tally.gone.append(entry.title)
            continue
        if manager.same(now[entry.key], entry.before):
            tally.already += 1
        elif manager.same(now[entry.key], entry.after):
            show(entry)
            if change:
                manager.replace_steps(entry.key, entry.before)
            now[entry.key] = entry.before
            tally.put_back += 1
        else:
            tally.changed.append(entry.title)
            continue
        if change:
            journal.mark(entry, UNDONE)
    return tally
