"""Generators side by side: each says the next step after every context of the test part, and is
scored as the report on generation scores it. The first file is the one that the others are held
against:

    python experiments/next_steps_compared.py data old.safetensors seed-1.safetensors

DATA is what `npn prepare --next` wrote. The models are files of `npn export`, each with its own
vocabulary. `--states OTHER` takes what a tracker says of the ingredients from the test part of
another such folder, made of the same recipes with another tracker. `--most N` scores the first N
contexts alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from npn.errors import NpnError
from npn.evaluation.bootstrap import seed_differences, seed_scores
from npn.evaluation.generation import generation_scores
from npn.networks.generator.batch import ContextExample, collate, example
from npn.networks.generator.config import read_config
from npn.networks.generator.decoding import Limits
from npn.networks.generator.forward import numpy_stepper
from npn.networks.generator.generator import read_generator
from npn.reproduction.generation.counting import count_many
from npn.training.data.ragged import Array
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.generator.run import DECODINGS

ROWS = 256  # sentences that are said at a time
SHOWN = ("bleu", "rouge_l", "verb_f1", "state_f1", "listed", "copies", "words")


class ModelInFile:
    """A generator of a file, which says what it says in words."""

    def __init__(self, path: Path) -> None:
        file = read_generator(path)
        self.label = f"{file.name} ({path.name})"
        self.config = read_config(file.config, str(path))
        self._words = file.words
        self._ids = {word: i for i, word in enumerate(file.words)}
        self._stepper = numpy_stepper(self.config, file.weights)

    def read(self, part: GenerationPart, recipe: int, step: int, features: Array) -> ContextExample:
        return example(
            self._ids,
            part.sentences(recipe)[:step],
            part.names(recipe),
            features,
        )

    def say(self, contexts: list[ContextExample], decoding: str) -> list[str]:
        decode, rows = DECODINGS[decoding]
        limits = Limits(self.config.start, self.config.end)
        order = np.argsort([len(one.words) for one in contexts], kind="stable")
        said = [""] * len(contexts)
        for at in range(0, len(order), ROWS // rows):
            chosen = order[at : at + ROWS // rows].tolist()
            batch = collate([contexts[i] for i in chosen])
            state = self._stepper.begin(batch)
            for i, found in zip(chosen, decode(self._stepper, state, limits), strict=True):
                said[i] = " ".join(self._spell(found.ids, contexts[i]))
        return said

    def _spell(self, ids: tuple[int, ...], context: ContextExample) -> Iterator[str]:
        known = self.config.words
        for i in ids:
            yield self._words[i] if i < known else context.extra_words[i - known]


def features_before(part: GenerationPart) -> dict[tuple[int, int], Array]:
    """By recipe and step: what the tracker said of each ingredient before it."""
    counts = np.diff(part.arrays["recipe_ingredients"])
    found, row = {}, 0
    for recipe, step in part.pairs.tolist():
        found[recipe, step] = part.arrays["features"][:, row : row + counts[recipe]].T
        row += counts[recipe]
    return found


def states_of(part: GenerationPart, other: Path | None) -> dict[tuple[int, int], Array]:
    if other is None:
        return features_before(part)
    tracked = GenerationData(other).part("test")
    for recipe in range(part.recipes):
        if tracked.sentences(recipe) != part.sentences(recipe):
            raise NpnError(f"{other} was made of other recipes than {part.data.folder}")
    return features_before(tracked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--states", type=Path, default=None)
    parser.add_argument("--most", type=int, default=None)
    arguments = parser.parse_args()
    part = GenerationData(arguments.data).part("test")
    states = states_of(part, arguments.states)
    pairs = [(recipe, step) for recipe, step in part.pairs.tolist() if step][: arguments.most]
    places, said = [], []
    for path in arguments.models:
        model = ModelInFile(path)
        contexts = [model.read(part, *pair, states[pair]) for pair in pairs]
        for decoding in DECODINGS:
            begun = time.monotonic()
            said.append(model.say(contexts, decoding))
            places.append((model.label, decoding))
            print(f"{model.label} {decoding}: {time.monotonic() - begun:.0f} s", flush=True)
    counts = count_many(arguments.data, pairs, said, 1)
    print(f"{len(pairs)} steps of {len(dict(pairs))} recipes")
    print("\t".join(["", *SHOWN]))
    for decoding in reversed(DECODINGS):
        rows = [
            (label, one)
            for (label, name), one in zip(places, counts, strict=True)
            if name == decoding
        ]
        for label, one in rows:
            scores = seed_scores([one], generation_scores)
            cells = [f"{scores[metric].value:.2f}" for metric in SHOWN]
            print("\t".join([f"{decoding} {label}", *cells]))
        (base, first), *others = rows
        for label, one in others:
            differences = seed_differences([one], [first], generation_scores)
            cells = [
                f"{d.value:+.2f} [{d.low:+.2f}, {d.high:+.2f}] p {d.p:.3f}"
                for d in (differences[metric] for metric in SHOWN)
            ]
            print("\t".join([f"{decoding} {label} less {base}", *cells]))


if __name__ == "__main__":
    main()
