"""A split on the device where training happens: flat ragged arrays, from which batches are gathered
there, without a loop over recipes and without waiting for the device."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.network.batch import Batch
from npn.network.losses import Labels
from npn.training.plan import Extent, Ids, Layout, Plan, make_plan
from npn.training.prepared import Prepared

MENTION = 1  # of `evidence`


@dataclass(frozen=True, slots=True)
class Epoch:
    """A plan, on the device."""

    plan: Plan
    recipes: Tensor
    sentences: Tensor
    rows: Tensor
    counts: Tensor
    host_counts: Tensor

    def __len__(self) -> int:
        return len(self.plan.extents)


class Dataset:
    """The first `recipes` recipes of a split (all, if zero). `entity_labels` is an option of
    `npn.training.config.LossOptions`."""

    def __init__(
        self,
        prepared: Prepared,
        split: str,
        device: torch.device,
        *,
        recipes: int = 0,
        entity_labels: str = "mentions",
    ) -> None:
        arrays = prepared.split(split)
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
        self._sizes = prepared.vocabulary.sizes
        if arrays["tokens"].dtype == torch.uint16:  # which PyTorch cannot index
            arrays["tokens"] = arrays["tokens"].view(torch.int16)
        self._arrays = {name: array.to(device) for name, array in arrays.items()}
        evidence = self._arrays["evidence"]
        self._labelled = evidence == MENTION if entity_labels == "mentions" else evidence > 0
        firsts = np.cumsum([0, *self._sizes.end_states[:-1]])
        self._first_end_state = torch.tensor(firsts, device=device)

    def drop_labels(self, kept: float, seed: int) -> None:
        """Keep each label with probability `kept`. A step whose entity label is dropped has none,
        as if it named no ingredient; a state change or an action that is dropped did not happen."""
        random = np.random.default_rng((seed, 8))  # apart from those that order and drop out
        for name in ("actions", "changes"):
            keep = torch.from_numpy(random.random(len(self._arrays[name])) < kept)
            self._keep(name, f"sentence_{name}", keep.to(self.device))
        labelled = torch.from_numpy(random.random(len(self._labelled)) < kept)
        self._labelled = self._labelled & labelled.to(self.device)

    def _keep(self, name: str, offsets: str, keep: Tensor) -> None:
        before = torch.cat([keep.new_zeros(1), keep]).cumsum(0)
        self._arrays[name] = self._arrays[name][keep]
        self._arrays[offsets] = before[self._arrays[offsets]]

    def epoch(self, batches: list[Ids]) -> Epoch:
        plan = make_plan(self.layout, batches)
        recipes, sentences, rows, counts = (
            torch.from_numpy(one).to(self.device)
            for one in (plan.recipes, plan.sentences, plan.rows, plan.counts)
        )
        return Epoch(plan, recipes, sentences, rows, counts, torch.from_numpy(plan.counts))

    def batch(self, epoch: Epoch, number: int) -> tuple[Batch, Labels]:
        extent = epoch.plan.extents[number]
        recipes = epoch.recipes[extent.recipes]
        sentences, steps = self._range("recipe_sentences", recipes, extent.width["sentences"])
        ingredients, present = self._range(
            "recipe_ingredients", recipes, extent.width["ingredients"]
        )
        names, spelled = self._ragged("ingredient_tokens", ingredients, extent)
        batch = Batch(
            words=self._packed_words(epoch, extent),
            counts=epoch.host_counts[extent.counts],
            rows=torch.where(steps, epoch.rows[sentences], extent.encoded),
            steps=steps,
            entities=torch.where(present, self._arrays["ingredients"][ingredients].long(), 0),
            present=present,
            names=torch.where(spelled & present[..., None], names, 0),
        )
        return batch, self._labels(batch, sentences, extent)

    def _packed_words(self, epoch: Epoch, extent: Extent) -> Tensor:
        counts = epoch.counts[extent.counts]
        position = torch.repeat_interleave(
            torch.arange(extent.longest, device=self.device), counts, output_size=extent.words
        )
        first = counts.cumsum(0) - counts
        within = torch.arange(extent.words, device=self.device) - first[position]
        start = self._arrays["sentence_tokens"][epoch.sentences[extent.sentences]]
        return self._words("tokens", start[within] + position)

    def _words(self, name: str, index: Tensor) -> Tensor:
        array = self._arrays[name]
        words = array[index].long()
        return words & 0xFFFF if array.dtype == torch.int16 else words

    def _range(self, offsets: str, rows: Tensor, width: int) -> tuple[Tensor, Tensor]:
        """Where the items of each of `rows` lie (..., width), and which of these there are."""
        ends = self._arrays[offsets]
        start = ends[rows][..., None]
        column = torch.arange(width, device=self.device)
        there = column < ends[rows + 1][..., None] - start
        return torch.where(there, start + column, 0), there

    def _ragged(self, name: str, rows: Tensor, extent: Extent) -> tuple[Tensor, Tensor]:
        index, there = self._range(_OFFSETS[name], rows, extent.width[name])
        if not len(self._arrays[name]):
            return torch.zeros_like(index), there & False
        return self._words(name, index), there

    def _labels(self, batch: Batch, sentences: Tensor, extent: Extent) -> Labels:
        sizes, shape = self._sizes, sentences.shape
        actions, acting = self._ragged("actions", sentences, extent)
        nothing = torch.where(acting, actions, sizes.actions)
        marked = _mark(nothing, (*shape, sizes.actions))
        marked[..., 0] += marked.sum(-1) == 0  # a step with no action verb: "no change"

        labelled = self._labelled[sentences] & batch.steps
        most = batch.present.shape[1]
        chosen, selecting = self._ragged("selected", sentences, extent)
        selecting = selecting & labelled[..., None]
        selected = _mark(torch.where(selecting, chosen, most), (*shape, most))
        return Labels(marked, labelled, selected, self._end_states(sentences, extent))

    def _end_states(self, sentences: Tensor, extent: Extent) -> tuple[Tensor, ...]:
        sizes = self._sizes.end_states
        rows, changing = self._range("sentence_changes", sentences, extent.width["changes"])
        total = sum(sizes)
        if len(self._arrays["changes"]):
            changes = self._arrays["changes"][rows].long()
            end_states = self._first_end_state[changes[..., 0]] + changes[..., 1]
            rows = torch.where(changing, end_states, total)
        else:
            rows = torch.full_like(rows, total)
        marked = _mark(rows, (*sentences.shape, total))
        return tuple(_mixture(part) for part in torch.split(marked, list(sizes), -1))


_OFFSETS = {
    "ingredient_tokens": "ingredient_token_offsets",
    "actions": "sentence_actions",
    "selected": "sentence_selected",
}


def _mark(index: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Ones at `index` of zeros of `shape`; an index past the end marks nothing."""
    marked = torch.zeros(*shape[:-1], shape[-1] + 1, device=index.device)
    return marked.scatter_(-1, index, 1.0)[..., :-1]


