"""Tandoor: a step has rows of ingredients, each with its part of the amount."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from npn.formats.tandoor import in_order, is_heading, read_recipe
from npn.formats.tandoor_text import has_templates
from npn.linking.client import Server
from npn.linking.manager import PAGE, Data, Listed, Parts, Steps, all_listed
from npn.linking.tandoor_rows import move_rows
from npn.recipe import Recipe


class Tandoor:
    title = "Tandoor"
    variable = "TANDOOR_TOKEN"
    profile = "Settings, API"

    def listed(self, server: Server) -> Iterator[Listed]:
        """By the time they were made: Tandoor's own order is by name, and says nothing of recipes
        with the same name, which could then be on two pages or on none."""
        order = {"sort_order": "created_at"}
        return all_listed(server, "/api/recipe/", "results", "id", page_size=PAGE, **order)

    def fetch(self, server: Server, key: str) -> Data:
        data = server.get(_path(key))
        if not isinstance(data, dict) or not _is_steps(data.get("steps")):
            raise server.strange()
        return data

    def recipe(self, data: Data) -> Recipe:
        return read_recipe(data).check()

    def steps(self, data: Data) -> Steps:
        return [
            {**step, "ingredients": [dict(row) for row in in_order(step["ingredients"])]}
            for step in in_order(data["steps"])
        ]

    def obstacle(self, data: Data) -> str:
        if any(has_templates(str(step.get("instruction"))) for step in data["steps"]):
            return "its text names ingredients by their place ({{ ingredients[0] }})"
        return ""

    def is_linked(self, data: Data) -> bool:
        """Tandoor's import leaves all ingredients in the first step, or in a step that is only a
        heading: elsewhere somebody has put them."""
        steps = self.steps(data)
        having = [number for number, step in enumerate(steps) if step["ingredients"]]
        first = next((n for n, step in enumerate(steps) if not is_heading(step)), 0)
        return len(having) > 1 or any(n > first for n in having)

    def linked(self, data: Data, recipe: Recipe, parts: Parts) -> Steps:
        return move_rows(self.steps(data), parts)

    def signature(self, steps: Steps) -> object:
        return [
            [step.get("instruction") or "", sorted(_content(row) for row in step["ingredients"])]
            for step in steps
        ]

    def replace_steps(self, server: Server, key: str, steps: Steps) -> Steps | None:
        answer = server.patch(_path(key), {"steps": steps})
        found = answer.get("steps") if isinstance(answer, dict) else None
        return self.steps({"steps": found}) if _is_steps(found) else None


def _content(row: dict[str, Any]) -> list[str]:
    """A row without its id, which a new one gets from the server."""
    food, amount = row.get("food"), row.get("amount")
    name = food.get("name") if isinstance(food, dict) else food
    number = f"{amount:.3f}" if isinstance(amount, int | float) else ""
    return [str(name or ""), number, str(row.get("note") or "")]


def _path(key: str) -> str:
    return f"/api/recipe/{quote(key, safe='')}/"


def _is_steps(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(step, dict)
        and isinstance(step.get("ingredients"), list)
        and all(isinstance(row, dict) for row in step["ingredients"])
        for step in value
    )
