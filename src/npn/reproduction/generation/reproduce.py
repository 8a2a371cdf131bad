"""The whole chain of generation: prepare, train the trackers whose states are read and then the
generators, as far as they are missing, name the recipes that the report speaks of as the corpus
calls them, and write the report. What was stopped goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.language.words import words
from npn.models import load_tracker
from npn.networks.common.files import write_bytes
from npn.networks.generator.decoding import to_text
from npn.recipe import Recipe
from npn.reproduction.chain import (
    PAPER_RECIPES,
    QUICK_TRACKER,
    ChainSettings,
    PrintingWatcher,
    corpus_lines,
    count_lines,
    handful,
    prepare_corpora,
    read_remarks,
    rounded,
    spell,
    write_pages,
)
from npn.reproduction.generation.report import write
from npn.reproduction.generation.results import EXAMPLES, OUTPUTS, GenerationResults, collect
from npn.reproduction.generation.table_6 import record_examples
from npn.reproduction.rows import PAPER_LABELS, Wanted, WantedGenerator, wanted_generators
from npn.training.config import WEIGHTS
from npn.training.data.cleaning import Cleaner
from npn.training.generator.data import VOCABULARY, GenerationData
from npn.training.generator.prepare import prepare_generation
from npn.training.jobs import Tell
from npn.training.run import train

RECIPES = PAPER_RECIPES  # that generators are trained on
HANDFUL = 60  # recipes of a quick chain
LOCAL = "report-with-contexts"
# Seconds, measured: a recipe labelled and tracked; an epoch of a tracker and of a generator, a
# recipe, on a core and on a GPU.
PREPARE = 0.025
TRACKER = {"cpu": 0.02, "cuda": 0.0003}
GENERATOR = {"cpu": 0.08, "cuda": 0.0004}
EPOCHS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings(ChainSettings):
    """The trackers whose states are read lie in `work` too."""

    @property
    def data(self) -> Path:
        return self.work / "data"

    def tracker(self, wanted: WantedGenerator) -> Path | None:
        """The run whose states a generator reads."""
        tracker = wanted.row.tracker
        return self.work / "trackers" / tracker.folder if tracker else None

    def run(self, wanted: WantedGenerator) -> Path:
        return self.work / "runs" / wanted.folder


def reproduce(settings: GenerationSettings, tell: Tell, command: str) -> Path:
    """Write the report; the Markdown file."""
    wanted = wanted_generators(1 if settings.quick else settings.seeds)
    missing = [one for one in wanted if not (settings.run(one) / OUTPUTS).is_file()]
    tell(_estimate(settings, missing))
    corpora = _corpora(settings)
    if not (settings.data / VOCABULARY).is_file():
        _prepare(settings, corpora, tell)
    data = GenerationData(settings.data)
    for one in missing:
        _train(settings, one, tell)
    for one in wanted:
        run, tracker = settings.run(one), settings.tracker(one)
        at_hand = (run / WEIGHTS).is_file() and (tracker is None or tracker.is_dir())
        if at_hand and not (run / EXAMPLES).is_file():
            record_examples(run, data, tracker)
    test = data.part("test")
    results = collect(
        settings.work / "runs",
        data,
        lambda recipes: shown_names(corpora, {r: test.sentences(r) for r in recipes}),
        tell,
        settings.jobs,
    )
    return publish(results, settings, command)


def publish(results: GenerationResults, settings: GenerationSettings, command: str) -> Path:
    """Numbers and the report, in Markdown and as one page; and beside the runs the same report
    with what the recipes say, which is nobody's to publish."""
    remarks = read_remarks(settings.remarks)
    numbers = json.dumps(rounded(results.to_dict()), indent=1, allow_nan=False)
    local = write(results, _sentence, command, remarks, local=True)
    write_pages(settings.work / LOCAL, local)
    settings.out.mkdir(parents=True, exist_ok=True)
    write_bytes(settings.out / "numbers.json", f"{numbers}\n".encode())
    blocks = write(results, _sentence, command, remarks)
    return write_pages(settings.out / "report", blocks)


def _sentence(tokens: str) -> str:
    return to_text(tokens.split(" "))


