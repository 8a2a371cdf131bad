"""The files of a command line: the recipes of all that are read, with word of those that cannot be
used, and where a command writes."""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from textwrap import wrap
from typing import TextIO, TypeVar

import click

from npn.errors import NpnError
from npn.formats import Found, Item, Note, Problem, read_file
from npn.formats.writing import Writer
from npn.formats.writing.wording import count, plain
from npn.language.words import looks_english
from npn.recipe import Recipe
from npn.trace import Trace

NOTHING_READ = 2  # the exit status
BETWEEN_SHOWS = 0.1  # seconds
MOST_REPORTED = 100  # problems: a file of a million would hide the first

Outcome = TypeVar("Outcome")


class RecipeReader:
    """Goes through `paths` once, each read by `read`. A recipe that cannot be used is told on
    standard error and counted, and the rest go on; with `strict` it is an NpnError. `progress` is
    shown on a terminal. `where` says where the recipe of the last outcome stands: "soups.jsonl,
    line 12"."""

    def __init__(
        self,
        paths: Sequence[str],
        *,
        strict: bool = False,
        progress: bool = False,
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
        self._status = StatusLine(sys.stderr if progress else None)
        self._began = self._last_shown = time.monotonic()

    def recipes(self) -> Iterator[Recipe]:
        for number, path in enumerate(self.paths, 1):
            try:
                for found, where in self._found(path):
                    self.read += 1
                    self._places.append(where)
                    self._show_progress(number)
                    yield found.recipe
            except NpnError as error:
                self._problem(str(error), error)
        self._status.clear()

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

    def finish(self) -> None:
        """Says how much went wrong. Ends the command where nothing was read at all."""
        if self.foreign > 1:
            self._say(f"{count(self.foreign, 'recipe')} in all do not look English")
        if self.problems > 1 or (self.problems and self.read):
            self._say(f"{count(self.problems, 'problem')}, {count(self.read, 'recipe')} tracked")
        if not self.read:
            raise click.exceptions.Exit(NOTHING_READ)

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
        self._status.clear()
        click.echo(f"npn: {plain(message)}", err=True)

    def _show_progress(self, file: int) -> None:
        now = time.monotonic()
        if self.read < 2 or now - self._last_shown < BETWEEN_SHOWS:
            return
        self._last_shown = now
        of = f", file {file:,} of {len(self.paths):,}" if len(self.paths) > 1 else ""
        rate = self.read / (now - self._began)
        self._status.show(f"{self.read:,} recipes{of}, {rate:,.0f} a second")


class StatusLine:
    """One line on a terminal, written over again and again; nothing where there is no terminal."""

    def __init__(self, out: TextIO | None) -> None:
        self.terminal = out if out is not None and out.isatty() else None
        self._shown = False

    def show(self, text: str) -> None:
        if self.terminal is not None:
            self.terminal.write(f"\r\x1b[K{text}")
            self.terminal.flush()
            self._shown = bool(text)

    def clear(self) -> None:
        if self._shown:
            self.show("")


# -- Where a command writes: standard output, or a file that is either whole or not there.

# A lone surrogate, which JSON input may hold, has no UTF-8. Written as \udXXX it is what JSON
# itself would say.
UNENCODABLE = "backslashreplace"


@contextmanager
def open_output(path: str | None, inputs: Sequence[str] = ()) -> Iterator[TextIO]:
    """Standard output for None and "-". A file appears under its name when the block ends well,
    and not at all otherwise; what stood there before stays until then. `inputs` are the files that
    are read: none of them is written over."""
    if path is None or path == "-":
        yield standard_output()
        return
    if not path:
        raise NpnError("the name of the file to write is empty")
    target = Path(os.path.realpath(path))  # through a link, to the file it names
    for one in inputs:
        if _is_same_file(one, target):
            raise NpnError(f"{path} is itself one of the files to read: write to another file")
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            if target.is_dir():
                raise NpnError(f"cannot write {path}: it is a folder")
            with target.open("w", encoding="utf-8", errors=UNENCODABLE) as device:
                yield device
            return
        from npn.partial_files import replacing  # only who names a file pays for it

        with replacing(target, UNENCODABLE) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NpnError(f"cannot write {path}: {error.strerror or error}") from error


def _is_same_file(one: str, other: Path) -> bool:
    """Whether both name the same file on the disk. What is no such file (a device, "-", an address)
    can be read and written at once."""
    try:
        return Path(one).is_file() and os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def standard_output() -> TextIO:
    """UTF-8 for whatever reads it; on a terminal, in the terminal's own encoding."""
    if sys.stdout is None:
        raise NpnError("standard output is closed; name a file with -o")
    if isinstance(sys.stdout, TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors=UNENCODABLE)
    return sys.stdout


# -- A folder of files, one for each recipe, named after its title.

UNNAMED = "recipe"
LONGEST = 80
APART = re.compile(r"[^\w]+")


def is_folder(path: str | None) -> bool:
    """Whether a path is meant as a folder: it ends with a slash, or is one."""
    return bool(path) and path != "-" and (str(path).endswith("/") or Path(str(path)).is_dir())


def write_each(writer: Writer, traces: Iterable[Trace], path: str, **options: bool) -> None:
    """Write each trace into a file of its own in a folder, which is made if it is not there. A file
    of the same name is replaced; two recipes of one title get two names."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NpnError(f"cannot make the folder {path}: {error.strerror or error}") from error
    taken: set[str] = set()
    for trace in traces:
        name = file_name(trace.title, taken) + writer.extension
        with open_output(str(folder / name)) as out:
            writer.write([trace], out, **options)


def file_name(title: str, taken: set[str]) -> str:
    """A name for a file, from a title, that is not in `taken`, and is from then on."""
    name = first = APART.sub("-", title.casefold()).strip("-_")[:LONGEST].strip("-_") or UNNAMED
    number = 1
    while name in taken:
        number += 1
        name = f"{first}-{number}"
    taken.add(name)
    return name


# -- Text in lines that fit a terminal.

WIDTH = 100
FIXED_SPACE = "\xa0"  # at which no line is broken


def hanging(first: str, rest: str, text: str) -> list[str]:
    """Text in lines of at most WIDTH columns, the first after `first` and the others after `rest`.
    A number stays with its percent sign."""
    kept = text.replace(" %", f"{FIXED_SPACE}%")
    lines = wrap(kept, WIDTH, initial_indent=first, subsequent_indent=rest)
    return [line.replace(FIXED_SPACE, " ") for line in lines] or [first.rstrip()]
