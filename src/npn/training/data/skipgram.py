"""Skip-gram vectors to begin with, from the training part alone: of words, and, in a second run in
which they stand in the sentences as one token each, of entities and actions."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
    """The training split in the numbers of its vocabularies."""

    arrays: dict[str, Array]
    words: tuple[str, ...]
    entities: tuple[str, ...]
    actions: Sequence[str]


def embed(text: TrainingText, lexicon: Lexicon) -> dict[str, NDArray[np.float32]]:
    """`words` (W, 100), `entities` (E, 30) and `actions` (A, 30), and `wide_entities` (E, 100) for
    the entity network, whose keys are as wide as its words; padding is zero."""
    words = _train(_Sentences(text), WORD_WIDTH)
    named = _train(_NamedSentences(text, lexicon), ENTITY_WIDTH)
    wide = _train(_NamedSentences(text, lexicon), WORD_WIDTH)
    return {
        "words": _rows(words, "w", len(text.words), WORD_WIDTH),
        "entities": _rows(named, "e", len(text.entities), ENTITY_WIDTH),
        "actions": _rows(named, "a", len(text.actions), ENTITY_WIDTH, padded=False),
        "wide_entities": _rows(wide, "e", len(text.entities), WORD_WIDTH),
    }


class _Sentences:
    """Every sentence, and every list of ingredients, as tokens "w17"."""

    def __init__(self, text: TrainingText) -> None:
        self.text = text
        self.spelling = [f"w{i}" for i in range(len(text.words))]

    def __iter__(self) -> Iterator[list[str]]:
        arrays, spelling = self.text.arrays, self.spelling
        for ids in _lists(arrays["tokens"], arrays["sentence_tokens"]):
            yield [spelling[i] for i in ids]
        of_recipe = arrays["ingredient_token_offsets"][arrays["recipe_ingredients"]]
        for ids in _lists(arrays["ingredient_tokens"], of_recipe):
            yield [spelling[i] for i in ids]


class _NamedSentences:
    """The same with the words of an ingredient that is mentioned made one token "e17", and the
    verb of an action that is carried out made "a17". What is not found in the words, such as an
    ingredient under another name, stands at the end."""

    def __init__(self, text: TrainingText, lexicon: Lexicon) -> None:
        self.text = text
        self.spelling = [f"w{i}" for i in range(len(text.words))]
        word_ids = {word: i for i, word in enumerate(text.words)}
        self.lemmas = [word_id(lemma(word), word_ids) for word in text.words]
        ids = {name: i for i, name in enumerate(text.actions)}
        self.action_of = [_action(word, lexicon, ids) for word in text.words]

    def __iter__(self) -> Iterator[list[str]]:
        arrays = self.text.arrays
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
            if entity is not None:
                if not text or text[-1] != f"e{entity}":
                    text.append(f"e{entity}")
            elif action in actions:
                text.append(f"a{action}")
            else:
                text.append(self.spelling[token])
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


def _train(sentences: _Sentences | _NamedSentences, width: int) -> dict[str, NDArray[np.float32]]:
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
    return {token: model.wv[token] for token in model.wv.index_to_key}


def _hash(text: str) -> int:
    """Python's own hash differs from run to run."""
    return zlib.crc32(text.encode())


def _rows(
    vectors: dict[str, NDArray[np.float32]],
    letter: str,
    size: int,
    width: int,
    *,
    padded: bool = True,
) -> NDArray[np.float32]:
    """The vectors in the order of their ids; one that the text never showed begins as skip-gram's
    own do, at random near zero."""
    rows = np.random.default_rng(SEED).random((size, width), np.float32)
    rows = (rows - np.float32(0.5)) / np.float32(width)
    for i in range(size):
        vector = vectors.get(f"{letter}{i}")
        if vector is not None:
            rows[i] = vector
    if padded:
        rows[0] = 0
    return rows
