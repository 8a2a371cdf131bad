"""Vocabularies: words and the numbers that stand for them in arrays. What training and tracking
share stands here, so that a network reads in use what it read in training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from npn.language.names import IngredientNames
from npn.language.words import lemma, words

PAD, UNKNOWN = "<pad>", "<unk>"
UNKNOWN_ID = 1


def rank_words(counts: Mapping[str, int], most: int) -> tuple[str, ...]:
    """The words of a vocabulary in the order of their ids: `<pad>` (0), `<unk>` (1) and the `most`
    commonest others. Equally common words stand in alphabetical order, so the order of `counts`
    changes nothing."""
    ranked = sorted(counts.keys() - {PAD, UNKNOWN}, key=lambda word: (-counts[word], word))
    return (PAD, UNKNOWN, *ranked[:most])


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
