"""Pairs of steps so far and the next one, as a generator learns from them: the context as it is in
use, and the words that come, with the entity states of a frozen tracker where these are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from npn.language.vocabulary import word_id
from npn.networks.generator.batch import LONGEST, Context, ContextExample, collate, example, pad
from npn.networks.paper.batch import UNKNOWN, EncodedRecipe
from npn.networks.paper.network import RecipeNetwork, to_device
from npn.training.data.ragged import Ids
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.objective import LabelledBatch
from npn.training.trained import batch_on, load_run

POOL = 64  # batches that are sorted together, so that those of one batch are about as long
LONGEST_TARGET = 60  # words of a sentence to learn; what is longer is learnt to there
ON_HOST = ("lengths", "ingredients")  # of a context


@dataclass(frozen=True, slots=True)
class Targets:
    """`written` (B, T) begins with <start>; `encoded` and `forms` are what follows each word of it.
    `places` (P,) are those of the B times T that are no padding."""

    written: Tensor
    encoded: Tensor
    forms: Tensor
    places: Tensor


class Pairs:
    """All pairs of a part, those with `first` steps before them or more. `states` has a row for
    every ingredient before every step."""

    def __init__(
        self,
        part: GenerationPart,
        device: torch.device,
        *,
        states: Tensor | None = None,
        first: int = 0,
    ) -> None:
        self.part, self.device = part, device
        self.start, self.end = len(part.data.words), len(part.data.words) + 1
        self._ids = {word: i for i, word in enumerate(part.data.words)}
        self._states = None if states is None else states.cpu().numpy()
        arrays, (recipe, step) = part.arrays, part.pairs.T
        kept = step >= first
        self.pairs = part.pairs[kept]
        ends = arrays["sentence_tokens"] + np.arange(len(arrays["sentence_tokens"]))  # with <end>
        begun = arrays["recipe_sentences"][recipe]
        self.lengths: Ids = np.minimum(1 + ends[begun + step] - ends[begun], LONGEST)[kept]
        counts = np.diff(arrays["recipe_ingredients"])[recipe]
        last = np.cumsum(counts)
        self._rows: Ids = np.stack([last - counts, last], 1)[kept]  # of features and states

    def __len__(self) -> int:
        return len(self.pairs)

    def unsaid(self) -> Ids:
        """The words of the vocabulary that no pair asks for."""
        arrays, part = self.part.arrays, self.part
        last = arrays["sentence_tokens"][arrays["recipe_sentences"][part.recipes]]
        asked = part.data.encoded[arrays["tokens"][:last]]
        return np.setdiff1d(np.arange(self.start), asked)

    def batches(self, size: int, random: np.random.Generator) -> Iterator[Ids]:
        """Numbers of pairs, of about one length, in a random order."""
        order = random.permutation(len(self))
        cut = []
        for at in range(0, len(order), size * POOL):
            pool = order[at : at + size * POOL]
            pool = pool[np.argsort(self.lengths[pool], kind="stable")]
            cut += [pool[start : start + size] for start in range(0, len(pool), size)]
        return (cut[turn] for turn in random.permutation(len(cut)))

    def batch(self, pairs: Ids) -> LabelledBatch:
        """Contexts, and what to say after them."""
        examples = self.examples(pairs)
        context, targets = self.context(examples), self._targets(pairs, examples)
        words = int(context.lengths.sum()) + len(targets.places)
        return LabelledBatch(context, targets, words)

    def examples(self, pairs: Ids) -> list[ContextExample]:
        """What is read before the next step of each pair."""
        part, features, states = self.part, self.part.arrays["features"], self._states
        return [
            example(
                self._ids,
                part.sentences(recipe)[:step],
                part.names(recipe),
                features[:, first:last].T,
                None if states is None else states[first:last],
            )
            for (recipe, step), (first, last) in zip(
                self.pairs[pairs].tolist(), self._rows[pairs].tolist(), strict=True
            )
        ]

    def context(self, examples: Sequence[ContextExample]) -> Context:
        """A batch on the device."""
        context = collate(examples)
        names = [one.name for one in fields(Context) if one.name not in ON_HOST]
        moved = {name: to_device(getattr(context, name), self.device) for name in names}
        return replace(context, **moved)

    def _targets(self, pairs: Ids, examples: Sequence[ContextExample]) -> Targets:
        encoded, forms = [], []
        for (recipe, step), one in zip(self.pairs[pairs].tolist(), examples, strict=True):
            sentence, beyond = self.part.sentence(recipe, step), self.end + 1
            copied = {word: beyond + i for i, word in enumerate(one.extra_words)}
            nobody = beyond + len(copied)  # the form of a word that cannot be copied
            ids = [word_id(word, self._ids) for word in sentence]
            found = [self._ids.get(word, copied.get(word, nobody)) for word in sentence]
            encoded.append([*ids, self.end][: LONGEST_TARGET + 1])
            forms.append([*found, self.end][: LONGEST_TARGET + 1])
        following, there = pad(encoded)
        written = np.pad(following[:, :-1], [(0, 0), (1, 0)], constant_values=self.start)
        arrays = (written, following, pad(forms)[0], np.flatnonzero(there))
        return Targets(*(to_device(array, self.device) for array in arrays))


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
        return FrozenTracker(
            trained.network,
            np.array([word_id(form, words) for form in data.forms]),
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
