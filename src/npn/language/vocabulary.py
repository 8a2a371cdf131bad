"""A vocabulary: words and the numbers that stand for them in arrays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from npn.errors import NpnError
from npn.language.names import IngredientNames
from npn.language.words import lemma, words

PAD, UNKNOWN = "<pad>", "<unk>"
PAD_ID, UNKNOWN_ID = 0, 1

Lemmatizer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words in the order of their ids. The first two are `<pad>` (0) and `<unk>` (1)."""

    words: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.words[:2] != (PAD, UNKNOWN):
            raise NpnError(f"a vocabulary must begin with {PAD} and {UNKNOWN}")
        ids = {word: i for i, word in enumerate(self.words)}
        if len(ids) < len(self.words):
            twice = next(word for i, word in enumerate(self.words) if ids[word] != i)
            raise NpnError(f'a vocabulary must hold each word once, but "{twice}" is there twice')
        object.__setattr__(self, "_ids", ids)

    @staticmethod
    def from_counts(counts: Mapping[str, int], size: int | None = None) -> Vocabulary:
        """The `size` commonest words (all, unless told), not counting the two special ones. Equally
        common words stand in alphabetical order, so the order of `counts` changes nothing."""
        ranked = sorted(
            (word for word in counts if word not in (PAD, UNKNOWN)),
            key=lambda word: (-counts[word], word),
        )
        return Vocabulary((PAD, UNKNOWN, *ranked[:size]))

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def id(self, word: str, lemma: Lemmatizer | None = None) -> int:
        """The id of `word`; else that of its lemma; else `<unk>`'s."""
        found = self._ids.get(word)
        if found is None and lemma is not None:
            found = self._ids.get(lemma(word))
        return UNKNOWN_ID if found is None else found

    def ids(self, words: Iterable[str], lemma: Lemmatizer | None = None) -> list[int]:
        return [self.id(word, lemma) for word in words]

    @property
    def hash(self) -> str:
        """Of the words and their order: two vocabularies with one hash number words alike."""
        return hashlib.sha256(json.dumps(self.words).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """What `from_dict` reads, ready for JSON."""
        return {"words": list(self.words), "hash": self.hash}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Vocabulary:
        words = data.get("words")
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise NpnError('a vocabulary must have "words", a list of strings')
        vocabulary = Vocabulary(tuple(words))
        if data.get("hash") != vocabulary.hash:
            raise NpnError("the vocabulary does not match its hash: it was changed or damaged")
        return vocabulary


# -- From text to numbers: what training and tracking share, so that a network reads in use what it
# read in training.


@dataclass(frozen=True, slots=True)
class TextEncoder:
    """Ids by word and by entity name."""

    words: Mapping[str, int]
    entities: Mapping[str, int]

    def sentence(self, text: str) -> list[int]:
        return [word_id(word, self.words) for word in words(text)]

    def entity(self, names: IngredientNames) -> int:
        return self.entities.get(entity_name(names), UNKNOWN_ID)

    def name(self, names: IngredientNames) -> list[int]:
        return [word_id(word, self.words) for word in name_words(names)]


def word_id(word: str, known: Mapping[str, int]) -> int:
    """A word's own id, or else its lemma's."""
    found = known.get(word)
    return found if found is not None else known.get(lemma(word), UNKNOWN_ID)


def entity_name(names: IngredientNames) -> str:
    """The entity that an ingredient line stands for: the first of its names."""
    return names.names[0].text if names.names else names.name


def name_words(names: IngredientNames) -> list[str]:
    """The words of all names of an ingredient, each once."""
    texts: Sequence[str] = [name.text for name in names.names] or [names.name]
    return list(dict.fromkeys(word for text in texts for word in words(text)))
