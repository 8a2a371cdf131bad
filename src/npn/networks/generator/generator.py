"""The generator that ships: one file with weights, settings and words, and next steps for a recipe
under way, with NumPy alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.vocabulary import UNKNOWN_ID, name_words
from npn.language.words import words
from npn.networks.common.files import (
    Weights,
    check_range,
    check_shapes,
    content_hash,
    from_table,
    header_end_states,
    header_names,
    header_table,
    header_text,
    read_whole,
    single_precision,
    write_tensors,
)
from npn.networks.generator.batch import ContextExample, FeatureNames, collate, example
from npn.networks.generator.config import parameter_shapes, read_config
from npn.networks.generator.decoding import Hypothesis, Limits, beam, branches, to_text
from npn.networks.generator.forward import numpy_stepper
from npn.recipe import Ingredient
from npn.trace import StepTrace

KIND = "next-step generator"


@dataclass(frozen=True, slots=True)
class GeneratorFile:
    """`words` are the vocabulary in the order of their ids; `end_states` the names of the states
    that the generator tells apart, by type in the order of STATE_TYPES."""

    name: str
    config: Mapping[str, Any]
    words: tuple[str, ...]
    end_states: Mapping[str, tuple[str, ...]]
    decoding: Mapping[str, Any]
    weights: Weights


def write_generator(path: Path, generator: GeneratorFile) -> None:
    """In half precision: the file is for use, not for training on."""
    weights = {name: tensor.astype(np.float16) for name, tensor in generator.weights.items()}
    header: dict[str, Any] = {
        "kind": KIND,
        "name": generator.name,
        "config": dict(generator.config),
        "words": list(generator.words),
        "end_states": {type: list(names) for type, names in generator.end_states.items()},
        "decoding": dict(generator.decoding),
    }
    header["hash"] = content_hash(header, weights)
    write_tensors(path, weights, header)


def read_generator(path: Path) -> GeneratorFile:
    """The generator at `path`, in single precision."""
    file = read_whole(path, KIND, "generator: it cannot suggest steps")
    header, where = file.header, str(path)
    return GeneratorFile(
        header_text(header, "name", where),
        header_table(header, "config", where),
        header_names(header, "words", where),
        header_end_states(header, where),
        header_table(header, "decoding", where),
        single_precision(file),
    )


SHIPPED = Path(__file__).with_name("next.safetensors")
FEWEST_OTHERS = 6
LONGEST_OTHER = 24  # words of all but the likeliest: nine of ten real steps are shorter
LINKING = frozenset({"and", "in", "of", "with"})  # "pork and beans", "cream of tartar"
NEARLY_SAME = 0.6  # share of words in common from which on two suggestions are one


@dataclass(frozen=True, slots=True)
class SuggestedSentence:
    """A sentence fit to print, and the mean log-probability of its words."""

    text: str
    score: float


@dataclass(frozen=True, slots=True)
class SuggestedSentences:
    """The likeliest first; `known` is the share of the recipe's words that the generator knows."""

    suggestions: tuple[SuggestedSentence, ...]
    known: float


@dataclass(frozen=True, slots=True)
class Decoding:
    """How sentences are searched for: as they were when the generator was measured."""

    beam: int = 4
    longest: int = 40
    no_repeat: int = 0

    def __post_init__(self) -> None:
        check_range(self, beam=(1, 100), longest=(1, 1_000), no_repeat=(0, 1_000))


