"""Undoing what a journal says was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from npn.linking.client import MissingError
from npn.linking.journal import UNDONE, JournalEntry
from npn.linking.library import Library


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
