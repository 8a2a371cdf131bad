"""A folder of training data for the world network: ten recipes of our own, with labels, and a
corpus of our own recipes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from own_corpus import OWN_RECIPES

SETS = [
    ("butter", "sugar", "flour", "bowl"),
    ("eggs", "milk", "oats", "bowl"),
    ("rice", "water", "peas", "pot"),
    ("onion", "oil", "carrot", "pan"),
    ("beef", "garlic", "tomatoes", "pot"),
    ("potatoes", "cream", "cheese", "dish"),
    ("chicken", "lemon", "thyme", "dish"),
    ("apples", "honey", "walnuts", "bowl"),
    ("cabbage", "vinegar", "salt", "bowl"),
    ("beans", "stock", "bacon", "pot"),
]
SMALL = {
    "encoder": '"random"', "processes": "1", "teachers": "1", "tuned": "2",
    "student_layers": "[0, 1]", "last_layers": "[1]", "last_inner": "6", "rounds": "2",
    "vocabulary.fewest": "2", "vocabulary.every": "1",
    "gold": '[{name = "worlds"}, {name = "entities", weight = 0.5}]',
    "corpora": '[{name = "own", weak = 10, taught = 6, regrouped = 0.5}]',
    "sizes.width": "16", "sizes.heads": "2", "sizes.layers": "2", "sizes.inner": "24",
    "sizes.positions": "40", "sizes.orders": "16", "sizes.sections": "4", "sizes.cell": "16",
    "sizes.cell_heads": "2", "sizes.blocks": "1", "sizes.element": "8", "sizes.pointer": "8",
    "weak.epochs": "1", "weak.steps": "2", "teacher.epochs": "1", "student.epochs": "1",
    "student.steps": "0", "tuning.epochs": "2", "tuning.steps": "0", "tuning.budget": "400",
    "tuning.rate": "0.003",
}  # fmt: skip
SMALL_SETTINGS = tuple(f"{name}={value}" for name, value in SMALL.items())


def world_recipe(number: int) -> dict[str, Any]:
    """A recipe whose second half of an ingredient comes later than the first."""
    first, second, third, vessel = SETS[number]
    return {
        "id": f"own-{number}",
        "title": f"{first} with {third}".capitalize(),
        "ingredients": [f"2 cups {first}", f"1 cup {second}, divided", f"3 tablespoons {third}"],
        "steps": [
            f"Stir the {first} with half of the {second} in a {vessel}.",
            f"Chop the {third} and put it on a plate.",
            f"Add the {third} and the remaining {second} to the {vessel} and mix well.",
        ],
        "world": [
            {
                "uses": [{"i": 0, "fraction": 1}, {"i": 1, "fraction": 0.5}],
                "acts_on": [0, 1],
                "piles": [{"of": ["0", "1a"], "where": vessel}],
            },
            {
                "uses": [{"i": 2, "fraction": 1}],
                "acts_on": [2],
                "piles": [{"of": ["0", "1a"], "where": vessel}, {"of": ["2"], "where": "plate"}],
            },
            {
                "uses": [{"i": 1, "fraction": 0.5}],
                "acts_on": [0, 1, 2],
                "piles": [{"of": ["0", "1a", "1b", "2"], "where": vessel}],
            },
        ],
    }


def entity_recipe(number: int) -> dict[str, Any]:
    """The same recipe with labels of what each step acts on and changes."""
    recipe = world_recipe(number)
    vessel = SETS[number][3]
    changes: list[list[dict[str, Any]]] = [
        [{"type": "location", "end_state": vessel, "entities": [0, 1]}],
        [{"type": "shape", "end_state": "separated", "entities": [2]}],
        [{"type": "composition", "end_state": "composed", "entities": [0, 1, 2]}],
    ]
    recipe["gold"] = [
        {"entities": step["acts_on"], "actions": ["mix"], "changes": change}
        for step, change in zip(recipe.pop("world"), changes, strict=True)
    ]
    return recipe


def write_folder(folder: Path) -> Path:
    (folder / "gold").mkdir(parents=True)
    (folder / "corpus").mkdir()
    for name, recipes in (
        ("worlds", [world_recipe(number) for number in range(7)]),
        ("entities", [entity_recipe(number) for number in range(7, 10)]),
    ):
        text = "".join(json.dumps(recipe) + "\n" for recipe in recipes)
        (folder / "gold" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    with gzip.open(folder / "corpus" / "own.jsonl.gz", "wb") as file:
        file.write(OWN_RECIPES.read_bytes())
    return folder
