"""What the corpus calls the recipes that a report speaks of: prepared data has no names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.language.tokens import words
from npn.recipe import Recipe
from npn.reproduction.chain import corpus_lines
from npn.training.data.cleaning import Cleaner

RARE = 6  # long words that a line must hold before it is looked at closely
Sentences = list[list[str]]


@dataclass(frozen=True, slots=True)
class _Sought:
    recipe: int
    sentences: Sentences
    signs: tuple[str, ...]


def name_recipes(corpora: Iterable[Path], recipes: Mapping[int, Sentences]) -> dict[int, str]:
    """For each recipe, given by its sentences as tokens, its "id" in the corpus or else its line
    ("web.jsonl.gz line 12"). One that is not there has no name."""
    sought = [_Sought(number, tokens, _signs(tokens)) for number, tokens in recipes.items()]
    cleaner = Cleaner()
    names: dict[int, str] = {}
    for path in corpora:
        for number, encoded in enumerate(corpus_lines(path), 1):
            if len(names) == len(sought):
                return names
            line = encoded.decode("utf-8", "replace")
            lower = line.lower()
            likely = [
                one
                for one in sought
                if one.recipe not in names and all(sign in lower for sign in one.signs)
            ]
            if likely:
                value = _recipe(line)
                tokens = _sentences(value, cleaner) if value else None
                for one in likely:
                    if value and one.sentences == tokens:
                        names[one.recipe] = str(value.get("id") or f"{path.name} line {number}")
    return names


def _signs(sentences: Sentences) -> tuple[str, ...]:
    """Long words, which few lines hold all together."""
    plain = {word for tokens in sentences for word in tokens if word.isascii() and word.isalpha()}
    return tuple(sorted(plain, key=lambda word: (-len(word), word))[:RARE])


def _sentences(value: Mapping[str, Any], cleaner: Cleaner) -> Sentences | None:
    try:
        cleaned = cleaner.clean(Recipe.from_dict(value))
    except NpnError:
        return None
    return None if cleaned is None else [words(sentence) for sentence in cleaned.sentences]


def _recipe(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def shown_names(corpora: Sequence[Path], recipes: Mapping[int, Sentences]) -> dict[int, str]:
    """As `name_recipes`, with a number of our own for those that have no name."""
    named = name_recipes(corpora, recipes)
    return {recipe: named.get(recipe, f"test recipe {recipe}") for recipe in recipes}
