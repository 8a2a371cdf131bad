"""The numbers of a report as its numbers.json keeps them: what the runs are reduced to, and all
that its chapters read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias, TypedDict, cast

import numpy as np

from npn.evaluation.bootstrap import Array, Metrics, seed_differences, seed_scores


class ScoreNumbers(TypedDict):
    """The mean over seeds, the interval over recipes, the standard deviation over seeds, and the
    score of each seed."""

    value: float
    low: float
    high: float
    spread: float
    seeds: Sequence[float]


class DifferenceNumbers(TypedDict):
    """How far one row lies above another, with the interval and the two-sided p."""

    value: float
    low: float
    high: float
    p: float


Scores: TypeAlias = Mapping[str, ScoreNumbers]  # by metric
Differences: TypeAlias = Mapping[str, DifferenceNumbers]


def score_numbers(
    runs: Sequence[Array], metrics: Metrics, kept: Iterable[str] = ()
) -> dict[str, ScoreNumbers]:
    """Every metric that there is anything to measure of, or those `kept`, from each seed's
    counts."""
    found = seed_scores(runs, metrics)
    names = [name for name in kept or found if name in found]
    return {name: cast(ScoreNumbers, asdict(found[name])) for name in names}


def difference_numbers(
    runs: Sequence[Array], others: Sequence[Array], metrics: Metrics, kept: Iterable[str] = ()
) -> dict[str, DifferenceNumbers]:
    """The same of the metrics of the seeds in `runs` less those of the seeds in `others`."""
    found = seed_differences(runs, others, metrics)
    names = [name for name in kept or found if name in found]
    return {name: cast(DifferenceNumbers, asdict(found[name])) for name in names}


def rounded(value: Any, digits: int = 6) -> Any:
    """For people and version control: so many digits, and null for what is no number."""
    if isinstance(value, float):
        return round(value, digits) if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): rounded(one, digits) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one, digits) for one in value]
    return value


# -- What the report of the generators has besides. Scores are in percent.


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
    suggestions: Mapping[str, str]


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
