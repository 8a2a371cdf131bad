"""Mealie: a step has references to ingredients, and no amounts."""

from __future__ import annotations

from npn.errors import NpnError
from npn.formats.manager_files import entries, text
from npn.formats.mealie import read_entries, read_recipe
from npn.linking.manager import PAGE, Data, Manager, Parts, Steps
from npn.recipe import Recipe

REFERENCES = "ingredientReferences"


class Mealie(Manager):
    title = "Mealie"
    profile = "your profile, API tokens"
    list_path = "/api/recipes"
    list_query = f"perPage={PAGE}&orderBy=slug&orderDirection=asc"
    list_entries = "items"
    list_key = "slug"
    recipe_path = "/api/recipes/{}"
    steps_name = "recipeInstructions"

    def recipe(self, data: Data) -> Recipe:
        recipe = read_recipe(data).check()
        lines = data.get("recipeIngredient") or []
        if not any(isinstance(one, dict) and one.get("referenceId") for one in lines):
            raise NpnError("its ingredients have no ids")
        return recipe

    def _stored_steps(self, data: Data) -> object:
        return super()._stored_steps(data) or []  # a recipe without steps may have null

    def steps(self, data: Data) -> Steps:
        return [dict(step) for step in data.get(self.steps_name) or []]

    def is_linked(self, data: Data) -> bool:
        return any(step.get(REFERENCES) for step in self.steps(data))

    def linked(self, data: Data, parts: Parts) -> Steps:
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
        return [
            [
                step.get("text") or "",
                sorted(one["referenceId"] for one in step.get(REFERENCES) or []),
            ]
            for step in steps
        ]

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
