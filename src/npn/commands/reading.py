"""The recipes of all the files on a command line, and word of those that cannot be used."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import click

from npn.errors import NpnError
from npn.formats import Found, Item, Note, Problem, read_file
from npn.formats.writing.wording import count, plain
from npn.language.words import looks_english
from npn.recipe import Recipe

MOST_REPORTED = 100  # problems: a file of a million would hide the first

Outcome = TypeVar("Outcome")


class RecipeReader:
    """Goes through `paths` once, each read by `read`. A recipe that cannot be used is told on
    standard error and counted, and the rest go on; with `strict` it is an NpnError. `where` says
    where the recipe of the last outcome stands: "soups.jsonl, line 12"."""

    def __init__(
        self,
        paths: Sequence[str],
        *,
        strict: bool,
        progress: bool,
        read: Callable[[str], Iterator[Item]] = read_file,
    ) -> None:
        self.paths = paths
        self._read = read
        self.strict = strict
        self.read = 0
        self.problems = 0
        self.foreign = 0
        self.where = ""
        self._places: deque[str] = deque()  # of the recipes that have no outcome yet
        self.progress = ReadingProgress(len(paths)) if progress else None

    def recipes(self) -> Iterator[Recipe]:
        for number, path in enumerate(self.paths, 1):
            try:
                for found, where in self._found(path):
                    self.read += 1
                    self._places.append(where)
                    if self.progress:
                        self.progress.show(self.read, number)
                    yield found.recipe
            except NpnError as error:
                self._problem(str(error), error)
        if self.progress:
            self.progress.clear()

    def each(self, make: Callable[[Recipe], Outcome]) -> Iterator[Outcome]:
        """What `make` makes of each recipe that it does not refuse with an NpnError."""

        def outcomes() -> Iterator[Outcome | NpnError]:
            for recipe in self.recipes():
                try:
                    yield make(recipe)
                except NpnError as error:
                    yield error

        return self.accepted(outcomes())

    def accepted(self, outcomes: Iterable[Outcome | NpnError]) -> Iterator[Outcome]:
        """What was made of the recipes, one outcome each in their order, without those for which
        there is an error instead."""
        for outcome in outcomes:
            self.where = self._places.popleft()
            if isinstance(outcome, NpnError):
                self.read -= 1
                self._problem(f"{self.where}: {outcome}", outcome)
            else:
                yield outcome

    def sum_up(self) -> bool:
        """Says how much went wrong, and whether anything was read at all."""
        if self.foreign > 1:
            self._say(f"{count(self.foreign, 'recipe')} in all do not look English")
        if self.problems > 1 or (self.problems and self.read):
            self._say(f"{count(self.problems, 'problem')}, {count(self.read, 'recipe')} tracked")
        return self.read > 0

    def _found(self, path: str) -> Iterator[tuple[Found, str]]:
        name = "standard input" if path == "-" else path
        for item in self._read(path):
            if isinstance(item, Note):
                self._say(item.message if name in item.message else f"{name}: {item.message}")
                continue
            where = f"{name}, {item.where}" if item.where else name
            if isinstance(item, Problem):
                self._problem(f"{where}: {item.message}")
                continue
            if not looks_english(item.recipe):
                self._foreign(where)
            yield item, where

    def _problem(self, message: str, cause: NpnError | None = None) -> None:
        self.problems += 1
        if self.strict:
            raise NpnError(message) from cause
        if self.problems <= MOST_REPORTED:
            self._say(message)
        elif self.problems == MOST_REPORTED + 1:
            self._say("and more, which are only counted")

    def _foreign(self, where: str) -> None:
        self.foreign += 1
        if self.foreign == 1:
            self._say(f"{where} does not look English: expect little of its trace")

    def _say(self, message: str) -> None:
        if self.progress:
            self.progress.clear()
        click.echo(f"npn: {plain(message)}", err=True)


class ReadingProgress:
    """One line on the terminal, written over again and again."""

    EVERY = 0.1  # seconds

    def __init__(self, files: int) -> None:
        self.files = files
        self.began = self.last = time.monotonic()
        self.shown = False

    def show(self, recipes: int, file: int) -> None:
        now = time.monotonic()
        if recipes < 2 or now - self.last < self.EVERY:
            return
        self.last = now
        rate = recipes / (now - self.began)
        of = f", file {file:,} of {self.files:,}" if self.files > 1 else ""
        sys.stderr.write(f"\r\x1b[K{recipes:,} recipes{of}, {rate:,.0f} a second")
        sys.stderr.flush()
        self.shown = True

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False
