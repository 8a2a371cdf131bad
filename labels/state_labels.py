"""Labels of states that are kept without text: the actions of each step, the ingredients that it
acts on, and which of the six state types it changes for which of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from label_lines import digest_field, fields, ingredient_numbers, recipe_name

from npn.errors import NpnError
from npn.trace import STATE_TYPES


@dataclass(frozen=True, slots=True)
class LabelledChange:
    type: str  # one of STATE_TYPES
    end_state: str
    ingredients: tuple[int, ...]

    @staticmethod
    def from_list(data: object) -> LabelledChange:
        if not isinstance(data, list) or len(data) != 3 or not isinstance(data[1], str):
            raise NpnError("a change must be [type, end state, ingredients]")
        if data[0] not in STATE_TYPES:
            raise NpnError(f"the type of a change must be one of {', '.join(STATE_TYPES)}")
        return LabelledChange(data[0], data[1], ingredient_numbers(data[2], "changes"))


@dataclass(frozen=True, slots=True)
class StateLabelStep:
    """`actions` are verbs in their base form."""

    actions: tuple[str, ...]
    entities: tuple[int, ...]
    changes: tuple[LabelledChange, ...]

    @staticmethod
    def from_dict(data: object) -> StateLabelStep:
        step = fields(data, "actions entities changes")
        actions, changes = step["actions"], step["changes"]
        if not isinstance(actions, list) or not all(isinstance(one, str) for one in actions):
            raise NpnError('"actions" must be a list of verbs')
        if not isinstance(changes, list):
            raise NpnError('"changes" must be a list')
        return StateLabelStep(
            tuple(actions),
            ingredient_numbers(step["entities"], "entities"),
            tuple(map(LabelledChange.from_list, changes)),
        )


@dataclass(frozen=True, slots=True)
class StateLabel:
    """The states of one recipe. `source` is its corpus or gold file, `id` its line (from 0) or id
    there, `digest` that of the text which was labelled. Types in `disputed` were labelled under
    another convention than the gold's: joined, they are neither learned from nor scored."""

    source: str
    id: str
    digest: str
    steps: tuple[StateLabelStep, ...]
    disputed: tuple[str, ...] = ()

    @property
    def recipe(self) -> str:
        return f"{self.source}/{self.id}"

    @staticmethod
    def from_dict(data: object) -> StateLabel:
        label = fields(data, "recipe digest steps", optional="disputed")
        source, id = recipe_name(label)
        if not isinstance(label["steps"], list):
            raise NpnError('"steps" must be a list')
        steps = tuple(map(StateLabelStep.from_dict, label["steps"]))
        return StateLabel(source, id, digest_field(label), steps, _disputed(label))

    def gold(self, recipe: Mapping[str, Any]) -> dict[str, Any]:
        """What the label adds to its recipe in a gold file."""
        disputed = {"disputed": list(self.disputed)} if self.disputed else {}
        return {"gold": [{**_gold_step(step), **disputed} for step in self.steps]}


def _disputed(label: Mapping[str, Any]) -> tuple[str, ...]:
    types = label.get("disputed", [])
    if not isinstance(types, list) or not all(type in STATE_TYPES for type in types):
        raise NpnError(f'"disputed" must be a list of {", ".join(STATE_TYPES)}')
    return tuple(types)


def _gold_step(step: StateLabelStep) -> dict[str, Any]:
    return {
        "actions": list(step.actions),
        "entities": list(step.entities),
        "changes": [
            {
                "type": change.type,
                "end_state": change.end_state,
                "entities": list(change.ingredients),
            }
            for change in step.changes
        ],
    }
