"""How far a corpus is: one line that is written over on a terminal, and now and then a line
elsewhere, so that a log stays short."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from npn.corpus.sharding.folder import Record
from npn.formats.writing.wording import plain

ON_A_TERMINAL, IN_A_LOG = 0.2, 30.0  # seconds between two lines
LISTED = 5  # refusals told one by one; the rest are counted


class CorpusScreen:
    """Told of each shard (`track_corpus`), it says the rate, the time left and the refusals. Time
    is what `clock` says."""

    def __init__(self, out: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.out = out
        self.clock = clock
        self.terminal = out is not None and out.isatty()
        self.began = self.last = clock()
        self.recipes = self.fresh = self.refused = self.listed = 0
        self.progress = self.kept_progress = 0.0

    def __enter__(self) -> CorpusScreen:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")
        if self.refused > self.listed:
            self._line(f"npn: {self.refused - self.listed:,} more refused")

    def shard(self, record: Record, progress: float, kept: bool) -> None:
        self.recipes += record["recipes"]
        self.refused += sum(record["refused"].values())
        self.progress = max(self.progress, progress)
        if kept:
            self.kept_progress = max(self.kept_progress, progress)
        else:
            self.fresh += record["recipes"]
        for what, path, where, why in record["refusals"]:
            self._tell(what, path, where, why)
        now = self.clock()
        if now - self.last >= (ON_A_TERMINAL if self.terminal else IN_A_LOG):
            self.last = now
            self._write(self.line(now)) if self.terminal else self._line(f"npn: {self.line(now)}")

    def line(self, now: float) -> str:
        """What there is to say at a moment."""
        seconds = max(now - self.began, 1e-9)
        line = (
            f"{self.recipes:,} recipes, {self.fresh / seconds:,.0f} a second, {self.progress:.0%}"
        )
        new = self.progress - self.kept_progress
        if new > 0:
            line += f", {_time((1 - self.progress) / new * seconds)} left"
        return line + (f", {self.refused:,} refused" if self.refused else "")

    def _tell(self, what: str, path: str, where: str, why: str) -> None:
        if self.listed >= LISTED and what == "recipe":
            return
        self.listed += 1
        place = f"{path}, {where}" if where else path
        self._line(f"npn: {why if place in why else f'{place}: {why}'}")

    def _line(self, text: str) -> None:
        self._write("")
        if self.out is not None:
            self.out.write(f"{plain(text)}\n")
            self.out.flush()

    def _write(self, text: str) -> None:
        if self.out is not None and self.terminal:
            self.out.write(f"\r\x1b[K{text}")
            self.out.flush()


def _time(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}"
