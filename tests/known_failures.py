"""Cases of which some are known to fail: they pass or fail one by one."""

from __future__ import annotations

from collections.abc import Container, Mapping

import pytest


def expecting_failures(cases: Mapping[str, object], known: Container[str]) -> pytest.MarkDecorator:
    """Run a test for each `case` by its name; one that is `known` to fail must fail."""
    failing = pytest.mark.xfail(raises=AssertionError, strict=True)
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=name, marks=failing if name in known else ())
            for name, case in cases.items()
        ],
    )
