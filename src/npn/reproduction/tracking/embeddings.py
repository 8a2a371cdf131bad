"""What the embeddings know: how near they put the neighbours of actions that the paper lists (table
4), beside embeddings that know less, and states of ingredients that are put together (figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np

from npn.evaluation.bootstrap import Score
from npn.evaluation.embeddings import (
    GROUPS,
    PRINTED,
    Compositions,
    Neighbours,
    Rank,
    median_last_rank,
    median_rank,
    neighbours,
    one_hot,
    share_within,
)
from npn.evaluation.selections import sign_test
from npn.reproduction.blocks import NOTHING, Block, Paragraph, Table
from npn.reproduction.rows import COMPARED, FULL, LABEL_TITLES, PAPER_LABELS, SETS, Wanted
from npn.reproduction.tracking.results import (
    NEAREST,
    Array,
    NeighbourResult,
    Results,
    interval_cell,
    p_cell,
    percent_cell,
    seeds_cell,
)
from npn.reproduction.tracking.run_set import RunSet
from npn.rules.lexicon import Action, load_lexicon

TRAINED = {
    FULL.experiment: FULL.label,
    "action_embeddings": "+ pretrained embeddings",
    Wanted(FULL.experiment, 1, PAPER_LABELS).key: "Full model on the paper's labels",
    Wanted("action_embeddings", 1, PAPER_LABELS).key: (
        "+ pretrained embeddings on the paper's labels"
    ),
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


def neighbour_values(results: Results) -> dict[str, str]:
    """The numbers in the text above the table of neighbours."""
    if not results.neighbours:
        return {}
    first = results.neighbours[0]
    others = first.actions[0].others if first.actions else 0
    return {
        "listed": str(sum(len(one.ranks) for one in first.actions)),
        "printed": str(sum(map(len, PRINTED.values()))),
        "actions": str(others + 1),
        "nearest": str(NEAREST),
    }


def action_neighbours(results: Results) -> Iterator[Block]:
    """Table 4, and how the full model compares with the lexicon that it learned from."""
    if not results.neighbours:
        return
    yield Table(
        ("", "median rank, ties shared", "ties against it", f"among the nearest {NEAREST}"),
        tuple(
            (
                one.label,
                interval_cell(one.median),
                percent_cell(one.last),
                percent_cell(one.nearest_ten),
            )
            for one in results.neighbours
        ),
    )
    comparison = _nearer(results)
    if comparison:
        yield Paragraph(comparison)


def _nearer(results: Results) -> str:
    """A sign test of the trained network against the lexicon that it learned from."""
    full = [one for one in results.neighbours if one.label.startswith(f"{FULL.label}, seed")]
    comparisons = []
    for one in results.neighbours:
        if full and one.label in (TYPES_ONLY, ENDS_ONLY):
            ranks = [_ranks(run) for run in full]
            other = _ranks(one)
            less = [fmean(run[pair] for run in ranks) - other[pair] for pair in other]
            nearer, farther = sum(x < 0 for x in less), sum(x > 0 for x in less)
            p = p_cell(sign_test(nearer, farther))
            comparisons.append(
                f"{nearer} nearer and {farther} farther than {_lower(one.label)} (p {p})"
            )
    if not comparisons:
        return ""
    return (
        "Of the listed neighbours, the full model on our labels puts, in the mean of its seeds "
        f"({len(full)}) and with ties shared, {'; '.join(comparisons)}, by the sign test over the "
        "ranks in numbers.json (a rough guide: neighbours of one action are not independent)."
    )


def _lower(label: str) -> str:
    return f"{label[0].lower()}{label[1:]}"


def _ranks(found: NeighbourResult) -> dict[tuple[str, str], float]:
    return {
        (one.action, name): rank.mean for one in found.actions for name, rank in one.ranks.items()
    }


def neighbours_by_action(results: Results) -> Iterator[Block]:
    if not results.neighbours:
        return
    first = results.neighbours[0]
    types = {
        one.action: one
        for found in results.neighbours
        if found.label == TYPES_ONLY
        for one in found.actions
    }
    yield Paragraph(f"Action by action, {_lower(first.label)}:")
    yield Table(
        (
            *("action", "nearest here", "listed in the paper, with its rank here"),
            *("median rank", "types alone", "ties against"),
        ),
        tuple(
            (
                one.action,
                ", ".join(one.nearest),
                ", ".join(f"{name} {rank.first}" for name, rank in one.ranks.items()),
                *_medians(one, types.get(one.action)),
            )
            for one in first.actions
        ),
        words=3,
    )


def _medians(one: Neighbours, types: Neighbours | None) -> tuple[str, str, str]:
    def median(ranks: Sequence[Rank], *, last: bool = False) -> str:
        if not ranks:
            return NOTHING
        return f"{np.median([rank.last if last else rank.mean for rank in ranks]):.0f}"

    beside = list(types.ranks.values()) if types else []
    return median(list(one.ranks.values())), median(beside), median(beside, last=True)


def composition_rises(results: Results) -> Iterator[Block]:
    """Figure 3 in numbers."""
    if not results.compositions:
        return
    yield Table(
        ("", "pairs", "put together", "acted on", "apart", "above acted on", "above apart"),
        tuple(
            _rises(f"{model}, {SETS.get(gold, gold)}", one)
            for model, sets in results.compositions.items()
            for gold, one in sets.items()
        ),
    )


def seeds_compared(results: Results) -> str:
    """How many seeds stand behind each network of figure 3."""
    found = []
    for labels, table in results.tables.items():
        for row in table:
            name = COMPARED.get(row.key.removeprefix(f"{labels}-"))
            if name is not None:
                found.append(f"{name}, {LABEL_TITLES[labels]}: {seeds_cell(row)}")
    return "; ".join(found)


def _rises(label: str, one: Compositions) -> tuple[str, ...]:
    return (
        label,
        f"{one.pairs['combined']:,}",
        *(_rise(one.rise.get(group)) for group in GROUPS),
        *(
            f"{one.above[group].value:+.3f} (p {p_cell(one.above[group].p)})"
            if group in one.above
            else NOTHING
            for group in GROUPS[1:]
        ),
    )


def _rise(rise: Score | None) -> str:
    if rise is None:
        return NOTHING
    return f"{rise.value:+.3f} [{rise.low:+.3f}, {rise.high:+.3f}]"
