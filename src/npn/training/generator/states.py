"""The entity states of a frozen tracker: what its memory holds before every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from npn.networks.paper.batch import UNKNOWN, EncodedRecipe
from npn.networks.paper.network import RecipeNetwork
from npn.training.generator.data import GenerationData, GenerationPart, Ids
from npn.training.trained import batch_on, load_run

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
            _lists(part, "recipe_sentences", "sentence_tokens", "tokens", recipe, self.forms),
            self.entities[arrays["ingredients"][first:last]].tolist(),
            _lists(
                part,
                "recipe_ingredients",
                "ingredient_token_offsets",
                "ingredient_tokens",
                recipe,
                self.forms,
            ),
        )


def _lists(
    part: GenerationPart, outer: str, inner: str, items: str, recipe: int, numbers: Ids
) -> Sequence[Sequence[int]]:
    first, last = part.arrays[outer][recipe : recipe + 2]
    ends = part.arrays[inner][first : last + 1]
    ids = numbers[part.arrays[items][ends[0] : ends[-1]]].tolist()
    return [ids[a:b] for a, b in zip(ends - ends[0], ends[1:] - ends[0], strict=False)]
