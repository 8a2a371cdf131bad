"""A vocabulary: words and the numbers that stand for them in arrays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from npn.errors import NpnError

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
