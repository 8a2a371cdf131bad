"""Small libraries of our own recipes, as Mealie and Tandoor keep them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any


def mealie_recipe(
    name: str, lines: list[str], steps: list[str], links: list[list[int]] | None = None
) -> dict[str, Any]:
    return {
        "name": name,
        "slug": name.lower().replace(" ", "-"),
        "rating": 5,
        "recipeIngredient": [
            {
                "note": line,
                "display": line,
                "quantity": 1,
                "title": None,
                "referenceId": f"{name}-{n}",
            }
            for n, line in enumerate(lines)
        ],
        "recipeInstructions": [
            {
                "id": f"step-{n}",
                "title": "",
                "summary": "kept",
                "text": text,
                "ingredientReferences": [
                    {"referenceId": f"{name}-{i}"} for i in (links[n] if links else [])
                ],
            }
            for n, text in enumerate(steps)
        ],
    }


def tandoor_recipe(
    name: str,
    rows: list[tuple[float, str | None, str, str]],
    steps: list[str],
) -> dict[str, Any]:
    """All rows (amount, unit, food, note) are in the first step, as its import leaves them."""
    return {
        "id": len(name),
        "name": name,
        "servings": 2,
        "steps": [
            {
                "id": 100 + n,
                "name": "",
                "instruction": text,
                "time": 3,
                "order": n,
                "show_as_header": False,
                "show_ingredients_table": True,
                "ingredients": [
                    {
                        "id": 200 + i,
                        "food": {"id": 300 + i, "name": food},
                        "unit": unit and {"id": 400, "name": unit},
                        "amount": amount,
                        "note": note,
                        "order": i,
                        "is_header": food == "",
                        "no_amount": not amount,
                    }
                    for i, (amount, unit, food, note) in enumerate(rows)
                ]
                if n == 0
                else [],
            }
            for n, text in enumerate(steps)
        ],
    }


_TEA = mealie_recipe(
    "Mint tea", ["1 bunch mint", "4 cups water"], ["Boil the water.", "Add the mint."]
)
_TOAST = mealie_recipe(
    "Toast",
    ["2 slices bread", "1 tbsp butter", "1 lemon"],
    ["Toast the bread.", "Spread with the butter."],
)
_MINE = mealie_recipe("My soup", ["1 leek"], ["Chop the leek.", "Boil it."], [[0], []])
_EMPTY = mealie_recipe("An idea", [], ["Think."])

_OMELETTE = tandoor_recipe(
    "Omelette",
    [
        (0, None, "", "Pan"),
        (2, "tbsp", "butter", ""),
        (3, None, "egg", "beaten"),
        (0, None, "salt", ""),
        (1, "bunch", "chives", ""),
    ],
    ["Beat the eggs with the salt.", "Melt the butter in a pan.", "Pour in the eggs."],
)
_PUT = tandoor_recipe("Put", [(1, None, "egg", "")], ["Boil water.", "Boil the egg."])
_PUT["steps"][1]["ingredients"] = _PUT["steps"][0]["ingredients"]
_PUT["steps"][0]["ingredients"] = []
_PLACES = tandoor_recipe(
    "By places", [(1, None, "egg", "")], ["Boil {{ ingredients[0] }}.", "Peel the egg."]
)


def mealie_library() -> dict[str, dict[str, Any]]:
    return {one["slug"]: deepcopy(one) for one in (_TEA, _TOAST, _MINE, _EMPTY)}


def tandoor_library() -> dict[str, dict[str, Any]]:
    return {str(one["id"]): deepcopy(one) for one in (_OMELETTE, _PUT, _PLACES)}


def documented_library(kind: str) -> dict[str, dict[str, Any]]:
    """The recipes of docs/recipe-managers.md."""
    if kind == "tandoor":
        omelette = tandoor_recipe(
            "Omelette",
            [
                (2, "tbsp", "butter", ""),
                (3, None, "egg", "beaten"),
                (0, None, "salt", ""),
                (1, "bunch", "chives", ""),
            ],
            [
                "Beat the eggs with the salt.",
                "Melt the butter in a pan and pour in the eggs.",
                "Sprinkle with the chives.",
            ],
        )
        return {"8": omelette}
    recipes = (
        mealie_recipe(
            "Lemon loaf",
            ["200 g butter, softened", "200 g sugar", "3 eggs", "200 g flour", "1 lemon, grated"],
            [
                "Beat the butter with the sugar until pale.",
                "Beat in the eggs, then fold in the flour and the lemon.",
                "Bake for 45 minutes.",
            ],
        ),
        mealie_recipe(
            "Weekday pasta",
            ["300 g spaghetti", "2 tbsp olive oil", "2 cloves garlic, sliced", "salt"],
            [
                "Boil the spaghetti in salted water.",
                "Warm the garlic in the oil and toss with the pasta.",
            ],
        ),
        mealie_recipe("Leek soup", ["2 leeks"], ["Slice the leeks.", "Boil them."], [[0], []]),
        mealie_recipe("Try fennel some day", [], ["Think."]),
    )
    return {one["slug"]: one for one in recipes}