def _estimate(settings: GenerationSettings, missing: Sequence[WantedGenerator]) -> str:
    if not missing:
        return "every run is there: writing the report takes a few minutes"
    if settings.quick:
        return f"{len(missing)} small runs and a report of their numbers: about a minute"
    recipes = min(count_lines(settings.corpora), PAPER_RECIPES)
    device = settings.processor
    trackers = len({one.row.tracker for one in missing} - {None})
    seconds = recipes * PREPARE + trackers * recipes * EPOCHS * TRACKER[device]
    seconds += len(missing) * min(recipes, RECIPES) * EPOCHS * GENERATOR[device]
    return (
        f"{len(missing)} generators and {trackers} trackers on {settings.device}: about "
        f"{spell(seconds)}; what is done stays done if it is stopped"
    )


def _corpora(settings: GenerationSettings) -> list[Path]:
    if settings.quick and settings.corpora:
        return [handful(settings.corpora[0], settings.work, HANDFUL)]
    return list(settings.corpora)


def _prepare(settings: GenerationSettings, corpora: Sequence[Path], tell: Tell) -> None:
    if not corpora:
        raise NpnError("there is no prepared data, and no corpus to prepare it from: name --corpus")
    if not settings.is_prepared:
        prepare_corpora(settings, corpora, settings.jobs, tell)
    tell("preparing: what the tracker says before every step")
    prepare_generation(
        corpora,
        settings.prepared,
        settings.data,
        RECIPES,
        PrintingWatcher(tell),
        load_tracker,
        processes=settings.jobs,
    )


def _train(settings: GenerationSettings, wanted: WantedGenerator, tell: Tell) -> None:
    run, tracker = settings.run(wanted), settings.tracker(wanted)
    if tracker is not None and wanted.row.tracker is not None:
        _train_tracker(settings, wanted.row.tracker, tracker, tell)
    quick = ("training.epochs=1", "training.batch=32", "training.outputs=40")
    with redirect_stdout(sys.stderr):
        train(
            wanted.row.experiment,
            settings.data,
            run,
            seed=wanted.seed,
            device=settings.device,
            settings=quick if settings.quick else (),
            resume=True,
            tracker=tracker,
        )
    tell(f"{wanted.folder}: done")


def _train_tracker(settings: GenerationSettings, wanted: Wanted, run: Path, tell: Tell) -> None:
    if (run / WEIGHTS).is_file():
        return
    labels = ["labels=paper"] if wanted.labels == PAPER_LABELS else []
    train(
        wanted.experiment,
        settings.prepared,
        run,
        seed=wanted.seed,
        device=settings.device,
        settings=[*labels, *(QUICK_TRACKER if settings.quick else ())],
        resume=True,
        quiet=True,
    )
    tell(f"tracker {wanted.folder}: done")


# -- What the corpus calls recipes: prepared data has no names.

RARE = 6  # long words that a line must hold before it is looked at closely
Sentences = list[list[str]]


def shown_names(corpora: Iterable[Path], recipes: Mapping[int, Sentences]) -> dict[int, str]:
    """For each recipe, given by its sentences as tokens, its "id" in the corpus or else its line
    ("web.jsonl.gz line 12"). One that is not there is called by its number."""
    cleaner = Cleaner()
    rare = {recipe: _long_words(sentences) for recipe, sentences in recipes.items()}
    names = {recipe: f"test recipe {recipe}" for recipe in recipes}
    for path in corpora:
        for number, encoded in enumerate(corpus_lines(path), 1):
            if not rare:
                return names
            line = encoded.decode("utf-8", "replace")
            lower = line.lower()
            likely = [one for one, words in rare.items() if all(word in lower for word in words)]
            value = _json_object(line) if likely else None
            sentences = _sentences(value, cleaner) if value else None
            for recipe in likely:
                if value and recipes[recipe] == sentences:
                    names[recipe] = str(value.get("id") or f"{path.name} line {number}")
                    del rare[recipe]
    return names


def _long_words(sentences: Sentences) -> list[str]:
    """The longest, which few lines hold all together."""
    plain = {word for tokens in sentences for word in tokens if word.isascii() and word.isalpha()}
    return sorted(plain, key=lambda word: (-len(word), word))[:RARE]


def _sentences(value: Mapping[str, Any], cleaner: Cleaner) -> Sentences | None:
    try:
        cleaned = cleaner.clean(Recipe.from_dict(value))
    except NpnError:
        return None
    return None if cleaned is None else [words(sentence) for sentence in cleaned.sentences]


def _json_object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
