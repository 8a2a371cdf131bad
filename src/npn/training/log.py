"""What a run says: a line of JSON an epoch, TensorBoard where it is switched on, and one line on
the terminal with the time left."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
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


SHOWN_EVERY = 0.5  # seconds


class EpochReport:
    """What is said of an epoch of a phase that has so many `epochs`, from its `step` on: records
    for the log, if there is one, and a line for each on standard error, unless `quiet`. A terminal
    also shows how far the epoch is. `words` are those read and written so far."""

    def __init__(
        self,
        log: Log | None,
        phase: str,
        epoch: int,
        epochs: int,
        rate: float,
        step: int,
        *,
        quiet: bool,
    ) -> None:
        self.title = phase if epochs == 1 else f"{phase} epoch {epoch}"
        self.words = 0
        self._log, self._quiet = log, quiet
        self._live = sys.stderr.isatty() and not quiet
        self._record = {"phase": phase, "epoch": epoch, "learning_rate": rate}
        self._first, self._begun = step, time.monotonic()
        self._shown = self._trained = self._begun

    def show(self, step: int, steps: int, loss: Callable[[], float]) -> None:
        """Show how far the epoch is, if there is a terminal and it was not shown just now. `loss`
        is asked only then: it waits for the device."""
        now = time.monotonic()
        if not self._live or now - self._shown <= SHOWN_EVERY:
            return
        self._shown = now
        pace = (now - self._begun) / (step - self._first)
        left = int(pace * (steps - step))
        sys.stderr.write(
            f"\r\x1b[K{self.title}  {step}/{steps}  loss {loss():.3f}  {1 / pace:.1f} steps/s  "
            f"{left // 60}:{left % 60:02d} left in this epoch"
        )
        sys.stderr.flush()

    def stop_clock(self) -> None:
        """What comes after this is no training."""
        self._trained = time.monotonic()

    def pause(self, step: int, steps: int, trained: Mapping[str, float]) -> int:
        """Report on the steps since the last pause; returns how many lines the log has now."""
        line = f"step {step} of {steps}, loss {trained['all']:.4f}"
        return self._report(line, trained, {}, step=step)

    def end(self, trained: Mapping[str, float], judged: Mapping[str, float], *, best: bool) -> int:
        """The same for the whole epoch."""
        parts = [f"loss {trained['all']:.4f}"]
        if judged:
            parts.append(f"development {judged['all']:.4f}{' best' if best else ''}")
        parts += [
            f"{name.removesuffix('_f1')} F1 {value:.3f}"
            for name, value in judged.items()
            if name.endswith("_f1")
        ]
        parts.append(f"{time.monotonic() - self._begun:.1f} s")
        return self._report(", ".join(parts), trained, judged)

    def _report(
        self, line: str, trained: Mapping[str, float], judged: Mapping[str, float], **more: int
    ) -> int:
        if not self._quiet:
            clear = "\r\x1b[K" if self._live else ""
            print(f"{clear}{self.title}: {line}", file=sys.stderr, flush=True)
        if self._log is None:
            return 0
        self._log.write(
            {
                **self._record,
                **{f"train_{loss}": value for loss, value in trained.items()},
                **{f"development_{loss}": value for loss, value in judged.items()},
                "seconds": round(time.monotonic() - self._begun, 3),
                "words_per_second": round(self.words / max(self._trained - self._begun, 1e-9)),
                **more,
            }
        )
        return self._log.lines
