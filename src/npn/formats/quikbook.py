"""QuikBook, a rival of Meal-Master whose exports lie in the same archives: names to the left,
amounts to the right, or a plain list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from npn.formats import plain_text
from npn.formats.text_lines import heading
from npn.recipe import Recipe

_AMOUNT = re.compile(r"(?<=[^ ])  +(?:\d|[½¼¾⅓⅔])")
_COLUMNS = re.compile(r"(?<=[^ ])(?: {2,}(?=\d|[½¼¾⅓⅔])| {6,}(?=\S))")
_KITCHEN = re.compile(
    r"\bpax\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d{1,2}, \d{4}"
    r"|^ *makes \d",
    re.IGNORECASE,
)


def read_recipe(title: str, body: Sequence[str]) -> Recipe:
    lines = [line.expandtabs(8).rstrip() for line in body]
    amounts = [
        i for i, line in enumerate(lines) if _AMOUNT.search(line) and not _KITCHEN.search(line)
    ]
    if any(heading(line) for line in lines):
        lines = [cell for line in lines for cell in _cells(line)]
    elif amounts:
        lines = _with_headings(lines, amounts[0], amounts[-1])
    return plain_text.read_recipe(lines, title)


def _cells(line: str) -> list[str]:
    """The ingredients of a row, which begin with their amounts."""
    return [" ".join(cell.split()) for cell in _COLUMNS.split(line.strip())]


def _with_headings(lines: Sequence[str], first: int, last: int) -> list[str]:
    """The same recipe with the list marked as such. It is the paragraphs between the first amount
    and the last, and what goes with them; before it, the kitchen noted guests and dates."""
    while first and lines[first - 1].strip() and not _KITCHEN.search(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    listed = [
        " ".join(line.split()) for line in lines[first : last + 1] if not _KITCHEN.search(line)
    ]
    return ["Ingredients:", *listed, "Directions:", *lines[last + 1 :]]
