"""A limit on the work of code that is not ours, counted in calls: the same on every machine, where
a limit in seconds is not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfBudget(BaseException):
    """The code made more calls than it was given. Not an Exception, so that code which catches all
    of those does not catch it and go on."""


@contextmanager
def call_budget(calls: int) -> Iterator[None]:
    """Raise OutOfBudget inside the block once it has made `calls` calls of functions."""
    left = calls
    before = sys.getprofile()

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                raise OutOfBudget

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
