"""What the program reads: a recipe is a title, ingredient lines and steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from npn.errors import NpnError

MOST = 5_000  # of ingredients, and of steps: more is not a recipe
# A trace says of each step what it does to each ingredient, and so does a tracker of each sentence:
# these keep the largest recipe to seconds and a few hundred megabytes.
MOST_PAIRS = 200_000  # ingredients times steps
MOST_READ = 10_000_000  # ingredients times characters of steps

# What stands above the steps of a recipe, and is no step.
DIRECTIONS = frozenset(
    {"directions", "direction", "method", "the method", "instructions", "instruction"}
    | {"preparation", "procedure", "process", "steps", "the steps", "what to do", "to make"}
    | {"how to make it", "how to make", "how to cook it", "make it", "preparation method"}
    | {"cooking method", "cooking directions", "cooking instructions", "to prepare"}
)


@dataclass(frozen=True, slots=True)
class Amount:
    """How much of an ingredient: "2-3 tablespoons" has quantity 2, most 3 and unit "tablespoon".

    `package` is the size of each of what is counted: "2 (14 oz) cans" is 2 of unit "can" with a
    package of 14 ounces. `plus` is a second amount of the same line: "1/2 cup plus 2 tablespoons".
    `note` is what the line says besides: "divided", "finely chopped", "to taste"."""

    quantity: float | None = None
    most: float | None = None
    unit: str | None = None
    note: str | None = None
    package: Amount | None = None
    plus: Amount | None = None

    def to_dict(self) -> dict[str, Any]:
        """The four keys that every amount has, and the two rare ones where they are not empty."""
        data: dict[str, Any] = {
            "quantity": self.quantity,
            "most": self.most,
            "unit": self.unit,
            "note": self.note,
        }
        for key, amount in (("package", self.package), ("plus", self.plus)):
            if amount is not None:
                data[key] = amount.to_dict()
        return data

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Amount:
        """What `to_dict` gives, checked."""
        if not isinstance(data, Mapping):
            raise NpnError("an amount must be an object with keys")
        for key in ("quantity", "most"):
            number = data.get(key)
            if number is not None and not _is_quantity(number):
                raise NpnError(f'"{key}" of an amount must be a number from 0, not {number!r}')
        for key in ("unit", "note"):
            if not isinstance(data.get(key), str | None):
                raise NpnError(f'"{key}" of an amount must be a string')
        return Amount(
            data.get("quantity"),
            data.get("most"),
            data.get("unit"),
            data.get("note"),
            Amount.from_dict(data["package"]) if data.get("package") is not None else None,
            Amount.from_dict(data["plus"]) if data.get("plus") is not None else None,
        )


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One line of the ingredient list, as it stood.

    `name` is the short name that the steps use ("butter"), empty until the source or a tracker
    names it; `food` is what a shopper needs to know ("unsalted butter"). `state` is what the line
    itself says of the six state types ("melted butter"). `section` is the heading above a group of
    lines ("For the sauce"). `amount` is None until the line has been parsed."""

    text: str
    name: str = ""
    state: Mapping[str, str] = field(default_factory=dict, hash=False)
    section: str | None = None
    food: str = ""
    amount: Amount | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Yield:
    """How much a recipe makes: "Serves 4-6" is 4, at most 6, of "servings"; "Makes 2 loaves" is 2
    of "loaves"."""

    quantity: float
    most: float | None = None
    of: str = "servings"

    def to_dict(self) -> dict[str, Any]:
        return {"quantity": self.quantity, "most": self.most, "of": self.of}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Yield:
        """What `to_dict` gives, checked."""
        if not isinstance(data, Mapping):
            raise NpnError('"yields" must be an object with keys')
        quantity, most, of = (data.get(key) for key in ("quantity", "most", "of"))
        if not _is_quantity(quantity) or not quantity:
            raise NpnError(f'"quantity" of "yields" must be a number above 0, not {quantity!r}')
        if most is not None and not _is_quantity(most):
            raise NpnError(f'"most" of "yields" must be a number or null, not {most!r}')
        if not isinstance(of, str):
            raise NpnError('"of" of "yields" must be a string')
        return Yield(quantity, most, of)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A title, ingredient lines and steps. `step_sections` has the heading of each step, or None;
    it is empty where no step has one. `links` has for each step the ingredients that the source
    itself links to it, as recipe managers do; it is empty where the source links none. `yields` is
    how much it makes, None where the source does not say."""

    title: str
    ingredients: tuple[Ingredient, ...]
    steps: tuple[str, ...]
    step_sections: tuple[str | None, ...] = ()
    links: tuple[tuple[int, ...], ...] = ()
    yields: Yield | None = None

    @staticmethod
    def from_text(text: str) -> Recipe:
        """The one recipe in `text`, whatever its format (see `npn formats`)."""
        from npn.formats import read_text  # the door to the readers, opened only when used

        if not isinstance(text, str):
            raise TypeError(f"the text of a recipe is a string, not {type(text).__name__}")
        return read_text(text)

    @staticmethod
    def from_lists(
        title: str,
        ingredients: Iterable[str],
        steps: Iterable[str],
        ingredient_sections: Iterable[str | None] = (),
        step_sections: Iterable[str | None] = (),
    ) -> Recipe:
        """A recipe from plain lines. Sections are one heading (or None) a line or step, or none at
        all."""
        lines, texts = _strings("ingredients", ingredients), _strings("steps", steps)
        above = _headings("ingredient", ingredient_sections, len(lines))
        sections = _headings("step", step_sections, len(texts))
        return Recipe(
            title,
            tuple(Ingredient(line, section=one) for line, one in zip(lines, above, strict=True)),
            texts,
            sections if any(sections) else (),
        )

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Recipe:
        """Our own JSON: {"title", "ingredients": [lines], "steps": [strings]}, and where there are
        headings "ingredient_sections" and "step_sections", a heading or null for each line and
        step; and where it is known how much it makes, "yields", as `Yield.to_dict` gives it.
        Other keys are ignored."""
        if not isinstance(data, Mapping):
            raise NpnError("a recipe is a JSON object with a title, ingredients and steps")
        title = data.get("title", "")
        if not isinstance(title, str):
            raise NpnError('"title" must be a string')
        lines = {key: data.get(key) for key in ("ingredients", "steps")}
        sections = {key: data.get(key) or [] for key in ("ingredient_sections", "step_sections")}
        for key, values in (lines | sections).items():
            kind, what = (str, "strings") if key in lines else (str | None, "strings and nulls")
            if not isinstance(values, list) or not all(isinstance(one, kind) for one in values):
                raise NpnError(f'"{key}" must be a list of {what}')
        recipe = Recipe.from_lists(title, data["ingredients"], data["steps"], **sections)
        yields = data.get("yields")
        return replace(recipe, yields=Yield.from_dict(yields)) if yields is not None else recipe

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "title": self.title,
            "ingredients": [ingredient.text for ingredient in self.ingredients],
            "steps": list(self.steps),
        }
        if any(ingredient.section for ingredient in self.ingredients):
            data["ingredient_sections"] = [one.section for one in self.ingredients]
        if self.step_sections:
            data["step_sections"] = list(self.step_sections)
        if self.yields is not None:
            data["yields"] = self.yields.to_dict()
        return data

    def section_of(self, step: int) -> str | None:
        """The heading that a step stands under."""
        return self.step_sections[step] if self.step_sections else None

    def check(self) -> Recipe:
        """This recipe, if it can be tracked."""
        for what, lines in (("ingredients", self.ingredients), ("steps", self.steps)):
            if not lines:
                raise NpnError(f"the recipe has no {what}")
        return self.check_size()

    def check_size(self) -> Recipe:
        """This recipe, if it is no larger than a recipe can be."""
        for what, lines in (("ingredients", self.ingredients), ("steps", self.steps)):
            if len(lines) > MOST:
                raise NpnError(f"the recipe has {len(lines):,} {what}, more than {MOST:,}")
        ingredients, characters = len(self.ingredients), sum(map(len, self.steps))
        for count, what, most in (
            (len(self.steps), "steps", MOST_PAIRS),
            (characters, "characters of steps", MOST_READ),
        ):
            if ingredients * count > most:
                raise NpnError(
                    f"this is too large to be one recipe: ingredients ({ingredients:,}) times "
                    f"{what} ({count:,}) are more than {most:,}"
                )
        return self


def _is_quantity(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number < inf


def _strings(what: str, given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise NpnError(f"{what} are a list of strings, not one text")
    if not isinstance(given, Iterable):
        raise TypeError(f"{what} are a list of strings, not {given!r}")
    strings = tuple(given)
    if not all(isinstance(one, str) for one in strings):
        raise TypeError(f"{what} are a list of strings")
    return strings


def _headings(what: str, given: Iterable[str | None], count: int) -> tuple[str | None, ...]:
    """One each, None where there is none."""
    found = tuple(heading or None for heading in given) or (None,) * count
    if len(found) != count:
        raise NpnError(
            f'"{what}_sections" has {len(found)} entries for {count} {what}s: give one each'
        )
    return found
