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
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz_calls import check_body, check_call, draw_body, draw_call
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
LARGEST = 400.0  # megabytes that it may add to what the process has taken


@dataclass(frozen=True)
class Target:
    draw: Callable[[Random], bytes]
    check: Callable[[bytes], None]


TARGETS = {
    "reading": Target(draw_file, check_reading),
    "file": Target(draw_file, check_file),
    "world": Target(draw_file, check_world),
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
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            TARGETS[target].check(data)
    except Exception as error:  # whatever it is, it is what we look for
        frames = traceback.extract_tb(error.__traceback__)
        where = next((f for f in reversed(frames) if "npn" in f.filename), frames[-1])
        return f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"[:400]
    seconds = time.process_time() - began
    if seconds > SLOWEST:
        return f"it takes {seconds:.1f} s"
    more = most_memory() - before
    return f"it takes {more:.0f} MB more" if more > LARGEST else ""


def most_memory() -> float:
    """Megabytes that the process has taken at most."""
    unit = 1024 if sys.platform != "darwin" else 1 << 20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--target", action="append", choices=TARGETS)
    given = parser.parse_args()
    chance = Random(given.seed)
    names = given.target or list(TARGETS)
    tried = dict.fromkeys(names, 0)
    spent = dict.fromkeys(names, 0.0)
    faults: dict[str, bytes] = {}
    end = time.monotonic() + given.seconds
    while (began := time.monotonic()) < end:
        name = min(names, key=spent.__getitem__)
        data = TARGETS[name].draw(chance)
        tried[name] += 1
        fault = fault_of(name, data)
        spent[name] += time.monotonic() - began
        place = PLACE.findall(fault)[:1] or [fault]
        if fault and place[0] not in faults:
            faults[place[0]] = data
            digest = hashlib.sha256(data).hexdigest()[:12]
            CORPUS.mkdir(exist_ok=True)
            (CORPUS / f"{name}-{digest}.bin").write_bytes(data)
            print(f"{name}-{digest}: {fault}", flush=True)
    counts = ", ".join(f"{count:,} of {name}" for name, count in tried.items())
    print(
        f"seed {given.seed}: {sum(tried.values()):,} inputs ({counts}), {len(faults)} faults, "
        f"{most_memory():,.0f} MB"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
