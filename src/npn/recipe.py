"""What the program reads: a recipe is a title, ingredient lines and steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from npn.errors import NpnError
from npn.frozen import quickly_made

MOST = 5_000  # of ingredients, and of steps: more is not a recipe
NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})


@quickly_made
@dataclass(frozen=True, slots=True)
class Ingredient:
    """One line of the ingredient list, as it stood. `name` is empty until the source or a tracker
    names it; `state` is what the line itself says ("melted butter"), by state change type."""

    text: str
    name: str = ""
    state: Mapping[str, str] = field(default_factory=lambda: NOTHING_KNOWN, hash=False)


@quickly_made
@dataclass(frozen=True, slots=True)
class Recipe:
    title: str
    ingredients: tuple[Ingredient, ...]
    steps: tuple[str, ...]

    @staticmethod
    def from_text(text: str) -> Recipe:
        """The one recipe in `text`, whatever its format (see `npn formats`)."""
        from npn.formats import read_text  # the door to the readers, opened only when used

        return read_text(text)

    @staticmethod
    def from_lists(title: str, ingredients: Iterable[str], steps: Iterable[str]) -> Recipe:
        return Recipe(
            title,
            tuple([Ingredient(line, "", NOTHING_KNOWN) for line in ingredients]),
            tuple(steps),
        )

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Recipe:
        """Our own JSON: {"title", "ingredients": [lines], "steps": [strings]}; other keys are
        ignored."""
        title = data.get("title", "")
        if not isinstance(title, str):
            raise NpnError('"title" must be a string')
        for key in ("ingredients", "steps"):
            lines = data.get(key)
            if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
                raise NpnError(f'"{key}" must be a list of strings')
        return Recipe.from_lists(title, data["ingredients"], data["steps"])

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "ingredients": [ingredient.text for ingredient in self.ingredients],
            "steps": list(self.steps),
        }

    def check(self) -> Recipe:
        """This recipe, if it can be tracked."""
        for what, lines in (("ingredients", self.ingredients), ("steps", self.steps)):
            if not lines:
                raise NpnError(f"the recipe has no {what}")
            if len(lines) > MOST:
                raise NpnError(f"the recipe has {len(lines):,} {what}, more than {MOST:,}")
        return self
