"""From the body of a request to a recipe or a trace.

A body is a recipe as it is, in any format that `npn formats` lists, our JSON among them. Or it is
JSON that wraps one, with the parameters beside it: {"text": "…", "after": 3}, {"recipe": {…}}, or
{"trace": {…}} for a recipe that has been tracked before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from npn.errors import NpnError
from npn.formats import Found, Item, Note, Problem
from npn.formats.reading import parse_json, read_stream
from npn.language.words import looks_english
from npn.recipe import Recipe
from npn.trace import Trace
from npn.web.message import WebJob

WRAPPERS = ("text", "recipe", "trace", "annotators")
NOT_WRAPPED = ("@type", "@graph", "ingredients", "recipeIngredient")
LONGEST_NAME = 200


class SeveralRecipesError(NpnError):
    """A file holds several recipes and nobody has said which. `titles` are theirs."""

    def __init__(self, titles: list[str]) -> None:
        super().__init__(
            f"this holds {len(titles)} recipes: say which with ?which=1 to {len(titles)}"
        )
        self.titles = titles


@dataclass(slots=True)
class Request:
    """A job with its body read. `notes` fills with what a person should know of the reading."""

    fields: Mapping[str, Any]
    body: bytes
    type: str
    notes: list[str] = field(default_factory=list)

    @staticmethod
    def of(job: WebJob) -> Request:
        wrapped = _wrapped(job)
        return Request({**job.parameters, **(wrapped or {})}, job.body, job.type)

    def trace(self, track: Callable[[Recipe], Trace]) -> Trace:
        """The trace that was sent, or that of the recipe that was."""
        if "trace" in self.fields:
            return Trace.from_dict(self.fields["trace"])
        return track(self.recipe())

    def recipe(self, *, unfinished: bool = False) -> Recipe:
        """The recipe that was sent. `unfinished`: it may lack steps."""
        if "trace" in self.fields:
            return recipe_of(Trace.from_dict(self.fields["trace"]))
        if "recipe" in self.fields:
            recipe = Recipe.from_dict(self.fields["recipe"])
            return recipe.check_size() if unfinished and recipe.ingredients else recipe.check()
        text = self.text("text", "") if "text" in self.fields else None
        return self._choose(self.body if text is None else text.encode(errors="replace"))

    def text(self, key: str, default: str | None = None) -> str:
        value = self.fields.get(key, default)
        if not isinstance(value, str):
            raise NpnError(f'"{key}" is missing: it is a text')
        return value

    def number(
        self, key: str, default: int | None, least: int = 0, most: int = 5_000
    ) -> int | None:
        """A whole number of the parameters, `default` where it is not given."""
        value = self.fields.get(key)
        if value is None or value == "":
            return default
        number = int(value) if isinstance(value, str) and _is_short_number(value) else value
        if type(number) is not int or not least <= number <= most:
            raise NpnError(f'"{key}" must be a whole number from {least} to {most:,}')
        return number

    def factor(self) -> float:
        """By what the amounts are to be multiplied; 1 unless told."""
        value = self.fields.get("scale", 1)
        try:
            factor = float(value)
        except (TypeError, ValueError, OverflowError):
            factor = 0.0
        if not 0.01 <= factor <= 100:
            raise NpnError('"scale" must be a number from 0.01 to 100')
        return factor

    def _choose(self, data: bytes) -> Recipe:
        name = self.text("name", "")[:LONGEST_NAME]
        which = self.number("which", None, least=1, most=1_000_000)
        found, problems = self._sorted(read_stream(name, BytesIO(data)))
        if not found:
            raise NpnError(problems[0] if problems else "this holds no recipe")
        if which is None and len(found) > 1:
            raise SeveralRecipesError([one.recipe.title for one in found[:1_000]])
        if which is not None and which > len(found):
            raise NpnError(f"there is no recipe {which}: this holds {len(found)}")
        recipe = found[(which or 1) - 1].recipe
        if not looks_english(recipe):
            self.notes.append("this does not look English: expect little of its trace")
        return recipe

    def _sorted(self, items: Iterator[Item]) -> tuple[list[Found], list[str]]:
        found: list[Found] = []
        problems: list[str] = []
        for item in items:
            if isinstance(item, Found):
                found.append(item)
            elif isinstance(item, Problem):
                problems.append(f"{item.where}: {item.message}" if item.where else item.message)
            elif isinstance(item, Note):
                self.notes.append(item.message.strip())
        return found, problems


def recipe_of(trace: Trace) -> Recipe:
    """The recipe that a trace was made of."""
    return Recipe(
        trace.title,
        trace.ingredients,
        tuple(step.text for step in trace.steps),
        tuple(step.section for step in trace.steps)
        if any(step.section for step in trace.steps)
        else (),
        yields=trace.yields,
    )


def _wrapped(job: WebJob) -> Mapping[str, Any] | None:
    """The JSON object around a recipe, or None where the body is the recipe itself."""
    if job.type != "application/json":
        return None
    value = parse_json(job.body)
    if not isinstance(value, dict) or any(key in value for key in NOT_WRAPPED):
        return None
    return value if any(key in value for key in WRAPPERS) else None


def _is_short_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
