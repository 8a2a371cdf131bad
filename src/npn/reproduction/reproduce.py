"""The whole chain: prepare, train what is missing, let each run say what it says of the gold, and
write the report. Whatever is there already is left alone, so a chain that was stopped goes on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.gold import read_gold
from npn.reproduction.blocks import Block, Heading, Paragraph, to_html, to_markdown
from npn.reproduction.encode import prepared_vocabulary, read_golds
from npn.reproduction.encoded_gold import write_encoded
from npn.reproduction.figures import draw
from npn.reproduction.gold_text import encode_gold
from npn.reproduction.report import TITLE, write
from npn.reproduction.results import Results, Runs, collect
from npn.reproduction.rows import STRING_MATCH, Wanted, wanted_runs
from npn.reproduction.runs import make
from npn.reproduction.said import SAID
from npn.reproduction.string_match import relabel
from npn.reproduction.worker import Plan, make_run, pretraining_of
from npn.runtime.tensor_file import write_bytes
from npn.training.assembly import Shares
from npn.training.prepare import PrepareOptions, prepare

EXAMPLES = Path(__file__).parent / "examples.jsonl"
PAPER_RECIPES = 65_816
EPOCHS = 20  # that a run takes until nothing improves, pretraining included; measured
# Seconds a recipe, measured: labelling; and an epoch of the full model, on a core or on a GPU.
PREPARE, TRAIN = 0.012, {"cpu": 0.02, "cuda": 0.0003}
HANDFUL = 100  # recipes of a quick chain
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """`work` holds the prepared data and the runs; `out` is for the report. A `quick` chain uses a
    handful of recipes for a look at every part, not at numbers that mean anything."""

    corpora: tuple[Path, ...]
    gold: Path
    work: Path
    out: Path
    device: str = "cpu"
    jobs: int = 1
    seeds: int = 3
    quick: bool = False
    remarks: Path | None = None

    @property
    def training(self) -> tuple[str, ...]:
        """What differs from the experiments as they ship."""
        if not self.quick:
            return ()
        return ("training.epochs=1", "training.pretrain_epochs=1", "training.batch_size=8")


def reproduce(settings: Settings, tell: Tell, command: str) -> Path:
    """Write the report; the Markdown file."""
    golds = read_golds(settings.gold)
    wanted = wanted_runs(1 if settings.quick else settings.seeds)
    runs = settings.work / "runs"
    missing = [run for run in wanted if not (runs / run.folder / SAID).is_file()]
    tell(_estimate(settings, missing))
    data = settings.work / "prepared"
    if missing and not (data / "manifest.json").is_file():
        _prepare(settings, data, tell)
    if missing:
        encoded = encode_gold(golds, prepared_vocabulary(data))
        write_encoded(settings.work / "gold.safetensors", encoded)
        _train(settings, missing, data, tell)
    results = collect(Runs(runs, golds), read_gold(EXAMPLES), tell, _skipgram(data))
    return publish(results, settings.out, command, read_remarks(settings.remarks))


def publish(results: Results, out: Path, command: str, remarks: Sequence[Block] = ()) -> Path:
    """Numbers, figures and the report, in Markdown and as one page."""
    out.mkdir(parents=True, exist_ok=True)
    figures = draw(results)
    for name, svg in figures.items():
        write_bytes(out / name, f"{svg}\n".encode())
    blocks = write(results, figures, command, remarks)
    numbers = json.dumps(_rounded(results.to_dict()), indent=1, allow_nan=False)
    write_bytes(out / "numbers.json", f"{numbers}\n".encode())
    write_bytes(out / "report.html", to_html(TITLE, blocks).encode())
    write_bytes(out / "report.md", to_markdown(blocks).encode())
    return out / "report.md"


def read_remarks(path: Path | None) -> list[Block]:
    """Paragraphs and headings (#) of a text that a person wrote about the results."""
    if path is None:
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    blocks: list[Block] = []
    for part in filter(None, (part.strip() for part in text.split("\n\n"))):
        marks = len(part) - len(part.lstrip("#"))
        blocks.append(
            Heading(marks, part[marks:].strip()) if marks else Paragraph(" ".join(part.split()))
        )
    return blocks


def _estimate(settings: Settings, missing: Sequence[Wanted]) -> str:
    if not missing:
        return "every run is there: writing the report takes a minute or two"
    if settings.quick:
        return f"{len(missing)} small runs and a report of their numbers: about a minute"
    recipes = min(_count(settings.corpora), PAPER_RECIPES)
    device = settings.device.partition(":")[0]
    seconds = recipes * PREPARE
    pace = TRAIN.get(device, TRAIN["cpu"])
    seconds += len(missing) * recipes * EPOCHS * pace / max(settings.jobs, 1)
    return (
        f"{len(missing)} runs on up to {recipes:,} recipes each, {settings.jobs} at a time on "
        f"{settings.device}: about {_spell(seconds)}; what is done stays done if it is stopped"
    )


def _spell(seconds: float) -> str:
    if seconds < 5400:
        return f"{max(seconds / 60, 1):.0f} minutes"
    return f"{seconds / 3600:.0f} hours" if seconds < 172_800 else f"{seconds / 86_400:.0f} days"


def _count(corpora: Sequence[Path]) -> int:
    """Recipes, as far as a line is one."""
    lines = 0
    for path in corpora:
        try:
            with _open(path) as file:
                lines += sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
        except (OSError, EOFError) as error:
            raise NpnError(f"{path} cannot be read: {error}") from error
    return lines


class _Watcher:
    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def stage(self, name: str) -> None:
        self._tell(f"preparing: {name.lower()}")

    def advance(self, recipes: int) -> None:
        pass

    def note(self, message: str) -> None:
        pass


def _prepare(settings: Settings, data: Path, tell: Tell) -> None:
    if not settings.corpora:
        raise NpnError("runs are missing and there is no corpus to train them on: name --corpus")
    corpora: Sequence[Path] = settings.corpora
    shares, jobs = Shares(0.01, 0.01, 0, PAPER_RECIPES), settings.jobs
    if settings.quick:
        corpora, shares, jobs = [_handful(settings)], Shares(0.2, 0.2), 1
    prepare(corpora, data, PrepareOptions(shares), _Watcher(tell), processes=jobs)


def _handful(settings: Settings) -> Path:
    """The first recipes of the first corpus, which holds one a line."""
    settings.work.mkdir(parents=True, exist_ok=True)
    with _open(settings.corpora[0]) as file:
        lines = list(islice(file, HANDFUL))
    write_bytes(settings.work / "handful.jsonl", b"".join(lines))
    return settings.work / "handful.jsonl"


def _open(corpus: Path) -> IO[bytes] | gzip.GzipFile:
    return gzip.open(corpus) if corpus.suffix == ".gz" else corpus.open("rb")


def _train(settings: Settings, missing: Sequence[Wanted], data: Path, tell: Tell) -> None:
    plan = Plan(
        data,
        settings.work / "gold.safetensors",
        settings.work / "runs",
        settings.device,
        settings.training,
        relabel(data, settings.work / STRING_MATCH),
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


def _skipgram(data: Path) -> Any:
    path = data / "embeddings.safetensors"
    if not path.is_file():
        return None
    from safetensors.numpy import load_file

    return load_file(path)["actions"].astype(np.float64)


def _rounded(value: Any) -> Any:
    """For people and version control: six digits, and no number that is none."""
    if isinstance(value, float):
        return round(value, 6) if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value
