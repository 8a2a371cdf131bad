"""The whole chain of generation: prepare, train the trackers whose states are read and then the
generators, as far as they are missing, and write the report. What was stopped goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from npn.models import load_tracker
from npn.networks.common.files import write_bytes
from npn.reproduction.chain import (
    PAPER_RECIPES,
    QUICK_TRACKER,
    ChainSettings,
    PrintingWatcher,
    plan_line,
    prepare_corpora,
    read_remarks,
    write_pages,
)
from npn.reproduction.generation.collect import EXAMPLES, OUTPUTS, collect
from npn.reproduction.generation.report import write
from npn.reproduction.generation.table_6 import record_examples
from npn.reproduction.numbers import rounded
from npn.reproduction.rows import TABLE_5, GeneratorRow
from npn.training.config import WEIGHTS
from npn.training.generator.data import VOCABULARY, GenerationData
from npn.training.generator.prepare import prepare_generation
from npn.training.jobs import Tell
from npn.training.run import train

LOCAL = "report-with-contexts"
QUICK = ("training.epochs=1", "training.batch=32", "training.outputs=40")
# Seconds, measured: a recipe labelled and tracked; an epoch of a tracker and of a generator, a
# recipe, on a core and on a GPU.
PREPARE = 0.025
TRACKER = {"cpu": 0.02, "cuda": 0.0003}
GENERATOR = {"cpu": 0.08, "cuda": 0.0004}
EPOCHS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings(ChainSettings):
    """The trackers whose states are read lie in `work` too."""

    handful: ClassVar[int] = 60

    @property
    def data(self) -> Path:
        return self.work / "data"

    def tracker(self, row: GeneratorRow) -> Path | None:
        """The run whose states its generators read."""
        return self.work / "trackers" / row.tracker.folder if row.tracker else None

    def run(self, row: GeneratorRow, seed: int) -> Path:
        return self.work / "runs" / f"{row.kind}-{seed}"


def reproduce(settings: GenerationSettings, tell: Tell, command: str) -> Path:
    """Write the report; the Markdown file."""
    remarks = read_remarks(settings.remarks)
    seeds = range(1, 1 + (1 if settings.quick else settings.seeds))
    wanted = [(row, seed) for seed in seeds for row in TABLE_5]
    missing = [one for one in wanted if not (settings.run(*one) / OUTPUTS).is_file()]
    tell(plan_line(settings, len(missing), lambda lines: _estimate(settings, missing, lines)))
    corpora = settings.read_corpora()
    if not (settings.data / VOCABULARY).is_file():
        _prepare(settings, corpora, tell)
    data = GenerationData(settings.data)
    for row, seed in missing:
        _train(settings, row, seed, tell)
    for row, seed in wanted:
        run, tracker = settings.run(row, seed), settings.tracker(row)
        at_hand = (run / WEIGHTS).is_file() and (tracker is None or tracker.is_dir())
        if at_hand and not (run / EXAMPLES).is_file():
            record_examples(run, data, tracker)
    numbers, recipes = collect(settings.work / "runs", data, corpora, tell, settings.jobs)
    # What the recipes say is nobody's to publish: it stays beside the runs.
    write_pages(settings.work / LOCAL, write(numbers, command, remarks, recipes))
    report = write_pages(settings.out / "report", write(numbers, command, remarks))
    text = json.dumps(rounded(numbers), indent=1, allow_nan=False)
    write_bytes(settings.out / "numbers.json", f"{text}\n".encode())
    return report


def _estimate(
    settings: GenerationSettings, missing: Sequence[tuple[GeneratorRow, int]], lines: int
) -> tuple[str, float]:
    recipes, device = min(lines, PAPER_RECIPES), settings.processor
    trackers = len({row.tracker for row, _ in missing} - {None})
    epoch = trackers * TRACKER[device] + len(missing) * GENERATOR[device]
    what = f"{len(missing)} generators and {trackers} trackers on {settings.device}"
    return what, recipes * (PREPARE + EPOCHS * epoch)


def _prepare(settings: GenerationSettings, corpora: Sequence[Path], tell: Tell) -> None:
    prepare_corpora(settings, corpora, tell)
    tell("preparing: what the tracker says before every step")
    prepare_generation(
        corpora,
        settings.prepared,
        settings.data,
        PAPER_RECIPES,
        PrintingWatcher(tell),
        load_tracker,
        processes=settings.jobs,
    )


def _train(settings: GenerationSettings, row: GeneratorRow, seed: int, tell: Tell) -> None:
    run, tracker = settings.run(row, seed), settings.tracker(row)
    if tracker and row.tracker and not (tracker / WEIGHTS).is_file():
        train(
            row.tracker.experiment,
            settings.prepared,
            tracker,
            seed=row.tracker.seed,
            device=settings.device,
            settings=(*row.tracker.settings, *(QUICK_TRACKER if settings.quick else ())),
            resume=True,
            quiet=True,
        )
        tell(f"tracker {tracker.name}: done")
    with redirect_stdout(sys.stderr):
        train(
            row.experiment,
            settings.data,
            run,
            seed=seed,
            device=settings.device,
            settings=QUICK if settings.quick else (),
            resume=True,
            tracker=tracker,
        )
    tell(f"{run.name}: done")
