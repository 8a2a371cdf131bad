"""Mealie: a step has references to ingredients, and no amounts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from npn.formats.manager_files import entries, text
from npn.formats.mealie import read_entries, read_recipe
from npn.linking.manager import PAGE, Data, Listed, Parts, Server, Steps, all_listed
from npn.recipe import Recipe

REFERENCES = "ingredientReferences"


class Mealie:
    title = "Mealie"
    variable = "MEALIE_TOKEN"
    profile = "your profile, API tokens"

    def listed(self, server: Server) -> Iterator[Listed]:
        order = {"orderBy": "slug", "orderDirection": "asc"}
        return all_listed(server, "/api/recipes", "items", "slug", perPage=PAGE, **order)

    def fetch(self, server: Server, key: str) -> Data:
        data = server.get(_path(key))
        if not isinstance(data, dict) or not self.is_steps(data.get("recipeInstructions") or []):
            raise server.strange()
        return data

    def recipe(self, data: Data) -> Recipe:
        return read_recipe(data).check()

    def steps(self, data: Data) -> Steps:
        return [dict(step) for step in data.get("recipeInstructions") or []]

    def obstacle(self, data: Data) -> str:
        lines = data.get("recipeIngredient") or []
        if not any(isinstance(one, dict) and one.get("referenceId") for one in lines):
            return "its ingredients have no ids"
        return ""

    def is_linked(self, data: Data) -> bool:
        return any(step.get(REFERENCES) for step in self.steps(data))

    def linked(self, data: Data, recipe: Recipe, parts: Parts) -> Steps:
        lines, kept = read_entries(data)
        given = entries(data, "recipeIngredient")
        ids = [text(given[line.place], "referenceId") for line in lines]
        steps = self.steps(data)
        for step, taken in zip(kept, parts, strict=True):
            steps[step.place][REFERENCES] = [
                {"referenceId": id} for part in taken if (id := ids[part.ingredient])
            ]
        return steps

    def signature(self, steps: Steps) -> object:
        return [[step.get("text") or "", sorted(_references(step))] for step in steps]

    def is_steps(self, value: object) -> bool:
        return isinstance(value, list) and all(
            isinstance(step, dict)
            and isinstance(step.get(REFERENCES) or [], list)
            and all(
                isinstance(one, dict) and isinstance(one.get("referenceId"), str)
                for one in step.get(REFERENCES) or []
            )
            for step in value
        )

    def replace_steps(self, server: Server, key: str, steps: Steps) -> Steps | None:
        answer = server.patch(_path(key), {"recipeInstructions": steps})
        found = answer.get("recipeInstructions") if isinstance(answer, dict) else None
        return found if self.is_steps(found) else None


def _references(step: Mapping[str, Any]) -> list[str]:
    return [one["referenceId"] for one in step.get(REFERENCES) or []]


def _path(key: str) -> str:
    return f"/api/recipes/{quote(key, safe='')}"
