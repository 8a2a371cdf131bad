"""How near trained action embeddings put the neighbours that the paper lists, beside embeddings
that know less."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from npn.evaluation.analysis.neighbours import (
    median_last_rank,
    median_rank,
    neighbours,
    one_hot,
    share_within,
)
from npn.reproduction.rows import FULL, PAPER_LABELS, Wanted
from npn.reproduction.tracking.results import NEAREST, Array, NeighbourResult
from npn.reproduction.tracking.run_set import RunSet
from npn.rules.lexicon.lexicon import Action, load_lexicon

TRAINED = {
    FULL.experiment: FULL.label,
    "action_embeddings": "+ pretrained embeddings",
    Wanted(FULL.experiment, 1, PAPER_LABELS).key: "Full model on the paper's labels",
}
TYPES_ONLY, ENDS_ONLY = "State change types alone", "State change types and end states alone"


def neighbour_results(runs: RunSet, skipgram: Array | None) -> list[NeighbourResult]:
    found = []
    names: tuple[str, ...] = ()
    for key, label in TRAINED.items():
        for seed in runs.folders.get(key, {}):
            file = runs.file(key, seed)
            names = runs.vocabulary(key, seed).actions[1:]  # without "no change"
            vectors = file.tensors["action_embeddings"][1:].astype(np.float64)
            found.append(_near(f"{label}, seed {seed}", vectors, names))
    if not names:
        return found
    if skipgram is not None and len(skipgram) == len(names) + 1:
        found.append(_near("Skip-gram vectors, untrained", skipgram[1:], names))
    lexicon = load_lexicon().actions
    types = one_hot([sorted(lexicon[name].changes) if name in lexicon else () for name in names])
    found.append(_near(TYPES_ONLY, types, names))
    ends = one_hot([_ends(lexicon[name]) if name in lexicon else () for name in names])
    found.append(_near(ENDS_ONLY, ends, names))
    chance = np.random.default_rng(1).normal(size=(len(names), 30))
    found.append(_near("Random vectors", chance, names))
    return found


def _ends(action: Action) -> list[str]:
    """The types that the action changes, and with each the end state that it leads to."""
    return [*action.changes, *(f"{type}/{end}" for type, end in action.changes.items() if end)]


def _near(label: str, vectors: Array, names: Sequence[str]) -> NeighbourResult:
    found = neighbours(vectors, names)
    return NeighbourResult(
        label,
        median_rank(found),
        median_last_rank(found),
        share_within(found, NEAREST),
        tuple(found),
    )
