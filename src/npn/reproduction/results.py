"""The numbers of the report, as they flow from the runs to its chapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.analysis.compositions import Compositions
from npn.evaluation.analysis.neighbours import Neighbours
from npn.evaluation.analysis.selections import SelectionExample
from npn.evaluation.bootstrap import Difference, Score
from npn.evaluation.seeds import SeedScore
from npn.reproduction.rows import Printed

Array = NDArray[np.float64]
Counts = Mapping[str, Array]  # by gold set, one row a recipe
NEAREST = 10


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the report: by gold set, its scores and how far they lie from the full model's
    (in the label curve, from all labels'). `epochs`, those of `pretraining` among them, the `best`
    of the others, and `minutes` are means over seeds; a row that is not `finished` has a run that
    was stopped before its end. What is not a network has no seeds. `selected` is the share of all
    (step, ingredient) pairs that it selects, and `early` the share of these that it selects before
    their time, on the paper's test recipes; `counts` are each seed's, by gold set. `raw` and
    `raw_differences` are scores straight from the predictors, as the paper's metric has them;
    what is not a network has none."""

    key: str
    label: str
    printed: Printed | None
    seeds: tuple[int, ...]
    scores: Mapping[str, Mapping[str, SeedScore]]
    differences: Mapping[str, Mapping[str, Difference]]
    selected: Mapping[str, float]
    early: float | None
    counts: tuple[Counts, ...] = field(repr=False)
    raw: Mapping[str, Mapping[str, SeedScore]] = field(default_factory=dict)
    raw_differences: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    finished: bool = True
    epochs: float | None = None
    pretraining: float | None = None
    best: float | None = None
    minutes: float | None = None


@dataclass(frozen=True, slots=True)
class NeighbourResult:
    """How near some embeddings put the neighbours that the paper lists; ranks are shares of all
    actions. `median` takes the mean rank of what is equally near, `last` counts ties against the
    embeddings."""

    label: str
    median: Score
    last: float
    nearest_ten: float
    actions: tuple[Neighbours, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Results:
    """The rows of table 2 by the labels that they were trained on, as are those with other `keys`
    and the points of the label `curve`."""

    recipes: Mapping[str, int]  # of each gold set
    data: Mapping[str, Any]  # what the networks were trained on
    tables: Mapping[str, tuple[ResultRow, ...]]  # by labels
    keys: Mapping[str, tuple[ResultRow, ...]]
    shipped: tuple[ResultRow, ...]
    curves: Mapping[str, Mapping[int, ResultRow]]
    neighbours: tuple[NeighbourResult, ...]
    compositions: Mapping[str, Mapping[str, Compositions]]  # by model and gold set
    good: tuple[SelectionExample, ...]
    bad: tuple[SelectionExample, ...]

    @property
    def rows(self) -> tuple[ResultRow, ...]:
        """Every row of table 2, whatever its labels."""
        return tuple(row for table in self.tables.values() for row in table)
