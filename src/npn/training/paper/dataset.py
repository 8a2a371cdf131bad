"""The recipes of a split as flat arrays, and batches of them on the device where training happens:
padded to rectangles on the host, and sent there while the device is still busy with the last."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.networks.paper.batch import Batch, FlatRecipes, collate_flat, rectangle
from npn.networks.paper.losses import Labels
from npn.networks.paper.network import batch_to_device, to_device
from npn.training.data.prepared import Prepared
from npn.training.data.ragged import LABELS, TEXT, Array, Ids, keep_items, take_recipes
from npn.training.data.shards import EVIDENCE
from npn.training.objective import LabelledBatch
from npn.training.paper.batching import BatchShape, BatchShapes, shuffled

LOOKED_AT = 8  # epochs, to find the usual shapes of batches


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
        self.device = device
        self.recipes = recipes or found
        self.sentences: Ids = np.diff(arrays["recipe_sentences"][: self.recipes + 1])
        self._arrays = arrays
        self._sizes = prepared.sizes

    def drop_labels(self, kept: float, seed: int) -> None:
        """Keep each label with probability `kept`. A step whose entity label is dropped has none,
        as if it named no ingredient; an action that is dropped did not happen, and a type of state
        change that is dropped from a step happened to nobody there."""
        random = np.random.default_rng((seed, 8))  # apart from those that order and drop out
        arrays = self._arrays
        steps, kinds = len(arrays["evidence"]), len(self._sizes.end_states)
        keep_items(arrays, "actions", random.random(len(arrays["actions"])) < kept)
        changes_kept = random.random((steps, kinds)) < kept
        step = np.repeat(np.arange(steps), np.diff(arrays["sentence_changes"]))
        keep_items(arrays, "changes", changes_kept[step, arrays["changes"][:, 0]])
        arrays["evidence"] = arrays["evidence"] * (random.random(steps) < kept)

    def usual_shapes(self, batch_size: int) -> BatchShapes:
        """Shapes for the batches that often come up when epochs are shuffled."""
        sizes = (
            BatchShape.of(self._text(recipes))
            for epoch in range(LOOKED_AT)
            for recipes in shuffled(self.sentences, batch_size, (epoch,))
        )
        most = int(np.diff(self._arrays["recipe_ingredients"][: self.recipes + 1]).max())
        return BatchShapes.of(sizes, batch_size, max(most, 1), LOOKED_AT)

    def batch(self, recipes: Ids, shapes: BatchShapes | None = None) -> LabelledBatch:
        """These recipes with their labels. With `shapes`, a batch that fits one is filled up to
        it, and says so in its `shape`."""
        flat = self._text(recipes)
        batch = collate_flat(flat)
        shape = shapes.fitting(BatchShape.of(flat)) if shapes is not None else None
        if shape is not None:
            batch = shape.fill(batch)
        return LabelledBatch(
            batch_to_device(batch, self.device),
            self._labels(recipes, batch),
            len(batch.words),
            (shape.sentences, len(shape.counts)) if shape is not None else None,
        )

    def _text(self, recipes: Ids) -> FlatRecipes:
        arrays = take_recipes(self._arrays, TEXT, recipes)
        lengths = {ends: np.diff(arrays[ends]) for ends in ("recipe_sentences", *TEXT.values())}
        items = {name: arrays[name].astype(np.int64) for name in TEXT}
        return FlatRecipes(
            lengths["recipe_sentences"],
            lengths["sentence_tokens"],
            items["tokens"],
            lengths["recipe_ingredients"],
            items["ingredients"],
            lengths["ingredient_token_offsets"],
            items["ingredient_tokens"],
        )

    def _labels(self, recipes: Ids, batch: Batch) -> Labels:
        """The labels of these recipes in the rectangles of their `batch`."""
        arrays = take_recipes(self._arrays, LABELS, recipes)
        labelled = arrays["evidence"] == EVIDENCE["mention"]
        actions = _marks(arrays["actions"], arrays["sentence_actions"], self._sizes.actions)
        actions[~actions.any(1), 0] = True  # no verb of action: action 0, "no change"
        selected = _marks(arrays["selected"], arrays["sentence_selected"], batch.present.shape[1])
        ends = _end_state_shares(
            arrays["changes"], arrays["sentence_changes"], self._sizes.end_states
        )

        def send(values: Array) -> torch.Tensor:
            return to_device(rectangle(values, batch.steps), self.device)

        return Labels(
            send(actions).float(),
            send(labelled),
            send(selected & labelled[:, None]).float(),
            tuple(map(send, ends)),
        )


def _marks(items: Array, offsets: Ids, width: int) -> NDArray[np.bool_]:
    """A row for each list, true in the columns that its items name."""
    marks = np.zeros((len(offsets) - 1, width), bool)
    marks[np.repeat(np.arange(len(marks)), np.diff(offsets)), items] = True
    return marks


def _end_state_shares(
    changes: Array, offsets: Ids, sizes: Sequence[int]
) -> list[NDArray[np.float32]]:
    """For each type a row for each sentence: the end states of its `changes` (type, end state, ...)
    in equal shares, or else "no change"."""
    shares = []
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    for kind, size in enumerate(sizes):
        share = np.zeros((len(offsets) - 1, size), np.float32)
        of_kind = changes[:, 0] == kind
        share[sentence[of_kind], changes[of_kind, 1]] = 1
        share[~share.any(1), 0] = 1
        shares.append(share / share.sum(1, keepdims=True))
    return shares
