"""What our own files say besides what their format has a place for.

Most formats know no headings for sure: who reads them has to guess that a line "Topping:" is one.
Our files give all sections as such, and say who wrote them: nothing in them is guessed at. The
programs that they are for pass over what they do not know, so that a recipe which they have saved
since no longer says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

AUTHOR = "npn"
AUTHOR_KEY = "writtenBy"


# Who made the data, in the words of schema.org.
PUBLISHER_KEY = "sdPublisher"
PUBLISHER = {"@type": "Organization", "name": AUTHOR}


def is_own(data: object) -> bool:
    """Whether a recipe in JSON is as we wrote it."""
    return isinstance(data, Mapping) and (
        data.get(AUTHOR_KEY) == AUTHOR or data.get(PUBLISHER_KEY) == PUBLISHER
    )


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line of the list as it stood, for formats that keep it in parts: the item that it became,
    and the steps that use it."""

    text: str
    section: str | None
    item: str
    steps: tuple[int, ...]

    def to_dict(self) -> dict[str, object]:
        return {
            "text": self.text,
            "section": self.section,
            "item": self.item,
            "steps": list(self.steps),
        }


def own_lines(value: object) -> list[OwnLine] | None:
    """The lines that a file of ours lists; None where it lists none, or not as we do."""
    if not isinstance(value, list) or not value:
        return None
    lines = [_own_line(one) for one in value]
    return None if None in lines else [one for one in lines if one is not None]


def _own_line(value: object) -> OwnLine | None:
    if not isinstance(value, Mapping):
        return None
    text, section, item = value.get("text"), value.get("section"), value.get("item")
    steps = value.get("steps")
    if not isinstance(text, str) or not isinstance(item, str) or not isinstance(steps, list):
        return None
    if not all(isinstance(step, int) and step >= 0 for step in steps):
        return None
    return OwnLine(text, section if isinstance(section, str) else None, item, tuple(steps))
