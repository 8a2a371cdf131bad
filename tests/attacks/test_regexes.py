"""Every regular expression of the package takes linear time: a megabyte of its worst is nothing."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import npn

ROOT = Path(npn.__file__).parent
# What only works with an extra, or starts the program, is not imported.
LEFT_OUT = (
    "npn.networks",
    "npn.training",
    "npn.web",
    "npn.corpus",
)

# Characters, and the seconds that a linear pattern stays far below. Steps between small and large
# keep one that is not from running for hours.
TINY, SMALL = 23, 4_000
SIZES = ((20_000, 0.15), (100_000, 0.5), (1_000_000, 2.0))
WORST = 3  # of the pieces, by the time that a little of each takes, to be tried at all sizes

NASTY = (
    *(" ", "\t", "\n", " \n", "a", "A", "é", "1", "½", "a ", "a a", "aA", "a1", "1 ", "1 1/2 "),
    *("1/", "1.", "1-", "1,", ".", ",", ";", ":", "-", "- ", "--", "'", '"', "''", "(", ")", "()"),
    *(
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "<a ",
        "</",
        "<!--",
        "&",
        "&amp",
        "=",
        "a=",
        "@",
        "#",
        "%",
        "~",
    ),
    *("\\", "/", "|", "*", "_", "and ", "or ", "the ", "step ", "oz. ", "to ", "a-", "a,", "a.a."),
    *("1 c  a  ", "x (", "a\n\n", "-\n", "1.\n", "a:\n", "!?", "…", "“", "°"),
)


def modules() -> Iterator[ModuleType]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if parts[-1] != "__main__" and not name.startswith(LEFT_OUT):
            yield import_module(name)


def patterns_in(value: Any, depth: int = 3) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth and isinstance(value, dict):
        for pair in value.items():
            yield from patterns_in(pair, depth - 1)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from patterns_in(one, depth - 1)


def all_patterns() -> dict[str, re.Pattern[str]]:
    """Each pattern once, by the place where it was first seen."""
    named: dict[tuple[str, int], tuple[str, re.Pattern[str]]] = {}
    for module in modules():
        for name, value in vars(module).items():
            for i, pattern in enumerate(patterns_in(value)):
                place = f"{module.__name__}.{name}.{i}"
                named.setdefault((pattern.pattern, pattern.flags), (place, pattern))
    return dict(named.values())


PATTERNS = all_patterns()
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))


def methods(name: str) -> set[str]:
    """How the package uses a pattern: what is only matched at one place is not searched for."""
    constant = name.split(".")[-2]
    used = set(re.findall(rf"\b{constant}\.(match|fullmatch|search|finditer|sub|split)\b", SOURCES))
    return used or {"match", "fullmatch", "search"}


def literals(pattern: re.Pattern[str]) -> list[str]:
    """Strings made of the pattern's own letters and signs, which come nearest to matching it."""
    plain = re.sub(r"\\[a-zA-Z]|\(\?[a-zA-Z:=!<]+|[][(){}|*+?^$\\]", " ", pattern.pattern)
    words = sorted({word for word in plain.split() if len(word) < 30}, key=len)
    return [*words[:3], *words[-3:], "".join(words[:8]), " ".join(words[:8])]


def seconds(pattern: re.Pattern[str], used: set[str], text: str) -> float:
    start = time.process_time()
    if "match" in used:
        pattern.match(text)
    if "fullmatch" in used:
        pattern.fullmatch(text)
    if used - {"match", "fullmatch"}:
        deque(pattern.finditer(text), maxlen=0)
    return time.process_time() - start


def test_the_patterns_are_found() -> None:
    assert any(name.startswith("npn.formats.") for name in PATTERNS)
    assert any(name.startswith("npn.language.") for name in PATTERNS)


@pytest.mark.parametrize("name", PATTERNS)
def test_no_group_is_repeated_possessively(name: str) -> None:
    """Python 3.11.0 to 3.11.4 keep what such a group took before it failed: "so-" for "so--"."""
    written = re.sub(r"\\.|\[(?:\\.|[^]\\])[^]]*\]", "x", PATTERNS[name].pattern)
    assert not re.search(r"\)(?:[*+?]|\{[\d,]*\})\+", written), PATTERNS[name].pattern


@pytest.mark.parametrize("name", PATTERNS)
def test_a_megabyte_of_anything_is_soon_done(name: str) -> None:
    pattern, used = PATTERNS[name], methods(name)
    pieces = [piece for piece in (*NASTY, *literals(pattern)) if piece]
    for piece in pieces:  # an exponential one would never come back from more
        tiny = piece * max(1, TINY // len(piece)) + "\x00"
        assert seconds(pattern, used, tiny) < 0.5, f"{pattern.pattern!r} explodes on {piece!r}"
    timed = [
        (seconds(pattern, used, piece * (SMALL // len(piece)) + ending), piece, ending)
        for piece in pieces
        for ending in ("", "\x00")
    ]
    for _, piece, ending in sorted(timed, reverse=True)[:WORST]:
        for size, limit in SIZES:
            text = piece * (size // len(piece)) + ending
            # The machine may be busy for a moment: the better of two tries counts.
            took = seconds(pattern, used, text)
            took = took if took < limit else seconds(pattern, used, text)
            assert took < limit, f"{pattern.pattern!r} is slow on {size:,} characters of {piece!r}"
