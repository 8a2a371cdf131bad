"""Python searches for garbage before and after such work, whatever happens, but not during it."""

import gc
import weakref

import pytest

from npn.runtime import garbage
from npn.runtime.garbage import no_search_for_garbage


class Cycle:
    def __init__(self) -> None:
        self.me = self


def test_the_search_rests_meanwhile() -> None:
    assert gc.isenabled()
    with no_search_for_garbage():
        assert not gc.isenabled()
        with no_search_for_garbage():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_who_wants_no_search_gets_none() -> None:
    gc.disable()
    try:
        with no_search_for_garbage():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_failure_ends_it() -> None:
    with pytest.raises(ValueError, match="mistake"), no_search_for_garbage():
        raise ValueError("a mistake")
    assert gc.isenabled()


def test_what_such_work_leaves_is_not_young() -> None:
    gc.collect()
    with no_search_for_garbage():
        left = [[] for _ in range(2 * garbage.MANY)]  # type: ignore[var-annotated]
    assert gc.get_count()[0] < garbage.MANY
    assert not gc.get_freeze_count()
    assert len(left) == 2 * garbage.MANY


def test_garbage_of_others_is_found_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "ENOUGH", 3 * garbage.MANY)
    lost = weakref.ref(Cycle())
    for _ in range(4):
        with no_search_for_garbage():
            left = [[] for _ in range(2 * garbage.MANY)]  # type: ignore[var-annotated]
        assert left
    assert lost() is None
