"""What was prepared, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from npn.language.vocabulary import UNKNOWN_ID
from npn.trace import STATE_TYPES
from npn.training.data.ragged import Array
from npn.training.data.shards import EVIDENCE


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Recipes read, and what became of them. `problems` could not be read; `dropped` counts whole
    recipes by reason; `removed` counts what was taken out of the others."""

    read: int
    problems: int
    dropped: dict[str, int]
    removed: dict[str, int]
    duplicates: int
    unused: int  # beyond --limit and --train

    @staticmethod
    def of(shards: Sequence[dict[str, Any]], problems: int, duplicates: int, used: int) -> Cleaning:
        dropped: Counter[str] = Counter()
        removed: Counter[str] = Counter()
        for counts in shards:
            dropped.update(counts["dropped"])
            removed.update(counts["removed"])
        read = sum(counts["read"] for counts in shards)
        unused = read - dropped.total() - duplicates - used
        return Cleaning(read, problems, _ranked(dropped), _ranked(removed), duplicates, unused)


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """`sentences_by_evidence` says how their ingredients are known; `changes` are pairs of a
    sentence and an ingredient, by type."""

    recipes: int
    sentences: int
    words: int
    unknown_words: int
    ingredients: int
    unknown_ingredients: int
    actions: int
    sentences_without_action: int
    sentences_naming_no_ingredient: int
    sentences_by_evidence: dict[str, int]
    changes: dict[str, int]


def count_split(arrays: dict[str, Array]) -> SplitCounts:
    """Of arrays numbered by the vocabulary."""
    evidence = np.bincount(arrays["evidence"], minlength=len(EVIDENCE)).tolist()
    changes = np.bincount(arrays["changes"][:, 0], minlength=len(STATE_TYPES)).tolist()
    return SplitCounts(
        recipes=len(arrays["recipe_sentences"]) - 1,
        sentences=len(arrays["evidence"]),
        words=len(arrays["tokens"]),
        unknown_words=int((arrays["tokens"] == UNKNOWN_ID).sum()),
        ingredients=len(arrays["ingredients"]),
        unknown_ingredients=int((arrays["ingredients"] == UNKNOWN_ID).sum()),
        actions=int((arrays["actions"] > 0).sum()),
        sentences_without_action=int((arrays["actions"] == 0).sum()),
        sentences_naming_no_ingredient=int((np.diff(arrays["sentence_mentioned"]) == 0).sum()),
        sentences_by_evidence={name: evidence[i] for name, i in EVIDENCE.items()},
        changes=dict(zip(STATE_TYPES, changes, strict=True)),
    )


def _ranked(counts: Counter[str]) -> dict[str, int]:
    """The commonest first, and equally common ones by name."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
