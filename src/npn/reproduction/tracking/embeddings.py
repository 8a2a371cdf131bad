"""What the embeddings know: how near they put the neighbours of actions that the paper lists (table
4), beside embeddings that know less, and states of ingredients that are put together (figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean, median

import numpy as np

from npn.evaluation.bootstrap import Array
from npn.evaluation.embeddings import (
    GROUPS,
    PRINTED,
    Neighbours,
    median_last_rank,
    median_rank,
    neighbours,
    one_hot,
    share_within,
)
from npn.evaluation.selections import sign_test
from npn.reproduction.blocks import NOTHING, Block, Paragraph, Table
from npn.reproduction.numbers import DifferenceNumbers
from npn.reproduction.rows import COMPARED, FULL, GOLD, PAPER_LABELS, run_key
from npn.reproduction.tracking.gold_counts import CountedRuns
from npn.reproduction.tracking.numbers import (
    NeighbourNumbers,
    TrackingNumbers,
    by_labels,
    p_cell,
    percent_cell,
    plain,
    seeds_cell,
)
from npn.rules.lexicon import Action, load_lexicon
from npn.training.data.prepared import read_vocabulary

TRAINED = {
    FULL.experiment: FULL.label,
    "action_embeddings": "+ pretrained embeddings",
    run_key(FULL.experiment, PAPER_LABELS): "Full model on the paper's labels",
    run_key("action_embeddings", PAPER_LABELS): "+ pretrained embeddings on the paper's labels",
}
TYPES_ONLY, ENDS_ONLY = "State change types alone", "State change types and end states alone"
NEAREST = 10
AllNeighbours = Mapping[str, Sequence[Neighbours]]  # by what the embeddings are called


def find_neighbours(runs: CountedRuns, skipgram: Array | None) -> AllNeighbours:
    """Those that trained networks put near the paper's actions, and embeddings that know less.
    `skipgram` are the action vectors of the prepared data."""
    found: dict[str, Sequence[Neighbours]] = {}
    names: tuple[str, ...] = ()
    for key, label in TRAINED.items():
        for seed, run in runs.get(key, {}).items():
            names = read_vocabulary(run.folder).actions[1:]  # without "no change"
            vectors = run.tensors["action_embeddings"][1:].astype(np.float64)
            found[f"{label}, seed {seed}"] = neighbours(vectors, names)
    if not names:
        return {}
    lexicon = load_lexicon().actions
    known = [lexicon.get(name) for name in names]
    simple = {
        TYPES_ONLY: one_hot([sorted(one.changes) if one else () for one in known]),
        ENDS_ONLY: one_hot([_ends(one) if one else () for one in known]),
        "Random vectors": np.random.default_rng(1).normal(size=(len(names), 30)),
    }
    if skipgram is not None and len(skipgram) == len(names) + 1:
        simple = {"Skip-gram vectors, untrained": skipgram[1:], **simple}
    return found | {label: neighbours(vectors, names) for label, vectors in simple.items()}


def _ends(action: Action) -> list[str]:
    """The types that the action changes, and with each the end state that it leads to."""
    return [*action.changes, *(f"{type}/{end}" for type, end in action.changes.items() if end)]


def neighbour_numbers(label: str, found: Sequence[Neighbours]) -> NeighbourNumbers:
    return {
        "label": label,
        "median": asdict(median_rank(found)),
        "median_ties_against": median_last_rank(found),
        "among_nearest_ten": share_within(found, NEAREST),
        "ranks": {
            one.action: {name: rank.mean for name, rank in one.ranks.items()} for one in found
        },
    }


def neighbour_values(found: AllNeighbours) -> dict[str, str]:
    """The numbers in the text above the table of neighbours."""
    first = next(iter(found.values()), ())
    return {
        "listed": str(sum(len(one.ranks) for one in first)),
        "printed": str(sum(map(len, PRINTED.values()))),
        "actions": str(first[0].others + 1 if first else 1),
        "nearest": str(NEAREST),
    }


def action_neighbours(numbers: TrackingNumbers) -> Iterator[Block]:
    """Table 4, and how the full model compares with the lexicon that it learned from."""
    every = numbers["neighbours"]
    if not every:
        return
    yield Table(
        ("", "median rank, ties shared", "ties against it", f"among the nearest {NEAREST}"),
        [
            (
                one["label"],
                "{value:.1f} % [{low:.1f}, {high:.1f}]".format(
                    **{name: 100 * share for name, share in one["median"].items()}
                ),
                percent_cell(one["median_ties_against"]),
                percent_cell(one["among_nearest_ten"]),
            )
            for one in every
        ],
    )
    full = [one for one in every if one["label"].startswith(f"{FULL.label}, seed")]
    lexicon = [one for one in every if one["label"] in (TYPES_ONLY, ENDS_ONLY)]
    if full:
        yield Paragraph(
            "Of the listed neighbours, the full model on our labels puts, in the mean of its seeds "
            f"({len(full)}) and with ties shared, "
            f"{'; '.join(_nearer(full, one) for one in lexicon)}, by the sign test over the "
            "ranks in numbers.json (a rough guide: neighbours of one action are not independent)."
        )


def _nearer(full: Sequence[NeighbourNumbers], other: NeighbourNumbers) -> str:
    """A sign test of the trained network against the lexicon that it learned from."""
    less = [
        fmean(one["ranks"][action][name] for one in full) - rank
        for action, ranks in other["ranks"].items()
        for name, rank in ranks.items()
    ]
    nearer, farther = sum(x < 0 for x in less), sum(x > 0 for x in less)
    p = p_cell(sign_test(nearer, farther))
    return f"{nearer} nearer and {farther} farther than {_lower(other['label'])} (p {p})"


def _lower(label: str) -> str:
    return f"{label[0].lower()}{label[1:]}"


def neighbours_by_action(found: AllNeighbours) -> Iterator[Block]:
    if not found:
        return
    label, first = next(iter(found.items()))
    yield Paragraph(f"Action by action, {_lower(label)}:")
    types = {one.action: list(one.ranks.values()) for one in found[TYPES_ONLY]}
    yield Table(
        (
            *("action", "nearest here", "listed in the paper, with its rank here"),
            *("median rank", "types alone", "ties against"),
        ),
        [
            (
                one.action,
                ", ".join(one.nearest),
                ", ".join(f"{name} {rank.first}" for name, rank in one.ranks.items()),
                _median([rank.mean for rank in one.ranks.values()]),
                _median([rank.mean for rank in types[one.action]]),
                _median([rank.last for rank in types[one.action]]),
            )
            for one in first
        ],
        words=3,
    )


def _median(ranks: Sequence[float]) -> str:
    return f"{median(ranks):.0f}" if ranks else NOTHING


def composition_rises(numbers: TrackingNumbers) -> Iterator[Block]:
    """Figure 3 in numbers."""
    if numbers["compositions"]:
        yield Table(
            ("", "pairs", "put together", "acted on", "apart", "above acted on", "above apart"),
            [
                (
                    f"{one['model']}, {GOLD[one['gold']]}",
                    f"{one['pairs']['combined']:,}",
                    *(_rise(one["rise"].get(group)) for group in GROUPS),
                    *(_above(one["above"].get(group)) for group in GROUPS[1:]),
                )
                for one in numbers["compositions"]
            ],
        )


def _rise(rise: Mapping[str, float] | None) -> str:
    return "{value:+.3f} [{low:+.3f}, {high:+.3f}]".format_map(rise) if rise else NOTHING


def _above(above: DifferenceNumbers | None) -> str:
    return f"{above['value']:+.3f} (p {p_cell(above['p'])})" if above else NOTHING


def seeds_compared(numbers: TrackingNumbers) -> str:
    """How many seeds stand behind each network of figure 3."""
    return "; ".join(
        f"{COMPARED[plain(row)]}, {title}: {seeds_cell(row)}"
        for title, rows in by_labels(numbers["table"])
        for row in rows
        if plain(row) in COMPARED
    )
