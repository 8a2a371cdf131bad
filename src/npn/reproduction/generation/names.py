"""What the corpus calls the recipes that the report shows: prepared data has no names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from npn.errors import NpnError
from npn.language.words import words
from npn.recipe import Recipe
from npn.reproduction.chain import corpus_lines
from npn.training.data.cleaning import Cleaner

RARE = 6  # long words that a line must hold before it is looked at closely
Sentences = list[list[str]]


def shown_names(corpora: Iterable[Path], recipes: Mapping[int, Sentences]) -> dict[int, str]:
    """For each recipe, given by its sentences as tokens, its "id" in the corpus or else its line
    ("web.jsonl.gz line 12"). One that is not there is called by its number."""
    cleaner = Cleaner()
    rare = {recipe: _long_words(sentences) for recipe, sentences in recipes.items()}
    names = {recipe: f"test recipe {recipe}" for recipe in recipes}
    for path in corpora:
        for number, encoded in enumerate(corpus_lines(path), 1):
            line = encoded.decode("utf-8", "replace")
            lower = line.lower()
            likely = [one for one, long in rare.items() if all(word in lower for word in long)]
            if not likely:
                continue
            try:
                value = json.loads(line)
                cleaned = cleaner.clean(Recipe.from_dict(value))
            except (ValueError, RecursionError, NpnError):
                continue
            sentences = [words(sentence) for sentence in cleaned.sentences] if cleaned else None
            for recipe in likely:
                if recipes[recipe] == sentences:
                    names[recipe] = str(value.get("id") or f"{path.name} line {number}")
                    del rare[recipe]
    return names


def _long_words(sentences: Sentences) -> list[str]:
    """The longest, which few lines hold all together."""
    plain = {word for tokens in sentences for word in tokens if word.isascii() and word.isalpha()}
    return sorted(plain, key=lambda word: (-len(word), word))[:RARE]
