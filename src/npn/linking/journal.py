"""The journal of a linking: for each recipe what was there before, so that a run that was stopped
can go on, and all of it can be undone.

It is JSON Lines. The first line says which library it is about. Before a recipe is changed, a line
with its steps before and after is written; after that, a line that it is done. So what a run that
broke off has begun is known, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.linking.manager import Steps
from npn.linking.plan import Plan

BEGUN, DONE, UNDONE = "begun", "done", "undone"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    key: str
    title: str
    before: Steps
    after: Steps
    state: str = BEGUN


class Journal:
    """The journal in a file, which need not exist: it is made when the first recipe is changed.
    `is_steps` says whether a value in it may be steps of this manager's recipes."""

    def __init__(
        self, path: Path, manager: str, url: str, is_steps: Callable[[object], bool]
    ) -> None:
        self.path = path
        self.is_steps = is_steps
        self.library = {"journal": "npn link", "manager": manager, "url": url}
        self.entries = self._read() if path.exists() else []

    def last(self, key: str) -> JournalEntry | None:
        """What was last done to a recipe."""
        return next((one for one in reversed(self.entries) if one.key == key), None)

    def begin(self, plan: Plan) -> JournalEntry:
        """Note what a recipe is, and is about to become."""
        entry = JournalEntry(plan.key, plan.title, plan.before, plan.after)
        steps = {"title": plan.title, "before": plan.before, "after": plan.after}
        self._write({BEGUN: plan.key, **steps})
        self.entries.append(entry)
        return entry

    def mark(self, entry: JournalEntry, state: str) -> None:
        """Note that an entry is done or undone."""
        place = next(n for n in reversed(range(len(self.entries))) if self.entries[n] is entry)
        self._write({state: entry.key})
        self.entries[place] = replace(entry, state=state)

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            new = not self.path.exists() or not self.path.stat().st_size
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                for one in [self.library, line] if new else [line]:
                    file.write(json.dumps(one) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NpnError(f"cannot write {self.path}: {error.strerror or error}") from error

    def _read(self) -> list[JournalEntry]:
        lines = _whole_lines(self.path)
        library = _parse(self.path, 1, lines[0]) if lines else self.library
        if library != self.library:
            raise NpnError(
                f"{self.path} is not the journal of {self.library['manager']} at "
                f"{self.library['url']}: name another with --journal"
            )
        entries: list[JournalEntry] = []
        for number, text in enumerate(lines[1:], 2):
            line = _parse(self.path, number, text)
            try:
                self._follow(entries, line)
            except (KeyError, TypeError, StopIteration):
                raise _broken(self.path, number) from None
        return entries

    def _follow(self, entries: list[JournalEntry], line: Mapping[str, Any]) -> None:
        if BEGUN in line:
            entry = JournalEntry(line[BEGUN], line["title"], line["before"], line["after"])
            named = isinstance(entry.key, str) and isinstance(entry.title, str)
            if not (named and self.is_steps(entry.before) and self.is_steps(entry.after)):
                raise TypeError("no recipe has such steps")
            entries.append(entry)
            return
        state = DONE if DONE in line else UNDONE
        waiting = (BEGUN,) if state == DONE else (BEGUN, DONE)
        place = next(
            n
            for n in reversed(range(len(entries)))
            if entries[n].key == line[state] and entries[n].state in waiting
        )
        entries[place] = replace(entries[place], state=state)


def _whole_lines(path: Path) -> list[str]:
    """The lines of a journal. A last line that a crash has torn was of nothing that was done: it is
    cut off."""
    try:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(path, len(whole))
        return whole.decode().splitlines()
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError:
        raise _broken(path, 1) from None


def _parse(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        raise _broken(path, number) from None
    if not isinstance(line, dict):
        raise _broken(path, number)
    return line


def _broken(path: Path, number: int) -> NpnError:
    return NpnError(f"{path}, line {number}: is no journal of npn link; name another file")
