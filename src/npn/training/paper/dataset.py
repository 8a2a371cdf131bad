"""A split on the device where training happens, as flat arrays, and an epoch of it laid out there:
everything its batches need is gathered at once, without a loop over recipes and without waiting
for the device, so that a batch is hardly more than slices of it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.networks.paper.batch import PAD, Batch
from npn.networks.paper.losses import Labels
from npn.training.data.prepared import MENTION, Prepared
from npn.training.paper.plan import BatchShapes, EpochPlan, Ids, Layout, make_plan


@dataclass(frozen=True, slots=True)
class Ragged:
    """Lists of unequal length, one after the other: list i is items[ends[i] : ends[i + 1]]."""

    items: Tensor
    ends: Tensor

    def lengths(self) -> Tensor:
        return self.ends.diff()

    def list_of_items(self) -> Tensor:
        """The number of the list that each item is in."""
        lists = torch.arange(len(self.ends) - 1, device=self.ends.device)
        return torch.repeat_interleave(lists, self.lengths())

    def keep(self, kept: Tensor) -> Ragged:
        """Without the items that are not `kept`."""
        before = torch.cat([kept.new_zeros(1), kept]).cumsum(0)
        return Ragged(self.items[kept], before[self.ends])

    def take(self, lists: Tensor, width: Tensor) -> Taken:
        """`width` items of each of `lists`; those past a list's end are not there."""
        row = torch.repeat_interleave(torch.arange(len(lists), device=lists.device), width)
        column = torch.arange(len(row), device=row.device) - (width.cumsum(0) - width)[row]
        place = self.ends[lists][row] + column
        there = place < self.ends[lists + 1][row]
        return Taken(row, torch.where(there, place, 0), there)

    def at(self, taken: Taken) -> Tensor:
        """The items; zero where there is none."""
        if not len(self.items):
            return torch.zeros_like(taken.place)
        return torch.where(taken.there, self.items[taken.place].long(), 0)


@dataclass(frozen=True, slots=True)
class Taken:
    row: Tensor  # which of the lists asked for
    place: Tensor  # of the item
    there: Tensor


@dataclass(frozen=True, slots=True)
class DeviceSplit:
    recipe_sentences: Tensor  # (R + 1,) ends
    words: Ragged  # of each sentence
    ingredients: Ragged  # entities of each recipe
    names: Ragged  # words of each ingredient
    actions: Ragged  # of each sentence
    labelled: Tensor  # (S,) whether a sentence has an entity label
    selected: Ragged  # ingredients of each sentence
    end_states: Ragged  # of each sentence and every type, numbered through all types
    shares: Tensor  # of each end state in the mixture of its sentence and type


