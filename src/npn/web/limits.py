"""How much the server takes on before it says no."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """`body` is the largest request in bytes, `seconds` the longest that a recipe may be worked
    on, `workers` how many are worked on at a time and `queue` how many may wait for that."""

    body: int = 2_000_000
    seconds: float = 20.0
    workers: int = 2
    queue: int = 128
    sending: float = 30.0  # seconds that a request may take to arrive
