"""A split as flat arrays on the device where training happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


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
