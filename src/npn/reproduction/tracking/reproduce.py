"""The whole chain of tracking: prepare, train what is missing, let each run say what it says of the
gold, and write the report, the paper's numbers beside ours. Whatever is there already is left
alone, so a chain that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.gold import read_gold
from npn.evaluation.selections import SelectionExample
from npn.networks.common.files import write_bytes
from npn.reproduction.blocks import Block, Table, compose
from npn.reproduction.chain import (
    PAPER_RECIPES,
    QUICK_TRACKER,
    ChainSettings,
    count_lines,
    handful,
    prepare_corpora,
    read_remarks,
    spell,
    write_pages,
)
from npn.reproduction.claims import ENOUGH, SPARE, claims_table
from npn.reproduction.rows import Wanted, wanted_runs
from npn.reproduction.tracking.collect import collect
from npn.reproduction.tracking.embeddings import (
    action_neighbours,
    composition_rises,
    neighbour_values,
    neighbours_by_action,
    seeds_compared,
)
from npn.reproduction.tracking.figures import draw
from npn.reproduction.tracking.gold_counts import is_recorded, read_golds
from npn.reproduction.tracking.results import Results, row_name, to_json
from npn.reproduction.tracking.run_chapters import (
    CutOff,
    more_epochs,
    read_cut_off,
    seeds_and_clock,
    trained_rows,
    training,
)
from npn.reproduction.tracking.run_set import RunSet
from npn.reproduction.tracking.runs import RunPlan, make, make_run
from npn.reproduction.tracking.tables import curd, keys, label_curve, selection, state_changes
from npn.training.jobs import Tell

OUTLINE = Path(__file__).parent / "report.md"


def write(
    results: Results,
    figures: Mapping[str, str],
    command: str,
    remarks: Sequence[Block] = (),
    cut_off: Sequence[CutOff] = (),
) -> list[Block]:
    """`cut_off` is what the logs say of runs that the clock stopped."""
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in results.recipes.items())
    values = {
        "command": command,
        "gold": gold,
        "enough": str(ENOUGH),
        "spare": f"{SPARE:.0f}",
        "seeds_compared": seeds_compared(results),
        **neighbour_values(results),
    }
    parts: dict[str, Iterable[Block]] = {
        "seeds and clock": seeds_and_clock(results),
        "claims": [claims_table(json.loads(to_json(results)))] if results.rows else [],
        "remarks": remarks,
        "selection": selection(results),
        "keys": keys(results),
        "curd": curd(results),
        "state changes": state_changes(results),
        "label curve": label_curve(results),
        "neighbours": action_neighbours(results),
        "neighbours by action": neighbours_by_action(results),
        "compositions": composition_rises(results),
        "selection examples": selection_examples(results),
        "runs": training(results),
        "more epochs": more_epochs(
            cut_off, {row.key: row_name(row) for row in trained_rows(results)}
        ),
    }
    return compose(OUTLINE.read_text(encoding="utf-8"), values, parts, figures)


def selection_examples(results: Results) -> Iterator[Block]:
    """Table 3: steps on which the full model is at its best and at its worst."""
    rows = [("good", *_cells(one)) for one in results.good]
    rows += [("bad", *_cells(one)) for one in results.bad]
    if rows:
        yield Table(("", "before", "step", "selected", "correct"), tuple(rows), words=5)


def _cells(one: SelectionExample) -> tuple[str, ...]:
    return (
        " ".join(one.context),
        one.step,
        ", ".join(one.selected) or "nothing",
        ", ".join(one.correct),
    )


EXAMPLES = Path(__file__).parent / "examples.jsonl"
# Seconds a recipe, measured: to be prepared, on one core of an x86 server; in an epoch of the full
# model, on such a core and on one NVIDIA H200 (five runs at once, 7 s each; 43 at once, 28 s each,
# below which sharing the device brings no more).
PREPARE = 0.01
ALONE, SHARED = {"cpu": 0.0022, "cuda": 1.1e-4}, {"cpu": 0.0, "cuda": 1e-5}
EPOCHS = 30  # our longest had 31 to 36, pretraining included, and were cut off; baselines 14 to 23
RUN_LOGS = "runs"  # in the folder of the report: a small file for each run
HANDFUL = 100  # recipes of a quick chain


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackingSettings(ChainSettings):
    """A chain that does not `train` reports on the runs that are there."""

    gold: Path
    train: bool = True


def reproduce(settings: TrackingSettings, tell: Tell, command: str) -> Path:
    """Write the report; the Markdown file."""
    golds = read_golds(settings.gold)
    wanted = wanted_runs(1 if settings.quick else settings.seeds)
    runs = settings.work / "runs"
    missing = [run for run in wanted if not is_recorded(runs / run.folder, settings.gold)]
    if not settings.train:
        if not RunSet(runs, settings.gold).folders:
            raise NpnError(f"{runs} holds no run to report on")
        missing = []
    tell(_estimate(settings, missing))
    if missing and not settings.is_prepared:
        _prepare(settings, tell)
    if missing:
        _train(settings, missing, tell)
    skipgram = _skipgram(settings.prepared)
    results = collect(RunSet(runs, settings.gold), golds, read_gold(EXAMPLES), tell, skipgram)
    results = _with_recipes(results, settings.prepared)
    return publish(results, settings.out, command, read_remarks(settings.remarks))


def publish(results: Results, out: Path, command: str, remarks: Sequence[Block] = ()) -> Path:
    """Numbers, figures and the report, in Markdown and as one page; the logs of runs that lie in
    `out` say how they were cut off."""
    out.mkdir(parents=True, exist_ok=True)
    figures = draw(results)
    for name, svg in figures.items():
        write_bytes(out / name, f"{svg}\n".encode())
    blocks = write(results, figures, command, remarks, read_cut_off(out / RUN_LOGS))
    write_bytes(out / "numbers.json", to_json(results).encode())
    return write_pages(out / "report", blocks)


def _estimate(settings: TrackingSettings, missing: Sequence[Wanted]) -> str:
    if not missing:
        return "no run is missing: writing the report takes a minute or two"
    if settings.quick:
        return f"{len(missing)} small runs and a report of their numbers: about a minute"
    lines = count_lines(settings.corpora)
    recipes = min(lines, PAPER_RECIPES)
    seconds = 0.0 if settings.is_prepared else lines * PREPARE / settings.jobs
    kind = settings.processor
    pace = max(ALONE[kind] / settings.jobs, SHARED[kind])
    seconds += len(missing) * recipes * EPOCHS * pace
    return (
        f"{len(missing)} runs on up to {recipes:,} recipes each, {settings.jobs} at a time on "
        f"{settings.device}: about {spell(seconds)}; what is done stays done if it is stopped"
    )


def _prepare(settings: TrackingSettings, tell: Tell) -> None:
    if not settings.corpora:
        raise NpnError("runs are missing and there is no corpus to train them on: name --corpus")
    if settings.quick:
        few = [handful(settings.corpora[0], settings.work, HANDFUL)]
        prepare_corpora(settings, few, 1, tell)
    else:
        prepare_corpora(settings, settings.corpora, settings.jobs, tell)


def _train(settings: TrackingSettings, missing: Sequence[Wanted], tell: Tell) -> None:
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


def _with_recipes(results: Results, prepared: Path) -> Results:
    """How many recipes the runs learned from, if the data that they name is at hand."""
    path = prepared / "manifest.json"
    if not path.is_file():
        return results
    manifest = json.loads(path.read_bytes())
    if manifest["hashes"] != results.data.get("files"):
        return results
    recipes = manifest["counts"]["train"]["recipes"]
    return replace(results, data={**results.data, "recipes": recipes})


def _skipgram(data: Path) -> Any:
    path = data / "embeddings.safetensors"
    if not path.is_file():
        return None
    from safetensors.numpy import load_file

    return load_file(path)["actions"].astype(np.float64)
