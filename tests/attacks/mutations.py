"""How good inputs become bad ones: a few random changes to bytes, or to a JSON value."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

LONGEST = 20_000  # bytes
PIECES = [
    b"\0", b"\xff\xfe", b"\n\n", b"{", b"}", b"[", b"]", b'"', b"<", b">", b"@", b"~", b"(", b")",
    b"null", b"-1", b"1e309", b"99999999999999999999", b"\xc2\x85", b"\xe2\x80\xa8", b"MMMMM", b"%",
    b"PK\x03\x04", b"\x1f\x8b", b"&#0;", b"1/0", b"\xf0\x9f\x8d\x85", b"Ingredients", b"Directions",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, 0, -1, 3, 99, 10**30, 1.5, float("nan"), float("inf"), "", "egg", "3", b"", b"x",
    [], ["1 egg"], [1], [None], {}, {"a": 1}, (), ("Boil the egg.",), object(), Path("x"), range(3),
    "\ud800", "x" * 3_000,
]  # fmt: skip
SIMPLE = [one for one in VALUES if isinstance(one, int | float | str | list | dict | None)]


def mutate(data: bytes, chance: Random, others: list[bytes]) -> bytes:
    """A few changes: bytes replaced, cut, doubled, or taken from another input."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(data))
        end = min(len(data), at + chance.choice([0, 1, 2, 9, 60, 400]))
        other = chance.choice(others)
        start = chance.randint(0, len(other))
        piece = chance.choice(
            [
                bytes([chance.randrange(256)]),
                chance.choice(PIECES),
                chance.choice(PIECES) * chance.choice([2, 30]),
                b"",
                data[at:end] * 2,
                other[start : start + chance.choice([5, 50, 500])],
            ]
        )
        data = data[:at] + piece + data[end:]
    return data[:LONGEST]


def alter(value: Any, chance: Random) -> Any:
    """A JSON value with one change somewhere in it."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        if chance.random() < 0.1:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: alter(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        if chance.random() < 0.1:
            return [*value[:at], *value[at + 1 :]]
        return [*value[:at], alter(value[at], chance), *value[at + 1 :]]
    return chance.choice(SIMPLE)
