"""Random mutations of good inputs: `make fuzz SECONDS=300`.

A target draws an input from a random generator and checks what becomes of it: whatever it is, it
ends in a result or in one sentence of ours. What breaks that is kept in `corpus/`, where
test_fuzzing.py tries it for ever. Every target gets the same share of the time.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

from fuzz_calls import check_body, check_call, draw_body, draw_call
from fuzz_corpora import (
    check_corpus,
    check_gold,
    check_journal,
    draw_corpus,
    draw_gold,
    draw_journal,
)
from fuzz_files import (
    check_file,
    check_reading,
    check_trace,
    check_world,
    draw_file,
    draw_trace,
)
from fuzz_models import check_lexicon, check_model, draw_lexicon, draw_model

CORPUS = Path(__file__).parent / "corpus"
PLACE = re.compile(r"\w+\.py:\d+")
SLOWEST = 10.0  # seconds of processor time that no input of a few kilobytes may take
HANGS = 60.0  # seconds after which an input is given up
LARGEST = 400.0  # megabytes that it may add to what the process has taken
MOST_ADDRESSES = 8 << 30  # bytes: an input that takes all memory must not take others' too
MINUTE = 60.0


@dataclass(frozen=True)
class Target:
    draw: Callable[[Random], bytes]
    check: Callable[[bytes], None]


TARGETS = {
    "reading": Target(draw_file, check_reading),
    "file": Target(draw_file, check_file),
    "world": Target(draw_file, check_world),
    "corpus": Target(draw_corpus, check_corpus),
    "gold": Target(draw_gold, check_gold),
    "journal": Target(draw_journal, check_journal),
    "trace": Target(draw_trace, check_trace),
    "model": Target(draw_model, check_model),
    "lexicon": Target(draw_lexicon, check_lexicon),
    "call": Target(draw_call, check_call),
    "body": Target(draw_body, check_body),
}


def fault_of(target: str, data: bytes) -> str:
    """What is wrong with how an input ends; empty if nothing is."""
    began, before = time.process_time(), most_memory()
    try:
        with warnings.catch_warnings(), no_file_left_open():
            warnings.simplefilter("error")
            TARGETS[target].check(data)
    except (Exception, Endless) as error:  # whatever it is, it is what we look for
        frames = traceback.extract_tb(error.__traceback__)
        where = next((f for f in reversed(frames) if "npn" in f.filename), frames[-1])
        return f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"[:400]
    seconds = time.process_time() - began
    if seconds > SLOWEST:
        return f"it takes {seconds:.1f} s"
    more = most_memory() - before
    return f"it takes {more:.0f} MB more" if more > LARGEST else ""


@contextmanager
def no_file_left_open() -> Iterator[None]:
    """What Python only mutters on the way, such as a file that nobody closed, is an error here."""
    muttered: list[sys.UnraisableHookArgs] = []
    before, sys.unraisablehook = sys.unraisablehook, muttered.append
    try:
        yield
    finally:
        sys.unraisablehook = before
    for one in muttered:
        raise AssertionError(str(one.exc_value)) from one.exc_value


def most_memory() -> float:
    """Megabytes that the process has taken at most."""
    unit = 1024 if sys.platform != "darwin" else 1 << 20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


class Endless(BaseException):
    """An input has taken far more time than any may. No handler of `Exception` swallows it."""


def stop_endless_inputs() -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Endless(f"it does not end in {HANGS:.0f} s")

    signal.signal(signal.SIGVTALRM, stop)


@dataclass
class Campaign:
    """Inputs drawn from one seed, in turns, so that every target gets the same share of the
    time."""

    chance: Random
    targets: list[str]
    tried: Counter[str] = field(default_factory=Counter)
    spent: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    faults: dict[str, bytes] = field(default_factory=dict)  # by the line of code at fault

    def try_one(self) -> None:
        began = time.process_time()
        target = min(self.targets, key=self.spent.__getitem__)
        data = TARGETS[target].draw(self.chance)
        self.tried[target] += 1
        signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
        fault = fault_of(target, data)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.spent[target] += time.process_time() - began
        if fault:
            self._keep(target, data, fault)

    def _keep(self, target: str, data: bytes, fault: str) -> None:
        place = next(iter(PLACE.findall(fault)), fault)
        if place in self.faults:
            return
        self.faults[place] = data
        name = f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
        CORPUS.mkdir(exist_ok=True)
        (CORPUS / f"{name}.bin").write_bytes(data)
        print(f"{name}: {fault}", flush=True)

    def __str__(self) -> str:
        counts = ", ".join(f"{self.tried[name]:,} of {name}" for name in self.targets)
        return (
            f"{self.tried.total():,} inputs ({counts}), {len(self.faults)} faults, "
            f"{sum(self.spent.values()):,.0f} s of processor time, {most_memory():,.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--inputs", type=int, default=10**9, help="stop after so many")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--target", action="append", choices=TARGETS)
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    stop_endless_inputs()
    campaign = Campaign(Random(given.seed), given.target or list(TARGETS))
    end = time.monotonic() + given.seconds
    told = time.monotonic()
    while (now := time.monotonic()) < end and campaign.tried.total() < given.inputs:
        campaign.try_one()
        if now - told > MINUTE:
            told = now
            print(f"so far {campaign}", flush=True)
    print(f"seed {given.seed}: {campaign}")
    sys.exit(1 if campaign.faults else 0)


if __name__ == "__main__":
    main()
