"""The whole chain of tracking: prepare, train what is missing, let each run say what it says of the
gold, and write the report, the paper's numbers beside ours. Whatever is there already is left
alone, so a chain that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.gold import read_gold
from npn.evaluation.selections import SelectionExample
from npn.networks.common.files import write_bytes
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
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
from npn.reproduction.claims import ENOUGH, SPARE
from npn.reproduction.rows import Wanted, wanted_runs
from npn.reproduction.tracking.collect import collect
from npn.reproduction.tracking.embeddings import action_neighbours, compositions
from npn.reproduction.tracking.figures import draw
from npn.reproduction.tracking.predictions import (
    PREDICTIONS,
    read_golds,
)
from npn.reproduction.tracking.results import Results, row_name, to_json
from npn.reproduction.tracking.run_chapters import (
    CutOff,
    earlier_runs,
    more_epochs,
    read_cut_off,
    read_earlier,
    seeds_and_clock,
    trained_rows,
    training,
)
from npn.reproduction.tracking.run_set import RunSet
from npn.reproduction.tracking.runs import RunPlan, make, make_run, pretraining_of
from npn.reproduction.tracking.tables import curd, keys, label_curve, state_changes, table_2
from npn.reproduction.verdicts import claims_table
from npn.training.jobs import Tell

TITLE = "Tracking: the paper's numbers beside ours"


def write(
    results: Results,
    figures: Mapping[str, str],
    command: str,
    remarks: Sequence[Block] = (),
    earlier: Mapping[str, Any] | None = None,
    cut_off: Sequence[CutOff] = (),
) -> list[Block]:
    """`earlier` are the numbers of runs that are kept as history, `cut_off` what the logs say of
    runs that the clock stopped."""
    return [
        ReportHeading(1, TITLE),
        Paragraph(
            "The paper's tracking results, run anew. A score is the mean over seeds, with "
            "the standard deviation over seeds after ± (none where there is one seed) and the 95 % "
            "bootstrap interval over recipes in brackets; a difference is from the full model of "
            "the same labels, on the same resamples of recipes, with its interval and its "
            "two-sided p. All scores are in percent."
        ),
        Paragraph(f"Made with: {command}"),
        Paragraph(_made_from(results)),
        *seeds_and_clock(results),
        *claims(results),
        *remarks,
        *table_2(results, figures),
        *keys(results),
        *curd(results),
        *state_changes(results),
        *label_curve(results, figures),
        *action_neighbours(results, figures),
        *compositions(results, figures),
        *selections(results),
        *training(results),
        *more_epochs(cut_off, {row.key: row_name(row) for row in trained_rows(results)}),
        *earlier_runs(earlier or {}, results.data.get("files", {})),
    ]


def _made_from(results: Results) -> str:
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in results.recipes.items())
    return (
        f"Gold: {gold}. The test sets (npn_entities_test, curd_dev, states_dev) are measured here "
        "and nowhere tuned on. The paper's test labels are those of its authors, on text that was "
        "put together anew; its own text and its gold for end states are not public."
    )


def claims(results: Results) -> Iterator[Block]:
    """A line for each claim of the paper, as on the page of verdicts."""
    if not results.rows:
        return
    yield ReportHeading(2, "The paper's claims")
    yield Paragraph(
        "A verdict needs p below .05 over recipes, more than one seed, and runs that came to their "
        "own end; where one of these is missing it cannot be told, and the evidence says which way "
        f"it leans. One exception: with {ENOUGH} seeds or more, the side that leads may have been "
        "cut off if the side that trails was not and the whole interval of the lead is beyond "
        f"{SPARE:.0f} points (of CR, that between the nearest two seeds), which is more than any "
        "run lost by going on (table “What more epochs changed”). Each line names the cell that it "
        "rests on."
    )
    yield claims_table(json.loads(to_json(results)))


def selections(results: Results) -> Iterator[Block]:
    if not results.good and not results.bad:
        return
    yield ReportHeading(2, "Table 3: good and bad selections")
    yield Paragraph(
        "Steps on ingredients that are already part of a mixture, from recipes written for this "
        "page, read by the full model on our labels (first seed): the best and the worst, at most "
        "one of each a recipe."
    )
    rows = [("good", *_cells(one)) for one in results.good]
    rows += [("bad", *_cells(one)) for one in results.bad]
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
    missing = [run for run in wanted if not (runs / run.folder / PREDICTIONS).is_file()]
    if not settings.train:
        if len(missing) == len(wanted):
            raise NpnError(f"{runs} holds no run to report on")
        missing = []
    tell(_estimate(settings, missing))
    if missing and not settings.is_prepared:
        _prepare(settings, tell)
    if missing:
        _train(settings, missing, tell)
    skipgram = _skipgram(settings.prepared)
    results = collect(RunSet(runs, golds), read_gold(EXAMPLES), tell, skipgram)
    results = _with_recipes(results, settings.prepared)
    return publish(results, settings.out, command, read_remarks(settings.remarks))


def publish(results: Results, out: Path, command: str, remarks: Sequence[Block] = ()) -> Path:
    """Numbers, figures and the report, in Markdown and as one page; numbers of earlier runs that
    lie in `out` stand in it as history, and the logs there say how runs were cut off."""
    out.mkdir(parents=True, exist_ok=True)
    figures = draw(results)
    for name, svg in figures.items():
        write_bytes(out / name, f"{svg}\n".encode())
    blocks = write(
        results, figures, command, remarks, read_earlier(out), read_cut_off(out / RUN_LOGS)
    )
    write_bytes(out / "numbers.json", to_json(results).encode())
    return write_pages(out / "report", TITLE, blocks)


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
    if not settings.quick:
        failed = make(missing, plan, settings.jobs, tell)
        if failed:
            raise NpnError(
                f"{failed} runs failed: see what they say, then run the same command again"
            )
        return
    # A process each would cost more than the training.
    first = [pretraining_of(run, plan) for run in missing]
    for run in (*dict.fromkeys(one for one in first if one is not None), *missing):
        make_run(run, plan, quiet=True)
        tell(f"{run.folder}: done")


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
