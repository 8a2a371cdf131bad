"""Fields of free text that hold a list: the ingredients or the directions in one string."""

from __future__ import annotations

import re

from npn.language.sentences import split_sentences

NUMBERED = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")


def lines_of(text: str) -> list[str]:
    """The lines that hold something, stripped."""
    return [line for part in text.splitlines() if (line := part.strip())]


def steps_of(text: str) -> list[str]:
    """One step a line; a text of one line is prose, and each sentence of it a step. Numbers that
    only count the steps are set aside."""
    lines = lines_of(text)
    if len(lines) == 1:
        lines = split_sentences(lines[0])
    return _without_numbers(lines)


def _without_numbers(lines: list[str]) -> list[str]:
    found = [NUMBERED.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return lines
    return [line[one.end() :] if one else line for line, one in zip(lines, found, strict=True)]
