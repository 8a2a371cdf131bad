"""Pairs of steps so far and the next one, on the device where training happens, with the entity
states of a frozen tracker for the generators that read them.

A recipe lies there once, as `<start> s1 <end> s2 <end> ...`; a context is a stretch of it, and the
sentence to say is the stretch that follows. Batches are gathered there without a loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from npn.networks.generator.batch import LONGEST, Context
from npn.networks.paper.batch import UNKNOWN, EncodedRecipe
from npn.networks.paper.network import RecipeNetwork
from npn.training.data.ragged import Array, Ids
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.trained import batch_on, load_run

POOL = 64  # batches that are sorted together, so that those of one batch are about as long
LONGEST_TARGET = 60  # words of a sentence to learn; what is longer is learnt to there


@dataclass(frozen=True, slots=True)
class Targets:
    """`written` (B, T) begins with <start>; `encoded` and `forms` are what follows each word of it.
    `places` (P,) are those of the B times T that are no padding."""

    written: Tensor
    encoded: Tensor
    forms: Tensor
    places: Tensor

    @property
    def words(self) -> int:
        return len(self.places)


class Pairs:
    """All pairs of a part, those with `first` steps before them or more. Forms beyond the
    vocabulary are numbered after <end>."""

    def __init__(
        self,
        part: GenerationPart,
        device: torch.device,
        *,
        states: Tensor | None = None,
        first: int = 0,
    ) -> None:
        self.device = device
        arrays, words = part.arrays, len(part.data.words)
        self.start, self.end = words, words + 1
        recipe, step = part.pairs.T
        kept = step >= first
        self.pairs = part.pairs[kept]
        stream, ends, starts = _stream(arrays, part.recipes, self.start, self.end)
        begins = np.where(step == 0, starts[recipe] + 1, np.roll(ends, 1))
        lengths = np.minimum(begins - starts[recipe], LONGEST)
        self.lengths: Ids = lengths[kept]
        self.context_starts: Ids = (begins - lengths)[kept]
        self.target_starts: Ids = begins[kept]
        self.target_lengths: Ids = np.minimum(ends - begins, LONGEST_TARGET + 1)[kept]
        counts = np.diff(arrays["recipe_ingredients"])[recipe]
        self.ingredients: Ids = counts[kept]
        self.rows: Ids = (np.cumsum(counts) - counts)[kept]  # of features and states
        self._forms = self._to(stream)
        encoded = part.data.encoded
        self._encoded = self._to(
            np.concatenate([encoded[:words], [words, words + 1], encoded[words:]])
        )
        self.name_starts, self.name_lengths, names = _names(arrays, part.recipes, words)
        self._name_forms, self._owners, self._previous = map(self._to, names)
        self._features = self._to(arrays["features"][:, : counts.sum()].astype(np.int32).T)
        self._states = states

    def __len__(self) -> int:
        return len(self.pairs)

    def unsaid(self) -> Ids:
        """The words of the vocabulary that no pair asks for."""
        asked = np.zeros(self.end + 1, np.bool_)
        asked[self._encoded[self._forms].cpu().numpy()] = True
        return np.flatnonzero(~asked)

    def encode(self, forms: Ids) -> Ids:
        """Their ids in the vocabulary."""
        found: Ids = self._encoded[self._to(forms)].cpu().numpy()
        return found

    def batches(self, size: int, random: np.random.Generator) -> Iterator[Ids]:
        """Numbers of pairs, of about one length, in a random order."""
        order = random.permutation(len(self))
        cut = []
        for at in range(0, len(order), size * POOL):
            pool = order[at : at + size * POOL]
            pool = pool[np.argsort(self.lengths[pool], kind="stable")]
            cut += [pool[start : start + size] for start in range(0, len(pool), size)]
        return (cut[turn] for turn in random.permutation(len(cut)))

    def batch(self, pairs: Ids) -> tuple[Context, Targets]:
        return self.context(pairs), self.targets(pairs)

    def context(self, pairs: Ids) -> Context:
        """Forms are those of the whole data, not of the recipe: to learn with, not to decode."""
        forms, word_mask = self._stretch(self._forms, self.context_starts, self.lengths, pairs)
        recipe = self.pairs[pairs, 0]
        name_forms, name_mask = self._stretch(
            self._name_forms, self.name_starts, self.name_lengths, recipe
        )
        names = self._encoded[name_forms] * name_mask
        previous, _ = self._stretch(self._previous, self.name_starts, self.name_lengths, recipe)
        owners, _ = self._stretch(self._owners, self.name_starts, self.name_lengths, recipe)
        counts = self.ingredients[pairs]
        places, present = self._places(self.rows[pairs], counts)
        nothing = torch.zeros(len(pairs), 1, 1, device=self.device)
        return Context(
            words=self._encoded[forms] * word_mask,
            forms=forms,
            lengths=self.lengths[pairs],
            word_mask=word_mask,
            names=names,
            name_forms=name_forms,
            previous=torch.where(previous > 0, self._encoded[previous], 0),
            owners=owners,
            name_mask=name_mask,
            present=present,
            ingredients=counts,
            features=self._features[places].long() * present[..., None],
            states=nothing if self._states is None else self._states[places] * present[..., None],
            steps=self._to(self.pairs[pairs, 1]),
            extra=torch.zeros(len(pairs), 0, dtype=torch.int64, device=self.device),
        )

    def targets(self, pairs: Ids) -> Targets:
        forms, there = self._stretch(self._forms, self.target_starts, self.target_lengths, pairs)
        encoded = self._encoded[forms] * there
        written = torch.nn.functional.pad(encoded[:, :-1], (1, 0), value=self.start)
        lengths = self.target_lengths[pairs]
        places = np.flatnonzero(np.arange(forms.shape[1]) < lengths[:, None])
        return Targets(written, encoded, forms, self._to(places))

    def _stretch(
        self, stream: Tensor, starts: Ids, lengths: Ids, which: Ids
    ) -> tuple[Tensor, Tensor]:
        places, there = self._places(starts[which], lengths[which])
        return stream[places] * there, there

    def _places(self, starts: Ids, lengths: Ids) -> tuple[Tensor, Tensor]:
        width = max(int(lengths.max(initial=0)), 1)
        both = self._to(np.stack([starts, lengths]))
        columns = torch.arange(width, device=self.device)
        there = columns < both[1][:, None]
        return (both[0][:, None] + columns) * there, there

    def _to(self, array: Array) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)


def _stream(arrays: dict[str, Array], recipes: int, start: int, end: int) -> tuple[Ids, Ids, Ids]:
    """All recipes one after the other; where each sentence ends, <end> included; and where each
    recipe starts."""
    sentences = arrays["recipe_sentences"][: recipes + 1]
    lengths = np.diff(arrays["sentence_tokens"][: sentences[-1] + 1])
    tokens = arrays["tokens"][: lengths.sum()].astype(np.int64)
    tokens = np.where(tokens < start, tokens, tokens + 2)
    recipe = np.repeat(np.arange(recipes), np.diff(sentences))
    ends = np.cumsum(lengths + 1) + recipe + 1
    starts = np.concatenate([[0], ends[sentences[1:-1] - 1]]).astype(np.int64)
    stream = np.full(int(ends[-1]), -1, np.int64)
    stream[starts] = start
    stream[ends - 1] = end
    stream[stream < 0] = tokens
    return stream, ends, starts


def _names(
    arrays: dict[str, Array], recipes: int, words: int
) -> tuple[Ids, Ids, tuple[Ids, Ids, Ids]]:
    """Where each recipe's names start and how many words they have; and the forms of these words,
    the ingredient each is of, and the form before it in its name."""
    ingredients = arrays["recipe_ingredients"][: recipes + 1]
    ends = arrays["ingredient_token_offsets"][: ingredients[-1] + 1]
    forms = arrays["ingredient_tokens"][: ends[-1]].astype(np.int64)
    forms = np.where(forms < words, forms, forms + 2)
    owner = np.arange(ingredients[-1]) - np.repeat(ingredients[:-1], np.diff(ingredients))
    owners = np.repeat(owner, np.diff(ends))
    previous = np.concatenate([[0], forms[:-1]])
    previous[ends[:-1][np.diff(ends) > 0]] = 0
    starts = ends[ingredients[:-1]]
    return starts, ends[ingredients[1:]] - starts, (forms, owners, previous)


# -- The entity states of a frozen tracker: what its memory holds before every step.

BATCH = 128  # recipes


@dataclass(frozen=True, slots=True)
class FrozenTracker:
    """A trained network, and its own numbers for the forms and entities of the data."""

    network: RecipeNetwork
    forms: Ids
    entities: Ids

    @property
    def size(self) -> int:
        return self.network.config.options.memory_size

    @staticmethod
    def load(run: Path, data: GenerationData, device: torch.device) -> FrozenTracker:
        """From the folder of a run of `npn train`. Its vocabulary need not be the data's: words and
        entities are found by name."""
        trained = load_run(run, device)
        words = {word: i for i, word in enumerate(trained.vocabulary.words)}
        entities = {name: i for i, name in enumerate(trained.vocabulary.entities)}
        in_words = [words.get(word, UNKNOWN) for word in data.words]
        encoded = [in_words[i] for i in data.encoded]
        return FrozenTracker(
            trained.network,
            np.array([words.get(form, encoded[i]) for i, form in enumerate(data.forms)]),
            np.array([entities.get(name, UNKNOWN) for name in data.entities]),
        )

    @torch.no_grad()
    def states(self, part: GenerationPart, device: torch.device) -> Tensor:
        """(rows, E): a row for every ingredient before every step, in the order of `features`."""
        recipes = [self._recipe(part, r) for r in range(part.recipes)]
        order = sorted(range(len(recipes)), key=lambda r: len(recipes[r].sentences))
        found: dict[int, Tensor] = {}
        for at in range(0, len(order), BATCH):
            chosen = order[at : at + BATCH]
            batch = batch_on([recipes[r] for r in chosen], device)
            keys, memory = self.network.keys(batch), self.network(batch).memory
            before = torch.cat([keys[:, None], memory], 1)
            for b, r in enumerate(chosen):
                steps, ingredients = len(recipes[r].sentences), len(recipes[r].entities)
                found[r] = before[b, :steps, :ingredients].flatten(0, 1)
        return torch.cat([found[r] for r in range(len(recipes))])

    def _recipe(self, part: GenerationPart, recipe: int) -> EncodedRecipe:
        arrays = part.arrays
        first, last = arrays["recipe_ingredients"][recipe : recipe + 2]
        return EncodedRecipe(
            [self.forms[sentence].tolist() for sentence in part.sentence_forms(recipe)],
            self.entities[arrays["ingredients"][first:last]].tolist(),
            [self.forms[name].tolist() for name in part.name_forms(recipe)],
        )
