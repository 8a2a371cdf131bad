"""What both chains from a corpus to a report have in common."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar

from npn.errors import NpnError
from npn.networks.common.files import write_bytes
from npn.reproduction.blocks import Block, text_blocks, to_html, to_markdown
from npn.training.data.prepare import PrepareOptions, prepare
from npn.training.data.shards import Shares
from npn.training.jobs import Tell

PAPER_RECIPES = 65_816  # that trackers are trained on
QUICK_TRACKER = ("training.epochs=1", "training.pretrain_epochs=1", "training.batch_size=8")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSettings:
    """`work` holds the prepared data and the runs; `out` is for the report. A `quick` chain uses a
    handful of recipes for a look at every part, not at numbers that mean anything."""

    handful: ClassVar[int]  # recipes of a quick chain
    corpora: tuple[Path, ...]
    work: Path
    out: Path
    device: str = "cpu"
    jobs: int = 1
    seeds: int = 3
    quick: bool = False
    remarks: Path | None = None

    @property
    def prepared(self) -> Path:
        return self.work / "prepared"

    @property
    def is_prepared(self) -> bool:
        return (self.prepared / "manifest.json").is_file()

    @property
    def processor(self) -> str:
        """What the time of a run depends on."""
        return "cuda" if self.device.startswith("cuda") else "cpu"

    def read_corpora(self) -> list[Path]:
        """The corpora; of a quick chain a file with the first recipes of one that holds one a
        line."""
        if not self.quick or not self.corpora:
            return list(self.corpora)
        lines = list(islice(corpus_lines(self.corpora[0]), self.handful))
        self.work.mkdir(parents=True, exist_ok=True)
        write_bytes(self.work / "handful.jsonl", b"".join(lines))
        return [self.work / "handful.jsonl"]


def prepare_corpora(settings: ChainSettings, corpora: Sequence[Path], tell: Tell) -> None:
    """Make the data that trackers are trained on, if they are not there."""
    if settings.is_prepared:
        return
    if not corpora:
        raise NpnError("there is no prepared data, and no corpus to prepare it from: name --corpus")
    shares = Shares(0.2, 0.2) if settings.quick else Shares(0.01, 0.01, 0, PAPER_RECIPES)
    watcher = PrintingWatcher(tell)
    options = PrepareOptions(shares)
    prepare(corpora, settings.prepared, options, watcher, processes=settings.jobs)


class PrintingWatcher:
    """Tells the stages of preparing."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def begin_part(self, name: str) -> None:
        self._tell(f"preparing: {name.lower()}")

    def advance(self, recipes: int, progress: float) -> None:
        pass

    def note(self, message: str) -> None:
        pass


def plan_line(
    settings: ChainSettings, missing: int, estimate: Callable[[int], tuple[str, float]]
) -> str:
    """What has to be done before the report can be written. `estimate` says it in words, and about
    how many seconds it takes, for a number of recipes."""
    if not missing:
        return "no run is missing: writing the report takes a few minutes"
    if settings.quick:
        return f"{missing} small runs and a report of their numbers: about a minute"
    what, seconds = estimate(sum(1 for path in settings.corpora for _ in corpus_lines(path)))
    return f"{what}: about {_spell(seconds)}; what is done stays done if it is stopped"


def _spell(seconds: float) -> str:
    if seconds < 5400:
        minutes = max(round(seconds / 60), 1)
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    return f"{seconds / 3600:.0f} hours" if seconds < 172_800 else f"{seconds / 86_400:.0f} days"


def corpus_lines(corpus: Path) -> Iterator[bytes]:
    try:
        with gzip.open(corpus) if corpus.suffix == ".gz" else corpus.open("rb") as file:
            yield from file
    except (OSError, EOFError) as error:
        raise NpnError(f"{corpus} cannot be read: {error}") from error


def read_remarks(path: Path | None) -> list[Block]:
    """Paragraphs and headings (#) of a text that a person wrote about the results."""
    if path is None:
        return []
    try:
        return list(text_blocks(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error


def write_pages(path: Path, blocks: Sequence[Block]) -> Path:
    """A report as `path`.html, one page, and as `path`.md."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path.with_suffix(".html"), to_html(blocks).encode())
    write_bytes(path.with_suffix(".md"), to_markdown(blocks).encode())
    return path.with_suffix(".md")
