"""Recipes of about one size, laid out side by side, so that a batch of any of them is a few
gathers on the device where they lie, and always of one shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from torch import Tensor

from npn.network.equations import Array
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.packed import GAP
from npn.runtime.mixtures_batches import collate
from npn.training.mixtures.examples import Example
from npn.training.mixtures.targets import UNKNOWN, MixtureTargets, collate_targets

SENTENCES = (5, 8, 11, 14, 18, 24, 34)
INGREDIENTS = (8, 13, 22)
PLACES = 6
WORDS = 22  # of a sentence, on average
_OF_WORDS = ("words", "marks", "sentences")
_SMALL = {
    "words": np.int16,
    "marks": np.uint8,
    "sentences": np.uint8,
    "rows": np.uint8,
    "near": np.int16,
    "keys": np.int16,
    "names": np.int16,
    "place_words": np.int16,
}


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """The most sentences, ingredients, places in a sentence and words that a recipe may have."""

    sentences: int
    ingredients: int
    places: int
    words: int

    @staticmethod
    def of(example: Example) -> Shape:
        read = example.signs.sentences
        return Shape(
            max(1, len(read)),
            max(1, len(example.signs.names)),
            max((len(one.places) for one in read), default=0),
            GAP + sum(len(one.words) + GAP for one in read),
        )

    def holds(self, other: Shape) -> bool:
        return all(getattr(self, f.name) >= getattr(other, f.name) for f in fields(self))


# The shapes of what the corpora hold, less the one recipe in thirty that fits into none of them.
SHAPES = tuple(Shape(T, n, PLACES, GAP + WORDS * T) for T in SENTENCES for n in INGREDIENTS)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Recipes and what is to be said of them, a recipe a row. Words of a recipe are numbered in
    its own row; `starts` has a row of as many numbers as there are sentences."""

    recipes: MixtureBatch
    targets: MixtureTargets

    def __len__(self) -> int:
        return len(self.recipes.present)

    def map(self, change: Callable[[Array], Array]) -> Shelf:
        return Shelf(self.recipes.map(change), self.targets.map(change))

    def to(self, device: torch.device) -> Shelf:
        return self.map(lambda a: torch.from_numpy(a).to(device))

    def take(self, chosen: Tensor) -> tuple[MixtureBatch, MixtureTargets]:
        """The batch of these recipes; PyTorch only."""
        rows = self.recipes.map(lambda a: a.index_select(0, chosen))
        words, sentences = self.recipes.words.shape[1], self.recipes.steps.shape[1]
        number = torch.arange(len(chosen), device=chosen.device)

        def moved(array: Tensor, by: int) -> Tensor:
            offset = (number * by).view(-1, *(1,) * (array.dim() - 1))
            return torch.where(array > 0, array + offset, 0)

        batch = replace(
            rows,
            words=rows.words.flatten(),
            marks=rows.marks.flatten(),
            sentences=moved(rows.sentences, sentences).flatten(),
            starts=rows.starts.flatten(),
            rows=moved(rows.rows, sentences),
            near=moved(rows.near, words),
            keys=moved(rows.keys, words),
            place_words=moved(rows.place_words, words),
        )
        return batch, self.targets.map(lambda a: a.index_select(0, chosen))


def lay_out(examples: Sequence[Example], shape: Shape) -> Shelf:
    """A shelf of NumPy arrays of recipes that `shape` holds."""
    recipes, targets = [], []
    for one in examples:
        recipes.append(_recipe_row(collate([one.signs]), shape))
        targets.append(_target_row(collate_targets([one.signs], [one.targets]), shape))
    return Shelf(
        MixtureBatch(*_stacked(recipes, MixtureBatch)),
        MixtureTargets(*_stacked(targets, MixtureTargets)),
    )


def join(shelves: Sequence[Shelf]) -> Shelf:
    """One shelf of several of one shape."""

    def joined(parts: Sequence[MixtureBatch | MixtureTargets]) -> list[Array]:
        return [np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(parts[0])]

    return Shelf(
        MixtureBatch(*joined([one.recipes for one in shelves])),
        MixtureTargets(*joined([one.targets for one in shelves])),
    )


def shelve(examples: Sequence[Example], shapes: Sequence[Shape] = SHAPES) -> dict[Shape, Shelf]:
    """Each recipe on the smallest shelf that holds it, if one does."""
    found: dict[Shape, list[Example]] = {}
    for example in examples:
        own = Shape.of(example)
        fitting = [shape for shape in shapes if shape.holds(own)]
        if fitting:
            found.setdefault(min(fitting), []).append(example)
    return {shape: lay_out(some, shape) for shape, some in sorted(found.items())}


def own_shapes(examples: Sequence[Example], count: int) -> list[Shape]:
    """So many shapes that hold all of these recipes, each about as many."""
    order = sorted(map(Shape.of, examples))
    size = -(-len(order) // count)
    groups = [order[: at + size] for at in range(0, len(order), size)]
    return [Shape(*(max(getattr(s, f.name) for s in g) for f in fields(Shape))) for g in groups]


def _recipe_row(batch: MixtureBatch, shape: Shape) -> MixtureBatch:
    T, n, K, W = shape.sentences, shape.ingredients, shape.places, shape.words
    sizes = {
        **dict.fromkeys(_OF_WORDS, (W,)),
        "starts": (T,),
        "rows": (T,),
        "signs": (T, n),
        "step_signs": (T,),
        "near": (T, n),
        "keys": (T,),
        "names": (n,),
        "present": (n,),
        "steps": (T,),
        "places": (T, K),
        "place_words": (T, K),
        "place_pairs": (T, K, n),
        "place_present": (T, K),
        "serving": (),
    }

    def padded(name: str) -> Array:
        array = getattr(batch, name)
        if name not in (*_OF_WORDS, "starts"):
            array = array[0]
        return _pad(array.astype(_SMALL.get(name, array.dtype)), sizes[name])

    return MixtureBatch(*(padded(f.name) for f in fields(MixtureBatch)))


def _target_row(targets: MixtureTargets, shape: Shape) -> MixtureTargets:
    T, n = shape.sentences, shape.ingredients
    known = targets.groups.shape[-1]
    groups = _pad(targets.groups[0], (T, n))
    groups[:, known:] = np.arange(known, n, dtype=np.uint8)
    return MixtureTargets(
        _pad(targets.entities[0], (T, n)),
        _pad(targets.labelled[0], (T,)),
        groups,
        _pad(targets.grouped[0], (T,)),
        _pad(targets.ends[0], (T, n), UNKNOWN),
        _pad(targets.places[0], (T, n), UNKNOWN),
    )


def _pad(array: Array, sizes: tuple[int, ...], value: int = 0) -> Array:
    """The array with its first dimensions as large as `sizes`."""
    grown = np.full((*sizes, *array.shape[len(sizes) :]), value, array.dtype)
    grown[tuple(slice(0, length) for length in array.shape[: len(sizes)])] = array
    return grown


def _stacked(rows: Sequence[MixtureBatch | MixtureTargets], kind: type) -> list[Array]:
    return [np.stack([getattr(row, f.name) for row in rows]) for f in fields(kind)]
