"""The report's figures as SVG: legible in grey, told apart by shape and hatching, not by hue."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np

from npn.evaluation.embeddings import GROUPS, Neighbours
from npn.reproduction.rows import FULL, GOLD, LABEL_CURVE, LABELS, OUR_LABELS, PAPER_LABELS, TEST
from npn.reproduction.tracking.embeddings import TYPES_ONLY, AllNeighbours
from npn.reproduction.tracking.numbers import (
    CompositionNumbers,
    RowNumbers,
    TrackingNumbers,
    on_labels,
    plain,
    row_name,
)

STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "npn",  # the same numbers give the same file
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
}
LOOKS = ("o-", "s-", "^-", "v--", "D--", "<--", ">--", "p:", "h:", "*-")  # one a row of table 2
DARK, MIDDLE, LIGHT = "#1b3a57", "#6b8299", "#c3cdd6"


def draw(numbers: TrackingNumbers, neighbours: AllNeighbours) -> dict[str, str]:
    """Each figure by the name of its file, as far as there are numbers for it."""
    figures = {}
    with plt.rc_context(STYLE):
        if numbers["table"] and TEST in numbers["recipes"]:
            figures["table2.svg"] = _svg(_table_2(numbers))
            if all(on_labels(numbers["table"], labels) for labels in LABELS):
                figures["labels_compared.svg"] = _svg(_labels_compared(numbers))
        if numbers["compositions"]:
            figures["compositions.svg"] = _svg(_compositions(numbers["compositions"]))
        if numbers["labels"]:
            figures["labels.svg"] = _svg(_labels(numbers["labels"]))
        if neighbours:
            figures["neighbours.svg"] = _svg(_neighbours(neighbours))
    return figures


def _svg(figure: Any) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    text = out.getvalue()
    return text[text.index("<svg") :]


def _errors(scores: Sequence[Mapping[str, Any]], scale: float = 1) -> list[list[float]]:
    """How far the interval of each score reaches below and above it."""
    below = [scale * (score["value"] - score["low"]) for score in scores]
    return [below, [scale * (score["high"] - score["value"]) for score in scores]]


def _frame(axis: Any, title: str, grid: str) -> None:
    """A title, and a grid along one direction."""
    axis.set_title(title)
    axis.grid(axis=grid, color=LIGHT, lw=0.6)


def _legend_below(figure: Any, axis: Any) -> None:
    handles, labels = axis.get_legend_handles_labels()
    figure.tight_layout()
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=3)


def _table_2(numbers: TrackingNumbers) -> Any:
    rows = [*reversed(numbers["shipped"]), *numbers["table"]]
    panels = {
        "entity_f1": "entity F1",
        "uncombined_recall": "uncombined recall",
        "combined_recall": "combined recall",
    }
    figure, axes = plt.subplots(1, 3, sharey=True, figsize=(9.5, 0.3 * len(rows) + 1.2))
    y = np.arange(len(rows))
    for axis, (metric, title) in zip(axes, panels.items(), strict=True):
        for i, row in enumerate(rows):
            score = row["scores"][TEST].get(metric)
            if score is None:
                continue
            ends = [100 * score["low"], 100 * score["high"]]
            seeds = [100 * value for value in score["seeds"]]
            axis.plot(ends, [i, i], color=MIDDLE, lw=2.5, zorder=1)
            axis.plot(seeds, [i] * len(seeds), "|", color=DARK, ms=9, mew=1)
            axis.plot(100 * score["value"], i, "o", color=DARK, ms=5)
            if row["printed"]:
                axis.plot(
                    row["printed"][metric], i, "D", mfc="white", mec="black", ms=5.5, zorder=3
                )
        _frame(axis, title, "x")
        axis.set_axisbelow(True)
    axes[0].set_yticks(y, [row_name(row) for row in rows])
    axes[0].plot([], [], "o-", color=DARK, label="ours: mean, seeds, 95 % over recipes")
    axes[0].plot([], [], "D", mfc="white", mec="black", label="the paper's own number")
    figure.legend(loc="upper center", bbox_to_anchor=(0.5, 0.04), ncol=2)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    return figure


def _labels_compared(numbers: TrackingNumbers) -> Any:
    """A line a model: in the paper, on its labels here, on ours."""
    ours = {row["label"]: row for row in on_labels(numbers["table"], OUR_LABELS)}
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.2))
    panels = {"entity_f1": "entity F1", "combined_recall": "combined recall"}
    places = ("in the paper", "the paper's labels", "our labels")
    for axis, (metric, title) in zip(axes, panels.items(), strict=True):
        for row, look in zip(on_labels(numbers["table"], PAPER_LABELS), LOOKS, strict=False):
            here = [one for one in (row, ours.get(row["label"])) if one]
            heights = [100 * one["scores"][TEST][metric]["value"] for one in here]
            printed = row["printed"] or {}
            full = plain(row) == FULL.experiment
            axis.plot(
                range(1 + len(heights)),
                [printed[metric], *heights],
                look,
                color="black" if full else MIDDLE,
                lw=2 if full else 1,
                ms=5,
                mfc="black" if full else "white",
                mec="black",
                label=row["label"],
                zorder=3 if full else 2,
            )
        axis.set_xticks(range(len(places)), places)
        axis.set_xlim(-0.15, len(places) - 0.85)
        axis.set_ylim(0, 100)
        _frame(axis, title, "y")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    figure.tight_layout()
    return figure


def _compositions(numbers: Sequence[CompositionNumbers]) -> Any:
    models = list(dict.fromkeys(one["model"] for one in numbers))
    rows = -(-len(models) // 2)
    figure, axes = plt.subplots(rows, 2, sharey=True, figsize=(9.8, 3.1 * rows), squeeze=False)
    for spare in axes.flat[len(models) :]:
        spare.set_visible(False)
    looks = {
        "combined": ("put together in the step", DARK, ""),
        "touched": ("acted on, not put together", MIDDLE, "///"),
        "apart": ("neither acted on", "white", ""),
    }
    for axis, model in zip(axes.flat, models, strict=False):
        sets = [one for one in numbers if one["model"] == model]
        for g, group in enumerate(GROUPS):
            label, colour, hatch = looks[group]
            found = {i: one["rise"][group] for i, one in enumerate(sets) if group in one["rise"]}
            axis.bar(
                [i + 0.27 * (g - 1) for i in found],
                [score["value"] for score in found.values()],
                0.25,
                yerr=_errors(list(found.values())),
                color=colour,
                edgecolor="black",
                linewidth=0.7,
                hatch=hatch,
                ecolor="black",
                capsize=2,
                label=label,
            )
        axis.axhline(0, color="black", lw=0.8)
        axis.set_xticks(range(len(sets)), [GOLD[one["gold"]].replace(" ", "\n") for one in sets])
        axis.tick_params(axis="x", labelsize=7)
        axis.set_title(model)
    axes[0][0].set_ylabel("rise in cosine of two states")
    _legend_below(figure, axes[0][0])
    return figure


def _labels(points: Sequence[RowNumbers]) -> Any:
    panels = (
        ("entity F1", "npn_entities_dev", "entity_f1", "entity_f1"),
        ("state change F1, raw", "states_train", "state_f1/five", "state_f1"),
        ("state change accuracy, raw", "states_train", "state_accuracy/five", "state_accuracy"),
    )
    figure, axes = plt.subplots(1, 3, figsize=(9.5, 2.9))
    looks = {
        PAPER_LABELS: ("o-", DARK, "on the paper's labels"),
        OUR_LABELS: ("s-", MIDDLE, "on ours"),
    }
    for axis, (title, gold, metric, printed) in zip(axes, panels, strict=True):
        for labels, (form, colour, name) in looks.items():
            curve = on_labels(points, labels)
            scores = {
                row["share"]: (row["scores"] if metric == "entity_f1" else row["raw"]).get(gold, {})
                for row in curve
            }
            there = {share: one[metric] for share, one in scores.items() if metric in one}
            if curve:
                axis.errorbar(
                    list(there),
                    [100 * one["value"] for one in there.values()],
                    yerr=_errors(list(there.values()), 100),
                    fmt=form,
                    color=colour,
                    capsize=3,
                    label=name,
                )
        shares = list(LABEL_CURVE)
        in_paper = [(row.printed or {})[printed] for row in LABEL_CURVE.values()]
        axis.plot(
            shares, in_paper, "D--", mfc="white", mec="black", color="black", label="the paper"
        )
        axis.set_xticks(shares)
        axis.set_xlabel("% of training labels kept")
        _frame(axis, title, "y")
    _legend_below(figure, axes[0])
    return figure


def _neighbours(found: AllNeighbours) -> Any:
    figure, axis = plt.subplots(figsize=(8.2, 3.3))
    looks: dict[str, tuple[str, Any, float]] = {
        "Full model on": (MIDDLE, "--", 1.0),
        "Full model": (DARK, "-", 1.6),
        "+ pretrained": (MIDDLE, "-", 1.0),
        "Skip-gram": ("black", (0, (6, 2)), 0.9),
        "State change types and": ("black", (0, (1, 3)), 1.6),
        "State change": ("black", ":", 1.8),
        "Random": ("black", "-.", 1.0),
    }
    captions: set[str] = set()
    for label, actions in found.items():
        colour, line, width = next(look for kind, look in looks.items() if label.startswith(kind))
        for against in (False, True) if label == TYPES_ONLY else (False,):
            shares = _cumulative(actions, against=against)
            caption = label.split(", seed")[0] + (", ties against it" if against else "")
            axis.plot(
                100 * np.arange(1, len(shares) + 1) / len(shares),
                100 * shares,
                linestyle=line,
                color=colour,
                lw=width / 2 if against else width,
                label=None if caption in captions else caption,
            )
            captions.add(caption)
    axis.axvline(10, color=LIGHT, lw=1)
    axis.set_xlim(0, 50)
    axis.set_ylim(0, 100)
    axis.set_xlabel("nearest actions, % of all")
    axis.set_ylabel("of the paper's neighbours, % among them")
    axis.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8)
    figure.tight_layout()
    return figure


def _cumulative(found: Sequence[Neighbours], *, against: bool = False) -> Any:
    """The share of listed neighbours among the nearest 1, 2, ... actions; ties are shared, or count
    `against` them."""
    others = found[0].others if found else 1
    ranks = [rank for one in found for rank in one.ranks.values()]
    return np.array(
        [
            np.mean([rank.last <= n if against else rank.chance_within(n) for rank in ranks])
            for n in range(1, others + 1)
        ]
    )
