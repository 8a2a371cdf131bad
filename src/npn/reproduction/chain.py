"""What every chain from a corpus to a report needs."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

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


def prepare_corpora(
    settings: ChainSettings, corpora: Sequence[Path], processes: int, tell: Tell
) -> None:
    """Make the data that trackers are trained on."""
    shares = Shares(0.2, 0.2) if settings.quick else Shares(0.01, 0.01, 0, PAPER_RECIPES)
    watcher = PrintingWatcher(tell)
    prepare(corpora, settings.prepared, PrepareOptions(shares), watcher, processes=processes)


def write_pages(path: Path, blocks: Sequence[Block]) -> Path:
    """A report as `path`.html, one page, and as `path`.md."""
    write_bytes(path.with_suffix(".html"), to_html(blocks).encode())
    write_bytes(path.with_suffix(".md"), to_markdown(blocks).encode())
    return path.with_suffix(".md")


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


def spell(seconds: float) -> str:
    """About how long that is."""
    if seconds < 5400:
        minutes = max(round(seconds / 60), 1)
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    return f"{seconds / 3600:.0f} hours" if seconds < 172_800 else f"{seconds / 86_400:.0f} days"


def count_lines(corpora: Sequence[Path]) -> int:
    """Recipes, as far as a line is one."""
    return sum(1 for path in corpora for _ in corpus_lines(path))


def handful(corpus: Path, work: Path, recipes: int) -> Path:
    """A file in `work` with the first recipes of a corpus that holds one a line."""
    lines = list(islice(corpus_lines(corpus), recipes))
    work.mkdir(parents=True, exist_ok=True)
    write_bytes(work / "handful.jsonl", b"".join(lines))
    return work / "handful.jsonl"


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
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror}") from error
    return list(text_blocks(text))


def rounded(value: Any, digits: int = 6) -> Any:
    """For people and version control: so many digits, and no number that is none."""
    if isinstance(value, float):
        return round(value, digits) if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): rounded(one, digits) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one, digits) for one in value]
    return value
