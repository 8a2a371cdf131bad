"""The lines of a recipe's list, as they stood, in remarks at the end of a Cooklang file.

Marks have a name, an amount and a preparation, from which a line can be put together ("1.5 cup
flour"), but no line as somebody wrote it. We write that down as a comment, which no program minds:

    -- "1.5 cup flour" was "1 1/2 cups flour, sifted" in "Dough"

A remark counts for a line that is just as the remark has it. Where somebody has changed the marks
since, the line is what the marks say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress

from npn.formats.sections import SectionLine

STRING = r'"(?:[^"\\]|\\.)*"'
REMARK = re.compile(rf"-- ({STRING})(?: in ({STRING}))? was ({STRING})(?: in ({STRING}))?")


def remark(read: SectionLine, stood: SectionLine) -> str:
    """The remark that a line which is `read` from the marks stood so in the list."""
    return f"-- {_quoted(read)} was {_quoted(stood)}"


def _quoted(line: SectionLine) -> str:
    texts = [line.text, *([line.section] if line.section else [])]
    return " in ".join(json.dumps(text, ensure_ascii=False) for text in texts)


def lines_as_they_stood(
    text: str, read: Iterable[SectionLine]
) -> list[tuple[int, SectionLine]] | None:
    """The lines in the order of the list, each with its place among those `read`. Lines that have
    no remark come last; None where there are no remarks."""
    remarks: dict[tuple[str, str | None], SectionLine] = {}
    for found in map(REMARK.fullmatch, text.splitlines()):
        if found is not None:
            with suppress(ValueError):
                line, section, stood, in_section = (
                    json.loads(one or "null") for one in found.groups()
                )
                remarks[line, section] = SectionLine(stood, in_section)
    if not remarks:
        return None
    order = {key: place for place, key in enumerate(remarks)}
    lines = []
    for place, line in enumerate(read):
        key = line.text, line.section
        stood = remarks.get(key)
        rank = order.get(key, len(order))
        lines.append((rank, place, line if stood is None else _named(stood, line.name)))
    return [(place, line) for _, place, line in sorted(lines, key=lambda one: one[:2])]


def _named(line: SectionLine, name: str) -> SectionLine:
    return SectionLine(line.text, line.section, name)
