"""What a run says: a line of JSON an epoch, TensorBoard where it is switched on, and one line on
the terminal with the time left."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.training.config import LOG


class Log:
    """`kept` is how many lines a resumed run had written when it was saved; what it wrote after
    that will be written again. None keeps all that are there."""

    def __init__(self, folder: Path, *, kept: int | None, tensorboard: bool = False) -> None:
        self._path = folder / LOG
        before = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        lines = before[:kept]
        self._path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        self.lines = len(lines)
        self._board = _tensorboard(folder) if tensorboard else None

    def write(self, record: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        self.lines += 1
        if self._board is not None:
            for name, value in record.items():
                if isinstance(value, float):
                    self._board.add_scalar(f"{record['phase']}/{name}", value, record["epoch"])

    def close(self) -> None:
        if self._board is not None:
            self._board.close()


def read_log(run: Path) -> list[dict[str, Any]]:
    """What the log of a run says: a line for each epoch."""
    try:
        lines = (run / LOG).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise NpnError(f"{run} has no log of its training: {error}") from error


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise NpnError(
            "tensorboard is not installed: install it, or set training.tensorboard to false"
        ) from error
    return SummaryWriter(str(folder / "tensorboard"))


# -- What is printed and logged of an epoch.


@dataclass(slots=True)
class EpochReport:
    """What is said of an epoch of a phase that has so many `epochs`: on the terminal, and in the
    log. `words` are those read and written so far."""

    phase: str
    epoch: int
    epochs: int
    words: int = 0
    _began: float = field(default_factory=time.monotonic)
    _training: float = 0.0  # seconds

    @property
    def title(self) -> str:
        return self.phase if self.epochs == 1 else f"{self.phase} epoch {self.epoch}"

    def stop_clock(self) -> None:
        """What comes after this is no training."""
        self._training = time.monotonic() - self._began

    def record(
        self, rate: float, trained: Mapping[str, float], judged: Mapping[str, float]
    ) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "epoch": self.epoch,
            "learning_rate": rate,
            **{f"train_{loss}": value for loss, value in trained.items()},
            **{f"development_{loss}": value for loss, value in judged.items()},
            "seconds": round(time.monotonic() - self._began, 3),
            "words_per_second": round(self.words / max(self._training, 1e-9)),
        }

    def line(self, trained: Mapping[str, float], judged: Mapping[str, float], *, best: bool) -> str:
        parts = [f"loss {trained['all']:.4f}"]
        if judged:
            parts.append(f"development {judged['all']:.4f}{' best' if best else ''}")
        parts += [
            f"{name.removesuffix('_f1')} F1 {value:.3f}"
            for name, value in judged.items()
            if name.endswith("_f1")
        ]
        return f"{self.title}: {', '.join(parts)}, {time.monotonic() - self._began:.1f} s"


SHOWN_EVERY = 0.5  # seconds


class TrainingProgress:
    """On a terminal one line that is written over while an epoch runs; anywhere, unless `quiet`,
    one for each epoch."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stderr.isatty() and not quiet

    def begin(self, step: int) -> None:
        self._begun = self._shown = time.monotonic()
        self._from = step

    def due(self) -> bool:
        return self._live and time.monotonic() - self._shown > SHOWN_EVERY

    def show(self, name: str, step: int, steps: int, loss: float) -> None:
        self._shown = time.monotonic()
        pace = (self._shown - self._begun) / max(step - self._from, 1)
        left = int(pace * (steps - step))
        sys.stderr.write(
            f"\r\x1b[K{name}  {step}/{steps}  loss {loss:.3f}  {1 / max(pace, 1e-9):.1f} steps/s  "
            f"{left // 60}:{left % 60:02d} left in this epoch"
        )
        sys.stderr.flush()

    def end(self, line: str) -> None:
        if not self._quiet:
            clear = "\r\x1b[K" if self._live else ""
            print(clear + line, file=sys.stderr, flush=True)