class StepGenerator:
    """Reads what a tracker said of the sentences so far: it must be the one it was trained with."""

    def __init__(self, file: GeneratorFile, path: Path | str) -> None:
        self.name = file.name
        self.config = read_config(file.config, str(path))
        self.decoding = from_table(Decoding, file.decoding, str(path))
        check_shapes(str(path), file.weights, parameter_shapes(self.config))
        self._features = FeatureNames.of(file.end_states)
        if len(file.words) + 2 != self.config.words or (
            self.config.copies and self._features.sizes != tuple(self.config.features)
        ):
            raise NpnError(f"{path} does not fit its own vocabulary: take another copy")
        if self.config.reads_states:
            raise NpnError(f"{path} needs the states of another network: it cannot run alone")
        self._words = file.words
        self._ids = {word: i for i, word in enumerate(file.words)}
        self._stepper = numpy_stepper(self.config, _by_columns(file.weights))
        self._limits = Limits(
            self.config.start,
            self.config.end,
            longest=self.decoding.longest,
            no_repeat=self.decoding.no_repeat,
        )

    def suggest(
        self, ingredients: Sequence[Ingredient], steps: Sequence[StepTrace], n: int
    ) -> SuggestedSentences:
        """Up to `n` next sentences, no two alike. `steps` are sentences, as the tracker read
        them."""
        one = self.example(ingredients, steps)
        stepper, state = self._stepper, self._stepper.begin(collate([one]))
        limits = replace(self._limits, once=self._once(one))
        best = beam(stepper, state, limits, self.decoding.beam)[0]
        others: list[Hypothesis] = []
        if n > 1:
            limits = replace(limits, longest=LONGEST_OTHER)
            found = branches(stepper, state, limits, max(2 * n, FEWEST_OTHERS))[0]
            others = [other for other in found if len(other.ids) < LONGEST_OTHER]  # those that end
        chosen = distinct([best[0], *others, *best[1:]], n)
        return SuggestedSentences(
            tuple(SuggestedSentence(to_text(self._spell(h.ids, one)), h.score) for h in chosen),
            _known(one),
        )

    def example(
        self, ingredients: Sequence[Ingredient], steps: Sequence[StepTrace]
    ) -> ContextExample:
        """A recipe under way, as the network reads it."""
        return example(
            self._ids,
            [words(step.text) for step in steps],
            [name_words(name_ingredient(one.text)) for one in ingredients],
            self._features.tables([one.state for one in ingredients], steps)[-1],
        )

    def _once(self, one: ContextExample) -> dict[int, list[int]]:
        """The words of one name alone, in all their forms, but for those that link others: nobody
        says "eggs and eggs", but "baking soda and baking powder" are two."""
        names: dict[int, list[int]] = {}  # by ingredient
        for word, owner in zip(one.name_forms, one.owners, strict=True):
            names.setdefault(owner, []).append(word)
        owned = Counter(word for name in {tuple(name) for name in names.values()} for word in name)
        once: dict[int, list[int]] = {}
        for word in [word for word, count in owned.items() if count == 1]:
            [spelt] = self._spell([word], one)
            if spelt in LINKING:
                continue
            forms = [word, *(self._ids[form] for form in _plurals(spelt) if form in self._ids)]
            once.update(dict.fromkeys(forms, forms))
        return once

    def _spell(self, ids: Iterable[int], one: ContextExample) -> list[str]:
        known = self.config.words
        return [self._words[i] if i < known else one.extra_words[i - known] for i in ids]


def _plurals(word: str) -> list[str]:
    return [word + "s", word + "es", word.removesuffix("y") + "ies"]


def distinct(hypotheses: Sequence[Hypothesis], n: int) -> list[Hypothesis]:
    """The first `n` of which no two are nearly the same. Where there are too few of these, others
    fill them up, but none comes twice."""
    chosen: list[Hypothesis] = []
    for one in hypotheses:
        if not any(nearly_same(one.ids, other.ids) for other in chosen):
            chosen.append(one)
    for one in hypotheses:
        if len(chosen) < n and all(one.ids != other.ids for other in chosen):
            chosen.append(one)
    return chosen[:n]


def nearly_same(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two sentences begin with the same word or have most words in common."""
    both = set(one) | set(other)
    return one[:1] == other[:1] or len(set(one) & set(other)) > NEARLY_SAME * len(both)


def _by_columns(weights: Weights) -> Weights:
    """The same numbers, matrices laid out for products with few rows: they take half the time."""
    return {
        name: np.asfortranarray(array) if ".weight_" in name or name.startswith("W_") else array
        for name, array in weights.items()
    }


def _known(one: ContextExample) -> float:
    read = [*one.words[1:], *one.names]
    return sum(word != UNKNOWN_ID for word in read) / len(read) if read else 1.0


def load_generator(path: Path = SHIPPED) -> StepGenerator:
    """The generator that ships, or the one in a file."""
    return StepGenerator(read_generator(path), path)
