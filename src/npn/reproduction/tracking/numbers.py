"""The numbers of the report: as numbers.json keeps them, with the counts of each recipe that a
paired bootstrap of entity selection needs; and in the cells of tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, cast

from npn.reproduction.blocks import NOTHING
from npn.reproduction.numbers import (
    DifferenceNumbers,
    Differences,
    ScoreNumbers,
    Scores,
    rounded,
)
from npn.reproduction.rows import (
    ALL_LABELS,
    KEYS,
    LABEL_CURVE,
    LABEL_TITLES,
    PAPER_LABELS,
    TABLE_2,
)
from npn.training.data.piecework import EMBEDDINGS

PAIRED = ("entity_right", "entity_predicted", "entity_gold")  # counts that the numbers keep
EXPERIMENTS = tuple(one.experiment for one in (*TABLE_2, *KEYS, *LABEL_CURVE.values(), ALL_LABELS))


class RowNumbers(TypedDict, total=False):
    """A row of the report. By gold set and metric: its scores, and how far they lie from the full
    model's (in the label curve, from all labels'); `raw` ones are straight from the predictors, as
    the paper's metric has them. What is not a network has no seeds and nothing raw.

    `epochs`, those of `pretraining` among them, the best of the others and minutes are means over
    seeds; the runs of the seeds in `cut_off` were stopped by the clock and took their best epoch so
    far. `selected` is the share of all (step, ingredient) pairs that it selects, and `early` the
    share of these that it selects before their time, on the paper's test recipes. A point of a
    label curve has the `share` of labels that are kept."""

    share: int
    key: str
    label: str
    printed: Mapping[str, Any] | None  # as the paper has it, in percent
    seeds: Sequence[int]
    finished: bool  # whether every run came to its own end
    cut_off: Sequence[int]
    epochs: float | None
    pretraining: float | None
    best_epoch: float | None
    minutes: float | None
    scores: Mapping[str, Scores]
    less_full: Mapping[str, Differences]
    raw: Mapping[str, Scores]
    raw_less_full: Mapping[str, Differences]
    selected: Mapping[str, float]
    early: float | None
    counts: Mapping[str, Any]  # PAIRED ones, by gold set, seed and recipe


class NeighbourNumbers(TypedDict):
    """How near some embeddings put the neighbours that the paper lists; ranks are shares of all
    actions but in `ranks`, by action and neighbour. `median` and `ranks` take the mean rank of what
    is equally near."""

    label: str
    median: Mapping[str, float]
    median_ties_against: float
    among_nearest_ten: float
    ranks: Mapping[str, Mapping[str, float]]


class CompositionNumbers(TypedDict):
    """How much the cosine of two states rises in a step, by group of pairs, and how far that of the
    pairs that are put together lies above the others'."""

    model: str
    gold: str
    rise: Mapping[str, Mapping[str, float]]
    pairs: Mapping[str, int]
    above: Mapping[str, DifferenceNumbers]


class TrackingNumbers(TypedDict, total=False):
    """Rows on the paper's labels stand before those on ours."""

    recipes: Mapping[str, int]  # of each gold set
    data: Mapping[str, Any]  # what the networks were trained on
    counted: Sequence[str]
    table: Sequence[RowNumbers]  # table 2
    keys: Sequence[RowNumbers]  # networks that begin with other keys
    shipped: Sequence[RowNumbers]  # what is not trained here
    labels: Sequence[RowNumbers]  # the label curves
    neighbours: Sequence[NeighbourNumbers]
    compositions: Sequence[CompositionNumbers]
    examples: Mapping[str, Sequence[Mapping[str, Any]]]  # "good" and "bad" selections


def on_labels(rows: Iterable[RowNumbers], labels: str) -> list[RowNumbers]:
    """Those that were trained on such labels."""
    on_paper = labels == PAPER_LABELS
    return [row for row in rows if row["key"].startswith(f"{PAPER_LABELS}-") == on_paper]


def by_labels(rows: Iterable[RowNumbers]) -> Iterator[tuple[str, list[RowNumbers]]]:
    """What the labels are called, and the rows that were trained on them, where there are any."""
    rows = list(rows)
    for labels, title in LABEL_TITLES.items():
        if found := on_labels(rows, labels):
            yield title, found


def plain(row: RowNumbers) -> str:
    """The experiment of a row without its labels: "gru" for "paper-gru"."""
    return row["key"].rpartition("-")[2]


