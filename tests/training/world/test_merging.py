"""Labelled recipes in which neighbouring steps became one."""

from __future__ import annotations

import random
from typing import Any

from npn.training.world.examples import merge_some, merge_steps

RECIPE: dict[str, Any] = {
    "id": "porridge",
    "ingredients": ["1 cup oats", "2 cups milk", "1 pear"],
    "steps": ["Chill the milk.", "Boil it with the oats.", "Slice the pear."],
}
STATES = [
    {
        "actions": ["chill"],
        "entities": [1],
        "changes": [{"type": "temperature", "end_state": "cold", "entities": [1]}],
    },
    {
        "actions": ["boil"],
        "entities": [0, 1],
        "changes": [
            {"type": "temperature", "end_state": "hot", "entities": [0, 1]},
            {"type": "composition", "end_state": "composed", "entities": [0, 1]},
        ],
        "disputed": ["shape"],
    },
    {
        "actions": ["slice"],
        "entities": [2],
        "changes": [{"type": "shape", "end_state": "separated", "entities": [2]}],
    },
]
WORLD = [
    {"uses": [{"i": 1}], "acts_on": [1], "piles": [{"of": ["1"], "where": None}]},
    {"uses": [{"i": 0}], "acts_on": [0, 1], "piles": [{"of": ["0", "1"], "where": None}]},
    {"uses": [{"i": 2}], "acts_on": [2], "piles": [{"of": ["0", "1"]}, {"of": ["2"]}]},
]


def test_of_two_changes_of_one_type_the_later_counts() -> None:
    merged = merge_steps({**RECIPE, "gold": STATES}, 0)
    assert merged["steps"] == ["Chill the milk. Boil it with the oats.", "Slice the pear."]
    first, last = merged["gold"]
    assert first == {
        "actions": ["chill", "boil"],
        "entities": [0, 1],
        "changes": [
            {"type": "composition", "end_state": "composed", "entities": [0, 1]},
            {"type": "temperature", "end_state": "hot", "entities": [0, 1]},
        ],
        "disputed": ["shape"],
    }
    assert last == STATES[2]


def test_a_world_has_all_uses_and_the_piles_after_the_second_step() -> None:
    first, last = merge_steps({**RECIPE, "world": WORLD}, 0)["world"]
    assert first == {"uses": [{"i": 1}, {"i": 0}], "acts_on": [0, 1], "piles": WORLD[1]["piles"]}
    assert last == WORLD[2]


def test_two_steps_are_left_at_least() -> None:
    for seed in range(20):
        merged = merge_some({**RECIPE, "gold": STATES}, random.Random(seed))
        assert len(merged["steps"]) == len(merged["gold"]) == 2
