"""What a generator reads, as ids: the steps so far and the ingredients of a recipe, or of a batch.

A word of this recipe that the vocabulary lacks has a number of its own beyond the vocabulary, by
which a generator that copies can say it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.language.vocabulary import word_id
from npn.networks.common.operations import Array
from npn.trace import StepTrace

LONGEST = 300  # words of a context; of a longer one the end is read


@dataclass(frozen=True, slots=True)
class ContextExample:
    """One context. `words` are ids of the vocabulary; `forms` the same with the recipe's own words,
    whose vocabulary ids are `extra`. `names` are the words of all ingredients' names, each with
    the word `previous` to it in its name (0 for the first) and its ingredient among `owners`."""

    words: Sequence[int]
    forms: Sequence[int]
    names: Sequence[int] = ()
    name_forms: Sequence[int] = ()
    previous: Sequence[int] = ()
    owners: Sequence[int] = ()
    extra: Sequence[int] = ()
    extra_words: Sequence[str] = ()  # how they are spelt
    steps: int = 0
    ingredients: int = 0
    features: NDArray[np.integer] | None = None  # (I, F)
    states: NDArray[np.floating] | None = None  # (I, E)


@dataclass(frozen=True, slots=True)
class Context:
    """B examples, padded. What a generator does not read may be empty (width 1, all zero)."""

    words: Array  # (B, L)
    forms: Array  # (B, L)
    lengths: Array  # (B,) always on the host, as GRUs want it
    word_mask: Array  # (B, L) true where there is a word
    names: Array  # (B, N)
    name_forms: Array  # (B, N)
    previous: Array  # (B, N)
    owners: Array  # (B, N)
    name_mask: Array  # (B, N) true where there is a word
    present: Array  # (B, I) true where there is an ingredient
    ingredients: Array  # (B,) how many, always on the host
    features: Array  # (B, I, F)
    states: Array  # (B, I, E)
    steps: Array  # (B,) so far
    extra: Array  # (B, M)


def example(
    vocabulary: Mapping[str, int],
    sentences: Sequence[Sequence[str]],
    names: Sequence[Sequence[str]],
    features: NDArray[np.integer] | None = None,
    states: NDArray[np.floating] | None = None,
) -> ContextExample:
    """A context from words in lower case. `vocabulary` knows all words but <start> and <end>, which
    come after them."""
    start = len(vocabulary)
    beyond: dict[str, int] = {}

    def form(word: str) -> int:
        known = vocabulary.get(word)
        return known if known is not None else beyond.setdefault(word, start + 2 + len(beyond))

    words, forms = [start], [start]
    for sentence in sentences:
        words += [*(word_id(word, vocabulary) for word in sentence), start + 1]
        forms += [*map(form, sentence), start + 1]
    encoded = [[word_id(word, vocabulary) for word in name] for name in names]
    return ContextExample(
        words=words[-LONGEST:],
        forms=forms[-LONGEST:],
        names=[i for name in encoded for i in name],
        name_forms=[form(word) for name in names for word in name],
        previous=[i for name in encoded for i in [0, *name][: len(name)]],
        owners=[owner for owner, name in enumerate(names) for _ in name],
        extra=[word_id(word, vocabulary) for word in beyond],
        extra_words=list(beyond),
        steps=len(sentences),
        ingredients=len(names),
        features=features,
        states=states,
    )


def collate(examples: Sequence[ContextExample]) -> Context:
    """A batch of NumPy arrays."""
    words, word_mask = pad([one.words for one in examples])
    names, name_mask = pad([one.names for one in examples])
    counts = np.array([one.ingredients for one in examples], np.int64)
    widest = max(int(counts.max(initial=0)), 1)
    return Context(
        words=words,
        forms=pad([one.forms for one in examples])[0],
        lengths=word_mask.sum(axis=1),
        word_mask=word_mask,
        names=names,
        name_forms=pad([one.name_forms for one in examples])[0],
        previous=pad([one.previous for one in examples])[0],
        owners=pad([one.owners for one in examples])[0],
        name_mask=name_mask,
        present=np.arange(widest) < counts[:, None],
        ingredients=counts,
        features=_stack([one.features for one in examples], widest, np.int64),
        states=_stack([one.states for one in examples], widest, np.float32),
        steps=np.array([one.steps for one in examples], np.int64),
        extra=pad([one.extra for one in examples], least=0)[0],
    )


def pad(
    lists: Sequence[Sequence[int] | NDArray[np.int64]], least: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The lists as the rows of a rectangle, at least so wide, and which of its corners are
    filled; the others are zero."""
    width = max([least, *map(len, lists)])
    filled = np.arange(width) < np.array([len(one) for one in lists], np.int64)[:, None]
    padded = np.zeros(filled.shape, np.int64)
    padded[filled] = [i for one in lists for i in one]
    return padded, filled


def _stack(tables: Sequence[Array | None], height: int, dtype: type) -> Array:
    width = max([1, *(table.shape[1] for table in tables if table is not None)])
    stacked = np.zeros((len(tables), height, width), dtype)
    for b, table in enumerate(tables):
        if table is not None:
            stacked[b, : len(table)] = table
    return stacked


# -- What a trace says of each ingredient, as small numbers, for the generator that reads them.
#
# Eight columns: the six states; whether the ingredient was touched (never, before, in the last
# step); whether it is part of a mixture (no, yes, of one that the last step touched).

UNTOUCHED, TOUCHED, LAST_TOUCHED = range(3)
ALONE, MIXED, LAST_MIXED = range(3)


@dataclass(frozen=True, slots=True)
class FeatureNames:
    """The numbers of the end states of each type, in the order of the columns. 0 is for what is
    not known, and for a state that has no number."""

    end_states: Mapping[str, Mapping[str, int]]

    @staticmethod
    def of(end_states: Mapping[str, Sequence[str]]) -> FeatureNames:
        """From lists of names, the first of each being "no change"."""
        return FeatureNames(
            {
                type: {name: i for i, name in enumerate(names) if i}
                for type, names in end_states.items()
            }
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each column has."""
        return (*(len(names) + 1 for names in self.end_states.values()), 3, 3)

    def tables(
        self, first_states: Sequence[Mapping[str, str]], steps: Sequence[StepTrace]
    ) -> NDArray[np.uint16]:
        """(T + 1, I, 8): before the first step, and after each. `first_states` is what the lines of
        the ingredients say of them."""
        types = {type: column for column, type in enumerate(self.end_states)}
        table = np.zeros((len(first_states), len(types) + 2), np.uint16)
        use, mixture = len(types), len(types) + 1
        for i, state in enumerate(first_states):
            for type, name in state.items():
                table[i, types[type]] = self.end_states[type].get(name, 0)
        tables = [table]
        for step in steps:
            table = table.copy()
            for change in step.changes:
                number = self.end_states[change.type].get(change.end_state, 0)
                table[list(change.ingredients), types[change.type]] = number
            table[table[:, use] == LAST_TOUCHED, use] = TOUCHED
            table[list(step.entities), use] = LAST_TOUCHED
            table[:, mixture] = ALONE
            for together in step.mixtures:
                touched = any(i in step.entities for i in together)
                table[list(together), mixture] = LAST_MIXED if touched else MIXED
            tables.append(table)
        return np.stack(tables)