def _mixture(marked: Tensor) -> Tensor:
    """The uniform mixture of the end states marked; "no change" where there is none."""
    marked = marked.clone()
    marked[..., 0] += marked.sum(-1) == 0
    return marked / marked.sum(-1, keepdim=True)


def _layout(arrays: dict[str, Tensor], recipes: int) -> Layout:
    ends = {name: array.numpy() for name, array in arrays.items() if array.dtype == torch.int64}
    recipe_sentences = ends["recipe_sentences"][: recipes + 1]
    recipe_ingredients = ends["recipe_ingredients"][: recipes + 1]
    widest = {
        "sentences": np.maximum(np.diff(recipe_sentences), 1),
        "ingredients": np.maximum(np.diff(recipe_ingredients), 1),
        "ingredient_tokens": _widest(ends["ingredient_token_offsets"], recipe_ingredients),
    }
    for name in ("actions", "selected", "changes"):
        widest[name] = _widest(ends[f"sentence_{name}"], recipe_sentences)
    words = np.diff(ends["sentence_tokens"])[: recipe_sentences[-1]]
    return Layout(recipe_sentences, words, widest)


def _widest(offsets: Ids, groups: Ids) -> Ids:
    """The longest row in each group of rows; at least one."""
    lengths = np.diff(offsets)[: groups[-1]]
    lengths = np.append(lengths, 0)  # so that an empty last group has a row to start at
    widest = np.maximum.reduceat(lengths, groups[:-1])
    return np.maximum(np.where(np.diff(groups) > 0, widest, 0), 1)
