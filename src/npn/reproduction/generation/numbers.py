"""The numbers of the report as numbers.json keeps them. Scores are in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from npn.reproduction.numbers import Differences, Scores


class GeneratorNumbers(TypedDict):
    """A row of table 5: its scores by decoding, and the means over seeds of its epochs, minutes,
    best loss ("development") and tokens a second."""

    kind: str
    label: str
    printed: Mapping[str, float | None] | None
    seeds: Sequence[int]
    scores: Mapping[str, Scores]
    training: Mapping[str, float]


class Comparison(TypedDict):
    """How much one row scores above another, on the same resamples of recipes."""

    row: str
    other: str
    decoding: str
    differences: Differences


class ShownStep(TypedDict):
    """A step drawn at random: its recipe, as the corpus calls it, its number in the recipe, the
    first being 1, and what the first run of each kind says there."""

    recipe: str
    step: int
    said: Mapping[str, str]


class GenerationNumbers(TypedDict):
    recipes: Mapping[str, int]  # of each part
    steps: int  # of the test part that are suggested and scored
    signatures: Sequence[str]
    decodings: Mapping[str, Mapping[str, Any]]
    main: str  # the decoding of table 5: the best on the development part
    development: Mapping[str, float]  # BLEU there by decoding, the mean over all runs
    table: Sequence[GeneratorNumbers]
    reference: Scores  # of the steps that came, as if they had been suggested
    comparisons: Sequence[Comparison]
    examples: Mapping[str, Sequence[str]]  # what each kind says of the paper's three contexts
    shown: Sequence[ShownStep]
    rouge: Mapping[str, Mapping[str, float]]  # by kind and variant