def with_kept(numbers: TrackingNumbers, kept: TrackingNumbers) -> TrackingNumbers:
    """The numbers of the runs that are here, and those that an earlier report of the same data has
    `kept` of runs that are elsewhere: the rows of one kind of labels can be made on one day, and
    those of the other on another. Skip-gram vectors may differ, since another processor rounds them
    otherwise."""
    ours, theirs = (
        {name: digest for name, digest in one["data"]["files"].items() if name != EMBEDDINGS}
        for one in (numbers, kept)
    )
    if ours != theirs or kept["recipes"] != numbers["recipes"]:
        return numbers
    joined: Any = {
        **numbers,
        "examples": numbers["examples"] if numbers["examples"]["good"] else kept["examples"],
    }
    earlier: Any = kept
    for part, keys in _IDENTITIES.items():
        found = {tuple(one.get(key) for key in keys): one for one in joined[part]}
        for one in earlier[part]:
            found.setdefault(tuple(one.get(key) for key in keys), one)
        joined[part] = sorted(found.values(), key=_order)
    return cast(TrackingNumbers, joined)


# What tells one of a part of the numbers from the others.
_IDENTITIES = {
    "table": ("key",),
    "keys": ("key",),
    "labels": ("key", "share"),
    "neighbours": ("label",),
    "compositions": ("model", "gold"),
}


def _order(one: Mapping[str, Any]) -> tuple[Any, ...]:
    """Rows on the paper's labels first, each kind in the order of the tables; trained embeddings
    before those that know less."""
    if "key" not in one:
        return (", seed " not in one.get("label", ""),)
    on_ours = not one["key"].startswith(f"{PAPER_LABELS}-")
    experiment = one["key"].removeprefix(f"{PAPER_LABELS}-")
    return on_ours, one.get("share", 0), EXPERIMENTS.index(experiment)


def to_json(numbers: TrackingNumbers) -> str:
    """One row a line, so that a change of one row is a change of one line."""
    parts = [f'"{key}": {_lines(value)}' for key, value in numbers.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(map(_compact, value)) + "\n]"
    return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(
        rounded(value, digits=5), allow_nan=False, separators=(",", ":"), ensure_ascii=False
    )


# -- What stands in the cells of tables. Scores are in percent.


def row_name(row: RowNumbers) -> str:
    """A row's name where rows of both kinds of labels stand in one table."""
    on_paper = row["seeds"] and row["key"].startswith(f"{PAPER_LABELS}-")
    return f"{row['label']}, {LABEL_TITLES[PAPER_LABELS]}" if on_paper else row["label"]


def printed_cells(row: RowNumbers, metrics: Sequence[str]) -> list[str]:
    printed = row["printed"] or {}
    values = [printed.get(metric) for metric in metrics]
    return [NOTHING if value is None else f"{value:.1f}" for value in values]


def score_cell(score: ScoreNumbers | None, *, interval: bool = False) -> str:
    if score is None:
        return NOTHING
    text = f"{100 * score['value']:.1f}"
    if len(score["seeds"]) > 1:
        text += f" ± {100 * score['spread']:.1f}"
    return f"{text} [{100 * score['low']:.1f}, {100 * score['high']:.1f}]" if interval else text


def difference_cells(found: DifferenceNumbers | None) -> tuple[str, str]:
    """A difference with its interval, and its p."""
    return (NOTHING, NOTHING) if found is None else (points_cell(found), p_cell(found["p"]))


def points_cell(found: DifferenceNumbers) -> str:
    value, low, high = (100 * one for one in (found["value"], found["low"], found["high"]))
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"


def p_cell(value: float) -> str:
    """Numbers that are kept are rounded: the smallest p that a bootstrap can find is .001 there."""
    return "< .001" if value <= 0.001 else f"{value:.3f}"


def seeds_cell(row: RowNumbers) -> str:
    """How many seeds stand behind a row, and how many of them the clock cut off."""
    seeds, cut = len(row["seeds"]), len(row["cut_off"])
    if not seeds:
        return NOTHING
    if not cut:
        return str(seeds)
    return f"{seeds}, cut off" if cut == seeds else f"{seeds}, {cut} cut off"


def epochs_cell(row: RowNumbers) -> str:
    """Epochs of pretraining and of training, such as "4 + 12"; means over seeds."""
    if row["epochs"] is None or row["pretraining"] is None:
        return NOTHING
    return f"{row['pretraining']:.0f} + {row['epochs'] - row['pretraining']:.0f}"


def percent_cell(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"
