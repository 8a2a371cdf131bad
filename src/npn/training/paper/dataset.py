"""A split on the device where training happens, from which batches are gathered there, without a
loop over recipes and without waiting for the device."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.networks.paper.batch import Batch
from npn.networks.paper.losses import Labels
from npn.training.data.prepared import MENTION, Prepared
from npn.training.paper.epoch import DeviceSplit, Epoch, Ragged, lay_out, mixtures
from npn.training.paper.plan import BatchShapes, Ids, Layout, make_plan


class Dataset:
    """The first `recipes` recipes of a split (all, if zero). `labels` is a setting of
    `npn.training.config.Experiment`."""

    def __init__(
        self,
        prepared: Prepared,
        split: str,
        device: torch.device,
        *,
        recipes: int = 0,
        labels: str = "ours",
    ) -> None:
        arrays = prepared.split(split, labels)
        found = len(arrays["recipe_sentences"]) - 1
        if found < max(recipes, 1):
            raise NpnError(
                f"{prepared.folder} has {found} recipes in its {split} split, and "
                f"{max(recipes, 1)} are wanted: prepare more"
            )
        self.recipes = recipes or found
        self.layout = _layout(arrays, self.recipes)
        self.sentences = np.diff(self.layout.recipe_sentences)
        self.device = device
        self._sizes = prepared.sizes
        on_device = {name: array.to(device) for name, array in arrays.items()}

        def ragged(items: str, ends: str) -> Ragged:
            return Ragged(on_device[items], on_device[ends])

        self._changes = ragged("changes", "sentence_changes")
        end_states, shares = mixtures(self._changes, self._sizes.end_states)
        self._split = DeviceSplit(
            recipe_sentences=on_device["recipe_sentences"],
            words=ragged("tokens", "sentence_tokens"),
            ingredients=ragged("ingredients", "recipe_ingredients"),
            names=ragged("ingredient_tokens", "ingredient_token_offsets"),
            actions=ragged("actions", "sentence_actions"),
            labelled=on_device["evidence"] == MENTION,
            selected=ragged("selected", "sentence_selected"),
            end_states=end_states,
            shares=shares,
        )

    def drop_labels(self, kept: float, seed: int) -> None:
        """Keep each label with probability `kept`. A step whose entity label is dropped has none,
        as if it named no ingredient; an action that is dropped did not happen, and a type of state
        change that is dropped from a step happened to nobody there."""
        random = np.random.default_rng((seed, 8))  # apart from those that order and drop out

        def chance(labels: int) -> Tensor:
            return torch.from_numpy(random.random(labels) < kept).to(self.device)

        split = self._split
        actions = split.actions.keep(chance(len(split.actions.items)))
        kinds = len(self._sizes.end_states)
        label = self._changes.list_of_items() * kinds + self._changes.items[:, 0].long()
        self._changes = self._changes.keep(chance(len(split.labelled) * kinds)[label])
        labelled = split.labelled & chance(len(split.labelled))
        end_states, shares = mixtures(self._changes, self._sizes.end_states)
        self._split = replace(
            split, actions=actions, labelled=labelled, end_states=end_states, shares=shares
        )

    def epoch(self, batches: list[Ids], shapes: BatchShapes | None = None) -> Epoch:
        """With `shapes`, batches that fit one are filled up to it."""
        plan = make_plan(self.layout, batches, shapes)
        return lay_out(self._split, plan, self._sizes.actions, sum(self._sizes.end_states))

    def batch(self, epoch: Epoch, number: int) -> tuple[Batch, Labels]:
        labels = epoch.labels(number, self._sizes.actions, self._sizes.end_states)
        return epoch.batch(number), labels


def _layout(arrays: dict[str, Tensor], recipes: int) -> Layout:
    ends = {name: array.numpy() for name, array in arrays.items() if array.dtype == torch.int64}
    recipe_sentences = ends["recipe_sentences"][: recipes + 1]
    recipe_ingredients = ends["recipe_ingredients"][: recipes + 1]
    return Layout(
        recipe_sentences,
        np.diff(ends["sentence_tokens"])[: recipe_sentences[-1]],
        np.maximum(np.diff(recipe_ingredients), 1),
        _widest(ends["ingredient_token_offsets"], recipe_ingredients),
    )


def _widest(offsets: Ids, groups: Ids) -> Ids:
    """The longest row in each group of rows; at least one."""
    lengths = np.diff(offsets)[: groups[-1]]
    lengths = np.append(lengths, 0)  # so that an empty last group has a row to start at
    widest = np.maximum.reduceat(lengths, groups[:-1])
    return np.maximum(np.where(np.diff(groups) > 0, widest, 0), 1)