def mixtures(changes: Ragged, sizes: Sequence[int]) -> tuple[Ragged, Tensor]:
    """For each sentence, the end states of its `changes` (type, end state, ...), and the share of
    each: those of a type in equal parts, "no change" where there is none."""
    device = changes.ends.device
    many, kinds, total = len(changes.ends) - 1, len(sizes), sum(sizes)
    size = torch.tensor(sizes, device=device)
    first = size.cumsum(0) - size
    kind_of = torch.repeat_interleave(torch.arange(kinds, device=device), size)
    sentence = changes.list_of_items()
    kind, end = changes.items[:, 0].long(), changes.items[:, 1].long()
    unchanged = torch.ones(many * kinds, dtype=torch.bool, device=device)
    unchanged[sentence * kinds + kind] = False
    still = unchanged.nonzero()[:, 0]
    marks = [sentence * total + first[kind] + end, still // kinds * total + first[still % kinds]]
    found: Tensor = torch.unique(torch.cat(marks))
    end_states = found % total
    group = found // total * kinds + kind_of[end_states]
    shares = 1 / torch.bincount(group, minlength=many * kinds)[group].float()
    ends = torch.searchsorted(found, total * torch.arange(many + 1, device=device))
    return Ragged(end_states, ends), shares


Parts = tuple[Tensor, ...]  # one for each batch


@dataclass(frozen=True, slots=True)
class Epoch:
    """An epoch's data as flat tensors, one for each batch; `batch(n)` gives batch n its padded
    shape. Labels are stored sparsely, as the indices of the ones."""

    plan: EpochPlan
    words: Parts
    counts: Parts  # on the host
    rows: Parts
    steps: Parts
    entities: Parts
    present: Parts
    names: Parts
    labelled: Parts
    actions: Parts
    selected: Parts
    end_states: Parts
    shares: Parts

    def __len__(self) -> int:
        return len(self.plan.extents)

    def batch(self, number: int) -> Batch:
        shape = self.plan.extents[number].shape
        recipes, ingredients = shape.recipes, shape.ingredients
        return Batch(
            words=self.words[number],
            counts=self.counts[number],
            rows=self.rows[number].view(recipes, -1),
            steps=self.steps[number].view(recipes, -1),
            entities=self.entities[number].view(recipes, -1),
            present=self.present[number].view(recipes, -1),
            names=self.names[number].view(recipes, ingredients, -1),
        )

    def shape(self, number: int) -> Hashable | None:
        """The same for all batches that are padded to one shape; None for other batches."""
        extent = self.plan.extents[number]
        return (extent.shape.sentences, extent.shape.longest) if extent.filled_up else None

    def labels(self, number: int, actions: int, end_states: tuple[int, ...]) -> Labels:
        """Of a vocabulary of so many `actions`, and `end_states` of each type."""
        shape = self.plan.extents[number].shape
        steps, ingredients = (shape.recipes, shape.sentences), shape.ingredients

        def nothing(width: int) -> Tensor:
            return torch.zeros(steps[0] * steps[1] * width, device=self.rows[number].device)

        acted = nothing(actions).index_fill_(0, self.actions[number], 1)
        selected = nothing(ingredients).index_fill_(0, self.selected[number], 1)
        ended = nothing(sum(end_states))
        ended.index_copy_(0, self.end_states[number], self.shares[number])
        return Labels(
            acted.view(*steps, actions),
            self.labelled[number].view(steps),
            selected.view(*steps, ingredients),
            torch.split(ended.view(*steps, -1), list(end_states), -1),
        )


def lay_out(split: DeviceSplit, plan: EpochPlan, actions: int, end_states: int) -> Epoch:
    """`actions` and `end_states` are how many there are."""
    device = split.labelled.device

    def on_device(values: Ids | list[int]) -> Tensor:
        return torch.as_tensor(values, device=device)

    shapes = [extent.shape for extent in plan.extents]
    cells = [shape.recipes * shape.sentences for shape in shapes]
    things = [shape.recipes * shape.ingredients for shape in shapes]
    spellings = [shape.recipes * shape.ingredients * shape.name for shape in shapes]
    most_ingredients = on_device([shape.ingredients for shape in shapes])
    numbers = torch.arange(len(shapes), device=device)
    recipes = on_device(plan.recipes)
    batch_of_recipe = numbers.repeat_interleave(on_device([shape.recipes for shape in shapes]))
    batch_of_cell = numbers.repeat_interleave(on_device(cells))
    batch_of_thing = numbers.repeat_interleave(on_device(things))

    whole = Ragged(recipes, split.recipe_sentences)
    sentences = whole.take(
        recipes, on_device([shape.sentences for shape in shapes])[batch_of_recipe]
    )
    steps, place = sentences.there, sentences.place
    nowhere = on_device([shape.rows for shape in shapes])
    ingredients = split.ingredients.take(recipes, most_ingredients[batch_of_recipe])
    present = ingredients.there
    spelling = split.names.take(
        ingredients.place, on_device([shape.name for shape in shapes])[batch_of_thing]
    )
    spelled = present[spelling.row]
    labelled = split.labelled[place] & steps

    cell_ends = torch.cat([numbers[:1], on_device(cells).cumsum(0)])
    cell = torch.arange(len(steps), device=device) - cell_ends[batch_of_cell]  # in its batch

    def places(lists: Ragged, many: Tensor, size: Tensor) -> tuple[Tensor, Tensor, list[int]]:
        """In rectangles (B, T, size) of each batch, those of `many` items of each step; which items
        these are; how many each batch has."""
        taken = lists.take(place, many)
        marks = cell[taken.row] * size[batch_of_cell[taken.row]] + lists.at(taken)
        before = torch.cat([numbers[:1], many.cumsum(0)])[cell_ends]
        return marks, taken.place, before.diff().tolist()

    # A step with no action verb has action 0, "no change", as is what is taken past a list's end.
    acting = torch.where(steps, split.actions.lengths()[place].clamp(min=1), 0)
    selecting = torch.where(labelled, split.selected.lengths()[place], 0)
    ending = torch.where(steps, split.end_states.lengths()[place], 0)
    acted, _, in_acted = places(split.actions, acting, torch.full_like(numbers, actions))
    selected, _, in_selected = places(split.selected, selecting, most_ingredients)
    ended, which, in_ended = places(split.end_states, ending, torch.full_like(numbers, end_states))
    return Epoch(
        plan=plan,
        words=torch.split(_packed_words(split, plan), [shape.words for shape in shapes]),
        counts=tuple(torch.from_numpy(shape.counts) for shape in shapes),
        rows=torch.split(
            torch.where(steps, on_device(plan.rows)[place], nowhere[batch_of_cell]), cells
        ),
        steps=torch.split(steps, cells),
        entities=torch.split(split.ingredients.at(ingredients), things),
        present=torch.split(present, things),
        names=torch.split(torch.where(spelled, split.names.at(spelling), 0), spellings),
        labelled=torch.split(labelled, cells),
        actions=torch.split(acted, in_acted),
        selected=torch.split(selected, in_selected),
        end_states=torch.split(ended, in_ended),
        shares=torch.split(split.shares[which], in_ended),
    )


def _packed_words(split: DeviceSplit, plan: EpochPlan) -> Tensor:
    """All first words of a batch's sentences, then all second words, and so on; padding where a
    shape has a word and the batch has none."""
    device = split.labelled.device

    def of_extents(values: list[int]) -> Tensor:
        return torch.tensor(values, device=device)

    longest = of_extents([extent.shape.longest for extent in plan.extents])
    counts = torch.from_numpy(np.concatenate([e.shape.counts for e in plan.extents])).to(device)
    sentences = torch.from_numpy(plan.sentences).to(device)
    words = sum(extent.shape.words for extent in plan.extents)
    # Of each count: its batch, and how many words of each sentence come before.
    numbers = torch.arange(len(longest), device=device)
    batch = torch.repeat_interleave(numbers, longest, output_size=len(counts))
    position = torch.arange(len(counts), device=device) - (longest.cumsum(0) - longest)[batch]
    # Of each word: its count, and its sentence's row.
    count = torch.arange(len(counts), device=device)
    count = torch.repeat_interleave(count, counts, output_size=words)
    row = torch.arange(words, device=device) - (counts.cumsum(0) - counts)[count]
    first = of_extents([extent.sentences.start for extent in plan.extents])
    encoded = of_extents([extent.encoded for extent in plan.extents])
    real = row < encoded[batch][count]
    sentence = sentences[torch.where(real, first[batch][count] + row, 0)]
    place = split.words.ends[sentence] + position[count]
    there = real & (place < split.words.ends[sentence + 1])
    return torch.where(there, split.words.items[torch.where(there, place, 0)].long(), PAD)


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
