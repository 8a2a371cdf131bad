"""The parts of a recipe written as text that has headings: "Ingredients", "Directions"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from npn.formats.heading_places import tells_what_to_do
from npn.formats.headings import SEPARATORS, heading_text
from npn.formats.plugin_text import is_plugin_text
from npn.formats.text_lines import Heading, Line, heading, is_data, is_yield, parse_line


@dataclass(slots=True)
class Parts:
    """The lines above every heading, those of the ingredients and those of the directions; `made`
    is the line that says how much the recipe makes."""

    top: list[Line] = field(default_factory=list)
    listed: list[Line] = field(default_factory=list)
    directed: list[Line] = field(default_factory=list)
    made: str = ""


def by_headings(lines: Sequence[Line]) -> Parts:
    parts = Parts()
    into: list[Line] | None = parts.top
    section: str | None = None
    for i, line in enumerate(lines):
        found = None if line.blank else heading(line.whole)
        if found is None:
            aside = is_plugin_text(line.whole) or (into is parts.top and is_data(line.whole))
            if not parts.made and is_yield(line.whole):
                parts.made = line.whole
            if into is not None and not aside:
                into.append(line)
            continue
        if into is not parts.top and (name := _part_named_above(lines, i)):
            section = heading_text(name.text)
            while into and (into[-1].blank or into[-1] is name):
                into.pop()
        into = {
            Heading.INGREDIENTS: parts.listed,
            Heading.DIRECTIONS: parts.directed,
            Heading.ASIDE: None,
        }[found.kind]
        if into is not None and (named := found.section or section):
            into.append(parse_line(f"## {named}"))
        if into is not None and found.rest:
            into.append(parse_line(found.rest))
    return parts


def _part_named_above(lines: Sequence[Line], i: int) -> Line | None:
    """The line that names what a second list is for: "Filling", alone above "Ingredients"."""
    above = i - 1
    while above > 0 and lines[above].blank:
        above -= 1
    if above < 2 or not lines[above - 1].blank:
        return None
    line = lines[above]
    short = len(line.text.split()) <= 6 and not SEPARATORS.search(line.text.rstrip(":"))
    plain = not line.bullet and line.number is None and line.text[:1].isupper()
    return line if short and plain and not tells_what_to_do(line.text) else None
