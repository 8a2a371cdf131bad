"""How much is selected before its time: what a tracker gains by selecting nearly everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from npn.evaluation.gold import GoldRecipe
from npn.trace import Trace


def early_share(golds: Sequence[GoldRecipe], traces: Iterable[Trace]) -> float:
    """The share of selected (step, ingredient) pairs whose ingredient no step has acted on so far,
    this one included, by the gold; steps without labels are passed over."""
    early = selected = 0
    for gold, trace in zip(golds, traces, strict=True):
        met: set[int] = set()
        for labels, step in zip(gold.steps, trace.steps, strict=True):
            if labels.labelled:
                met |= labels.entities
                selected += len(step.entities)
                early += len(set(step.entities) - met)
    return early / selected if selected else 0.0
