"""Skip-gram vectors to begin with, from the training part alone: of words, and, in a second run in
which they stand in the sentences as one token each, of entities and actions."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.language.verbs import verb_base
from npn.language.vocabulary import UNKNOWN_ID, word_id
from npn.language.words import lemma
from npn.rules.lexicon import Lexicon
from npn.training.data.ragged import Array

WORD_WIDTH, ENTITY_WIDTH = 100, 30
EPOCHS = 5
WINDOW = 5
SEED = 1


@dataclass(frozen=True, slots=True)
class TrainingText:
    """The training split in the numbers of its vocabularies. As text it is every sentence, and
    every list of ingredients, as tokens "w17"."""

    arrays: dict[str, Array]
    words: tuple[str, ...]
    entities: tuple[str, ...]
    actions: Sequence[str]

    def __iter__(self) -> Iterator[list[str]]:
        arrays = self.arrays
        of_recipe = arrays["ingredient_token_offsets"][arrays["recipe_ingredients"]]
        for ids in _lists(arrays["tokens"], arrays["sentence_tokens"]):
            yield [f"w{i}" for i in ids]
        for ids in _lists(arrays["ingredient_tokens"], of_recipe):
            yield [f"w{i}" for i in ids]


class NamedText:
    """The same with the words of an ingredient that is mentioned made one token "e17", and the
    verb of an action that is carried out made "a17". What is not found in the words, such as an
    ingredient under another name, stands at the end."""

    def __init__(self, text: TrainingText, lexicon: Lexicon) -> None:
        self.arrays = text.arrays
        word_ids = {word: i for i, word in enumerate(text.words)}
        self.lemmas = [word_id(lemma(word), word_ids) for word in text.words]
        ids = {name: i for i, name in enumerate(text.actions)}
        self.action_of = [_action(word, lexicon, ids) for word in text.words]

    def __iter__(self) -> Iterator[list[str]]:
        arrays = self.arrays
        names = _lists(arrays["ingredient_tokens"], arrays["ingredient_token_offsets"])
        sentences = zip(
            _lists(arrays["tokens"], arrays["sentence_tokens"]),
            _lists(arrays["actions"], arrays["sentence_actions"]),
            _lists(arrays["mentioned"], arrays["sentence_mentioned"]),
            strict=True,
        )
        recipes = zip(
            np.diff(arrays["recipe_sentences"]).tolist(),
            _lists(arrays["ingredients"], arrays["recipe_ingredients"]),
            strict=True,
        )
        for count, entities in recipes:
            spelled = [{self.lemmas[word] for word in next(names)} for _ in entities]
            for _ in range(count):
                tokens, actions, mentioned = next(sentences)
                named = {
                    word: entities[i]
                    for i in mentioned
                    for word in spelled[i]
                    if word != UNKNOWN_ID
                }
                yield self._sentence(tokens, actions, [entities[i] for i in mentioned], named)
            yield [f"e{entity}" for entity in entities]

    def _sentence(
        self, tokens: list[int], actions: list[int], mentioned: list[int], named: dict[int, int]
    ) -> list[str]:
        text: list[str] = []
        for token in tokens:
            entity, action = named.get(self.lemmas[token]), self.action_of[token]
            if entity is None:
                text.append(f"a{action}" if action in actions else f"w{token}")
            elif not text or text[-1] != f"e{entity}":
                text.append(f"e{entity}")
        wanted = [f"e{entity}" for entity in mentioned] + [f"a{action}" for action in actions]
        return text + [token for token in wanted if token not in text]


def _action(word: str, lexicon: Lexicon, ids: dict[str, int]) -> int:
    base = verb_base(word)
    action = lexicon.action(base) if base else None
    return ids[action.name] if action else -1


def _lists(values: Array, offsets: Array) -> Iterator[list[int]]:
    """The lists of a flat array, one at a time: as Python numbers they take room."""
    for start, end in pairwise(offsets.tolist()):
        yield values[start:end].tolist()


def embed(text: TrainingText, lexicon: Lexicon) -> dict[str, NDArray[np.float32]]:
    """`words` (W, 100), `entities` (E, 30) and `actions` (A, 30), and `wide_entities` (E, 100) for
    the entity network, whose keys are as wide as its words; padding is zero."""
    named_text = NamedText(text, lexicon)
    words = _train(text, WORD_WIDTH)
    named, wide = (_train(named_text, width) for width in (ENTITY_WIDTH, WORD_WIDTH))
    vectors = {
        "words": _rows(words, "w", len(text.words), WORD_WIDTH),
        "entities": _rows(named, "e", len(text.entities), ENTITY_WIDTH),
        "actions": _rows(named, "a", len(text.actions), ENTITY_WIDTH),
        "wide_entities": _rows(wide, "e", len(text.entities), WORD_WIDTH),
    }
    for name in ("words", "entities", "wide_entities"):
        vectors[name][0] = 0
    return vectors


def _train(sentences: Iterable[list[str]], width: int) -> Any:
    """Vectors by token."""
    from gensim.models import Word2Vec

    model = Word2Vec(
        sentences,
        sg=1,
        vector_size=width,
        window=WINDOW,
        epochs=EPOCHS,
        min_count=1,
        seed=SEED,
        workers=1,  # several would race, and never twice alike
        hashfxn=_hash,
    )
    return model.wv


def _hash(text: str) -> int:
    """Python's own hash differs from run to run."""
    return zlib.crc32(text.encode())


def _rows(vectors: Any, letter: str, size: int, width: int) -> NDArray[np.float32]:
    """The vectors in the order of their ids; one that the text never showed begins as skip-gram's
    own do, at random near zero."""
    rows = np.random.default_rng(SEED).random((size, width), np.float32)
    rows = (rows - np.float32(0.5)) / np.float32(width)
    for i in range(size):
        if f"{letter}{i}" in vectors:
            rows[i] = vectors[f"{letter}{i}"]
    return rows
