"""Work that leaves no cyclic garbage, done without Python's search for it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MANY = 5_000  # objects: fewer are searched in no time
ENOUGH = 2_000_000  # objects, after which the search is made all the same

_lock = Lock()
_under_way = 0  # such pieces of work, in all threads
_searches = True  # whether Python did before the first of them
_spared = 0  # objects since the last whole search


@contextmanager
def no_search_for_garbage() -> Iterator[None]:
    """Spare the search, which goes through everything that is kept: a sixth of the time that many
    recipes take. For work of bounded size that makes no cycles; what else becomes free is freed
    at once all the same."""
    global _under_way, _searches
    with _lock:
        if not _under_way:
            _searches = gc.isenabled()
            gc.disable()
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way and _searches:
                _take_for_old()
                gc.enable()


def _take_for_old() -> None:
    """Let what the work leaves be counted as long-lived: otherwise all of it would be searched as
    soon as the next object is made. Garbage of others is so found later, but found."""
    global _spared
    made = gc.get_count()[0]
    if made < MANY or gc.get_freeze_count():
        return
    _spared += made
    if _spared > ENOUGH:
        _spared = 0
        gc.collect()
    else:
        gc.freeze()
        gc.unfreeze()  # into the oldest generation
