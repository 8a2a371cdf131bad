"""Going through a library, recipe by recipe."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from npn.errors import NpnError
from npn.linking.journal import BEGUN, DONE, UNDONE, Journal, JournalEntry
from npn.linking.manager import Data, Listed, Manager, MissingError, RefusedError, Server, Steps
from npn.linking.plan import Linkable, LinkChoice, Plan, SkipKind, Skipped, look_at, make_plan
from npn.recipe import Recipe
from npn.trace import Trace

Tracking = Callable[[Iterable[Recipe]], Iterable[Trace | NpnError]]  # in the recipes' order

MOST_REFUSED = 5  # changes that are refused before the first that is not


@dataclass(slots=True)
class Tally:
    """How many recipes were (or would be) linked, were done in an earlier run, have somebody's
    links, need no change, and cannot be linked."""

    linked: int = 0
    before: int = 0
    kept: int = 0
    same: int = 0
    unfit: list[Skipped] = field(default_factory=list)

    def skip(self, one: Skipped) -> None:
        self.kept += one.kind is SkipKind.LINKED
        self.same += one.kind is SkipKind.SAME
        if one.kind in (SkipKind.UNFIT, SkipKind.REFUSED):
            self.unfit.append(one)


@dataclass(frozen=True, slots=True)
class Library:
    manager: Manager
    server: Server
    journal: Journal

    def link(
        self,
        tracking: Callable[[int], AbstractContextManager[Tracking]],
        choice: LinkChoice,
        show: Callable[[Plan], None],
        *,
        change: bool,
        only: Collection[str] = (),
        skip: Collection[str] = (),
    ) -> Tally:
        """Plan every recipe (or those with the keys `only`, and none with the keys `skip`) and show
        its plan; with `change`, carry it out, too. `tracking` is told how many recipes there are,
        and gives what tracks them, which may read some ahead. Where the server fails, NpnError says
        at which recipe, and how far it went."""
        tally = Tally()
        listed = self._listed(only, skip)
        waiting: deque[Linkable] = deque()

        def recipes() -> Iterator[Recipe]:
            for one in listed:
                with self._stopping_at(one, tally, change):
                    found = self._look_at(one, choice, change, tally)
                if found is not None:
                    waiting.append(found)
                    yield found.recipe

        with tracking(len(listed)) as track:
            for trace in track(recipes()):
                one = waiting.popleft()
                with self._stopping_at(one.listed, tally, change):
                    self._link_one(make_plan(self.manager, one, trace, choice), show, change, tally)
        return tally

    @contextmanager
    def _stopping_at(self, listed: Listed, tally: Tally, change: bool) -> Iterator[None]:
        try:
            yield
        except NpnError as error:
            raise NpnError(self._stopped(error, listed, tally, change)) from error

    def _listed(self, only: Collection[str], skip: Collection[str]) -> list[Listed]:
        """All recipes before the first is changed: changes could reorder the server's pages."""
        listed = list(self.manager.listed(self.server))
        missing = set(only) - {one.key for one in listed}
        if missing:
            raise NpnError(f"{self.server.url} has no recipe {', '.join(sorted(missing))}")
        return [one for one in listed if (not only or one.key in only) and one.key not in skip]

    def _stopped(self, error: NpnError, listed: Listed, tally: Tally, change: bool) -> str:
        sentence = f"{error}; it stopped at {listed.title} (--skip {listed.key} leaves that out)"
        if change and tally.linked:
            recipes = "1 recipe was" if tally.linked == 1 else f"{tally.linked:,} recipes were"
            sentence += (
                f", and {recipes} linked before that: run the same command to go on, or undo it "
                f"with --undo {self.journal.path}"
            )
        return sentence

    def _look_at(
        self, listed: Listed, choice: LinkChoice, change: bool, tally: Tally
    ) -> Linkable | None:
        """The recipe as the server has it, None where it is to be left as it is."""
        known = self.journal.last(listed.key)
        if known is not None and known.state == DONE and not choice.relink:
            tally.before += 1
            return None
        try:
            data = self.manager.fetch(self.server, listed.key)
        except MissingError:
            tally.skip(Skipped(*listed, SkipKind.UNFIT, "it is no longer there"))
            return None
        if known is not None and known.state == BEGUN and self._is(data, known.after):
            if change:
                self.journal.mark(known, DONE)
            tally.before += 1
            return None
        found = look_at(self.manager, listed, data, choice)
        if isinstance(found, Skipped):
            tally.skip(found)
            return None
        return found

    def _link_one(
        self, plan: Plan | Skipped, show: Callable[[Plan], None], change: bool, tally: Tally
    ) -> None:
        if isinstance(plan, Skipped):
            tally.skip(plan)
            return
        show(plan)
        try:
            if change:
                self._change(plan)
        except RefusedError as error:
            tally.skip(Skipped(plan.key, plan.title, SkipKind.REFUSED, str(error)))
            self._check_token(tally)
        else:
            tally.linked += 1

    def _check_token(self, tally: Tally) -> None:
        """One recipe may be locked; where nothing but refusals came, it is the token."""
        refused = sum(one.kind is SkipKind.REFUSED for one in tally.unfit)
        if not tally.linked and refused >= MOST_REFUSED:
            raise NpnError(
                f"{self.server.url} lets this token change no recipe: make one in "
                f"{self.manager.title} that may write, and set {self.manager.variable} to it"
            )

    def _is(self, data: Data, steps: Steps) -> bool:
        manager = self.manager
        return manager.signature(manager.steps(data)) == manager.signature(steps)

    def _change(self, plan: Plan) -> None:
        entry = self.journal.begin(plan)
        try:
            answered = self.manager.replace_steps(self.server, plan.key, plan.after)
        except RefusedError:
            self.journal.mark(entry, UNDONE)
            raise
        signature = self.manager.signature
        if answered is not None and signature(answered) != signature(plan.after):
            self._put_back(entry)
        self.journal.mark(entry, DONE)

    def _put_back(self, entry: JournalEntry) -> None:
        self.manager.replace_steps(self.server, entry.key, entry.before)
        raise NpnError(
            f"{self.server.url} did not keep the links of {entry.title} as they were given; its "
            "steps were put back"
        )


# -- Undoing what a journal says was done.


@dataclass(slots=True)
class Undone:
    """How many recipes were (or would be) put back, are as they were already, and have been changed
    by somebody since, which are left alone, or are gone."""

    put_back: int = 0
    already: int = 0
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def undo(library: Library, show: Callable[[JournalEntry], None], *, change: bool) -> Undone:
    """Put back every recipe of the journal, the last first; without `change` only say what would
    be put back."""
    tally = Undone()
    manager, server, journal = library.manager, library.server, library.journal
    now: dict[str, object] = {}  # what a recipe is after what was undone so far
    for entry in reversed(journal.entries.copy()):
        if entry.state == UNDONE:
            continue
        try:
            if entry.key not in now:
                now[entry.key] = manager.signature(manager.steps(manager.fetch(server, entry.key)))
        except MissingError:
            tally.gone.append(entry.title)
            continue
        if now[entry.key] == manager.signature(entry.before):
            tally.already += 1
        elif now[entry.key] == manager.signature(entry.after):
            show(entry)
            if change:
                manager.replace_steps(server, entry.key, entry.before)
            now[entry.key] = manager.signature(entry.before)
            tally.put_back += 1
        else:
            tally.changed.append(entry.title)
            continue
        if change:
            journal.mark(entry, UNDONE)
    return tally
