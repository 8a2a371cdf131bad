"""The journal of a linking: for each recipe what was there before, so that a run that was stopped
can go on, and all of it can be undone.

It is JSON Lines. The first line says which library it is about. Before a recipe is changed, a line
with its steps before and after is written; after that, a line that it is done. So what a run that
broke off has begun is known, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.linking.manager import Manager, Steps
from npn.linking.plan import Plan

BEGUN, DONE, UNDONE = "begun", "done", "undone"


@dataclass(slots=True)
class JournalEntry:
    key: str
    title: str
    before: Steps
    after: Steps
    state: str = BEGUN


class Journal:
    """The journal in a file, which need not exist: it is made when the first recipe is changed."""

    def __init__(self, path: Path, manager: Manager) -> None:
        self.path = path
        self.manager = manager
        self.library = {"journal": "npn link", "manager": manager.name, "url": manager.url}
        self.entries: list[JournalEntry] = []
        if path.exists():
            self._read()

    def last(self, key: str) -> JournalEntry | None:
        """What was last done to a recipe and has not been undone."""
        for entry in reversed(self.entries):
            if entry.key == key and entry.state != UNDONE:
                return entry
        return None

    def begin(self, plan: Plan) -> JournalEntry:
        """Note what a recipe is, and is about to become."""
        key, title = plan.listed
        self._write({BEGUN: key, "title": title, "before": plan.before, "after": plan.after})
        entry = JournalEntry(key, title, plan.before, plan.after)
        self.entries.append(entry)
        return entry

    def mark(self, entry: JournalEntry, state: str) -> None:
        """Note that an entry is done or undone."""
        self._write({state: entry.key})
        entry.state = state

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                for one in [line] if file.tell() else [self.library, line]:
                    file.write(json.dumps(one) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NpnError(f"cannot write {self.path}: {error.strerror or error}") from error

    def _read(self) -> None:
        for number, text in enumerate(_whole_lines(self.path), 1):
            try:
                line = json.loads(text)
                if number > 1:
                    self._follow(line)
                elif line != self.library:
                    raise NpnError(
                        f"{self.path} is not the journal of {self.library['manager']} at "
                        f"{self.library['url']}: name another with --journal"
                    )
            except (ValueError, RecursionError, KeyError, TypeError):
                raise _broken(self.path, number) from None

    def _follow(self, line: Mapping[str, Any]) -> None:
        """Do with the entries what a line after the first says."""
        if BEGUN in line:
            entry = JournalEntry(line[BEGUN], line["title"], line["before"], line["after"])
            named = isinstance(entry.key, str) and isinstance(entry.title, str)
            if not (named and all(map(self.manager.is_steps, (entry.before, entry.after)))):
                raise TypeError("no recipe has such steps")
            self.entries.append(entry)
            return
        state = DONE if DONE in line else UNDONE
        meant = self.last(line[state])
        if meant is None:
            raise KeyError(line[state])
        meant.state = state


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


def _broken(path: Path, number: int) -> NpnError:
    return NpnError(f"{path}, line {number}: is no journal of npn link; name another file")
