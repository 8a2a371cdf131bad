"""The whole chain of tracking: prepare, train what is missing, let each run say what it says of the
gold, and write the report, the paper's numbers beside ours. Whatever is there already is left
alone, so a chain that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from safetensors.numpy import load_file

from npn.errors import NpnError
from npn.evaluation.bootstrap import Array
from npn.evaluation.gold import read_gold
from npn.networks.common.files import write_bytes
from npn.reproduction.blocks import Block, Table, compose
from npn.reproduction.chain import (
    PAPER_RECIPES,
    QUICK_TRACKER,
    ChainSettings,
    plan_line,
    prepare_corpora,
    read_remarks,
    write_pages,
)
from npn.reproduction.claims import claims_table
from npn.reproduction.rows import Wanted, wanted_runs
from npn.reproduction.tracking.collect import collect
from npn.reproduction.tracking.embeddings import (
    AllNeighbours,
    action_neighbours,
    composition_rises,
    find_neighbours,
    neighbour_values,
    neighbours_by_action,
    seeds_compared,
)
from npn.reproduction.tracking.figures import draw
from npn.reproduction.tracking.gold_counts import is_recorded, read_golds, read_runs
from npn.reproduction.tracking.numbers import TrackingNumbers, to_json, with_kept
from npn.reproduction.tracking.run_chapters import (
    more_epochs,
    seeds_and_clock,
    trained_rows,
    training,
    training_values,
)
from npn.reproduction.tracking.run_logs import CutOff, read_cut_off
from npn.reproduction.tracking.runs import RunPlan, make, make_run
from npn.reproduction.tracking.tables import curd, keys, label_curve, selection, state_changes
from npn.reproduction.verdicts import ENOUGH, SPARE
from npn.training.data.piecework import EMBEDDINGS
from npn.training.jobs import Tell

OUTLINE = Path(__file__).parent / "report.md"
EXAMPLES = Path(__file__).parent / "examples.jsonl"
# Seconds a recipe, measured: to be prepared, on one core of an x86 server; in an epoch of the full
# model, on such a core and on one NVIDIA H200 (five runs at once, 7 s each; 43 at once, 28 s each,
# below which sharing the device brings no more).
PREPARE = 0.01
ALONE, SHARED = {"cpu": 0.0022, "cuda": 1.1e-4}, {"cpu": 0.0, "cuda": 1e-5}
EPOCHS = 30  # our longest had 31 to 36, pretraining included, and were cut off; baselines 14 to 23
RUN_LOGS = "runs"  # in the folder of the report: a small file for each run
NUMBERS = "numbers.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackingSettings(ChainSettings):
    """A chain that does not `train` reports on the runs that are there."""

    handful: ClassVar[int] = 100
    gold: Path
    train: bool = True


def reproduce(settings: TrackingSettings, tell: Tell, command: str) -> Path:
    """Write the report; the Markdown file. An earlier report of the same data in that folder keeps
    the rows whose runs are not here."""
    golds, remarks = read_golds(settings.gold), read_remarks(settings.remarks)
    folder = settings.work / "runs"
    wanted = wanted_runs(1 if settings.quick else settings.seeds) if settings.train else []
    missing = [run for run in wanted if not is_recorded(folder / run.folder, settings.gold)]
    tell(plan_line(settings, len(missing), lambda lines: _estimate(settings, len(missing), lines)))
    if missing:
        _train(settings, missing, tell)
    runs = read_runs(folder, settings.gold)
    if not runs:
        raise NpnError(f"{folder} holds no run to report on")
    neighbours = find_neighbours(runs, _skipgram(settings.prepared))
    numbers = collect(runs, golds, neighbours, read_gold(EXAMPLES), tell)
    numbers["data"] = _with_recipes(numbers["data"], settings.prepared)
    if (settings.out / NUMBERS).is_file():
        numbers = with_kept(numbers, json.loads((settings.out / NUMBERS).read_bytes()))
    figures = draw(numbers, neighbours)
    settings.out.mkdir(parents=True, exist_ok=True)
    for name, svg in figures.items():
        write_bytes(settings.out / name, f"{svg}\n".encode())
    write_bytes(settings.out / NUMBERS, to_json(numbers).encode())
    cut_off = read_cut_off(settings.out / RUN_LOGS)
    report = write(numbers, neighbours, figures, command, remarks, cut_off)
    return write_pages(settings.out / "report", report)


def _estimate(settings: TrackingSettings, missing: int, lines: int) -> tuple[str, float]:
    recipes, kind = min(lines, PAPER_RECIPES), settings.processor
    seconds = 0.0 if settings.is_prepared else lines * PREPARE / settings.jobs
    seconds += missing * recipes * EPOCHS * max(ALONE[kind] / settings.jobs, SHARED[kind])
    return (
        f"{missing} runs on up to {recipes:,} recipes each, {settings.jobs} at a time on "
        f"{settings.device}"
    ), seconds


def _train(settings: TrackingSettings, missing: Sequence[Wanted], tell: Tell) -> None:
    prepare_corpora(settings, settings.read_corpora(), tell)
    plan = RunPlan(
        settings.prepared,
        settings.gold,
        settings.work / "runs",
        settings.out / RUN_LOGS,
        settings.device,
        QUICK_TRACKER if settings.quick else (),
    )
    if settings.quick:  # a process each would cost more than the training
        for run in missing:
            make_run(run, plan, quiet=True)
            tell(f"{run.folder}: done")
    elif failed := make(missing, plan, settings.jobs, tell):
        raise NpnError(f"{failed} runs failed: see what they say, then run the same command again")


def _with_recipes(data: Mapping[str, Any], prepared: Path) -> Mapping[str, Any]:
    """How many recipes the runs learned from, if the data that they name is at hand."""
    path = prepared / "manifest.json"
    manifest = json.loads(path.read_bytes()) if path.is_file() else {}
    if manifest.get("hashes") != data["files"]:
        return data
    return {**data, "recipes": manifest["counts"]["train"]["recipes"]}


def _skipgram(prepared: Path) -> Array | None:
    path = prepared / EMBEDDINGS
    return load_file(path)["actions"].astype(np.float64) if path.is_file() else None


def write(
    numbers: TrackingNumbers,
    neighbours: AllNeighbours,
    figures: Mapping[str, str],
    command: str,
    remarks: Sequence[Block] = (),
    cut_off: Sequence[CutOff] = (),
) -> list[Block]:
    """The report. `cut_off` is what the logs say of runs that the clock stopped."""
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in numbers["recipes"].items())
    values = {
        "command": command,
        "gold": gold,
        "enough": str(ENOUGH),
        "spare": f"{SPARE:.0f}",
        "seeds_compared": seeds_compared(numbers),
        **neighbour_values(neighbours),
        **training_values(numbers),
    }
    parts: dict[str, Iterable[Block]] = {
        "seeds and clock": seeds_and_clock(numbers),
        # As the page of verdicts has them, which is made of what numbers.json keeps.
        "claims": [claims_table(json.loads(to_json(numbers)))] if numbers["table"] else [],
        "remarks": remarks,
        "selection": selection(numbers),
        "keys": keys(numbers),
        "curd": curd(numbers),
        "state changes": state_changes(numbers),
        "label curve": label_curve(numbers),
        "neighbours": action_neighbours(numbers),
        "neighbours by action": neighbours_by_action(neighbours),
        "compositions": composition_rises(numbers),
        "selection examples": selection_examples(numbers),
        "runs": [training(numbers)],
        "more epochs": more_epochs(trained_rows(numbers), cut_off),
    }
    return compose(OUTLINE.read_text(encoding="utf-8"), values, parts, figures)


def selection_examples(numbers: TrackingNumbers) -> Iterator[Block]:
    """Table 3: steps on which the full model is at its best and at its worst."""
    rows = [
        (
            kind,
            " ".join(one["context"]),
            one["step"],
            ", ".join(one["selected"]) or "nothing",
            ", ".join(one["correct"]),
        )
        for kind, found in numbers["examples"].items()
        for one in found
    ]
    if rows:
        yield Table(("", "before", "step", "selected", "correct"), rows, words=5)
