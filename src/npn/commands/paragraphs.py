"""Text in lines that fit a terminal."""

from __future__ import annotations

from textwrap import wrap

WIDTH = 100
FIXED_SPACE = "\xa0"  # at which no line is broken


def hanging(first: str, rest: str, text: str) -> list[str]:
    """Text in lines of at most WIDTH columns, the first after `first` and the others after `rest`.
    A number stays with its percent sign."""
    kept = text.replace(" %", f"{FIXED_SPACE}%")
    lines = wrap(kept, WIDTH, initial_indent=first, subsequent_indent=rest)
    return [line.replace(FIXED_SPACE, " ") for line in lines] or [first.rstrip()]
