"""All generators by all seeds at once, sharing one device, by a deadline:

    python -m npn.training.generator.all --data DIR_OR_TAR --npn RUN --entnet RUN --out RUNS
        --device cuda --seconds 450 --return DIR

Each run is a process of its own in RUNS/KIND-SEED, and one that fails does not stop the others.
With `--return`, what is worth keeping is packed there in few files.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from npn.networks.generator.config import KINDS
from npn.training.generator.sharing import sharing
from npn.training.generator.trainer import WEIGHTS

TRAINING = 0.86  # of the seconds there are; the rest is for starting, saying and packing
PACKING = 15.0  # seconds
SPOKEN = ("test.json", "development.json", "log.jsonl", "output.txt", "profile.json")
LARGEST = 15 * 2**20  # bytes of a packed file of weights


@dataclass(frozen=True, slots=True)
class Run:
    kind: str
    seed: int
    folder: Path


def runs(kinds: Sequence[str], seeds: Sequence[int], out: Path) -> list[Run]:
    return [Run(kind, seed, out / f"{kind}-{seed}") for seed in seeds for kind in kinds]


def start(
    run: Run, arguments: Sequence[str], threads: int, more: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """`more` is for the environment of the run."""
    run.folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "npn.training.generator", run.kind]
    command += ["--seed", str(run.seed), "--out", str(run.folder), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONUNBUFFERED": "1", **more}
    with (run.folder / "output.txt").open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, env=environment)


def wait(started: Sequence[tuple[Run, subprocess.Popen[bytes]]], until: float) -> int:
    """The number that failed; those that are not done at `until` (monotonic) are ended."""
    failed = 0
    for run, process in started:
        try:
            status = process.wait(max(until - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = -1
        failed += status != 0
        said = "done" if status == 0 else "ended at the deadline" if status == -1 else "failed"
        print(f"{run.folder.name}: {said}", flush=True)
    return failed


def pack(out: Path, wanted: Sequence[Run], to: Path) -> None:
    """What was said and logged in one file; weights in a few: of every run of the last kind, and of
    the first seed of the others."""
    to.mkdir(parents=True, exist_ok=True)
    with tarfile.open(to / "generation-outputs.tar.xz", "w:xz") as archive:
        for path in sorted(out.glob("*/*")):
            if path.name in SPOKEN:
                archive.add(path, f"{path.parent.name}/{path.name}")
    first = min(run.seed for run in wanted)
    kept = [run.folder / WEIGHTS for run in wanted if run.seed == first or run.kind == KINDS[-1]]
    piles: list[list[Path]] = []
    for path in filter(Path.is_file, kept):
        size = path.stat().st_size
        if not piles or sum(one.stat().st_size for one in piles[-1]) + size > LARGEST:
            piles.append([])
        piles[-1].append(path)
    for number, pile in enumerate(piles):
        with tarfile.open(to / f"generation-weights-{number}.tar", "w") as archive:
            for path in pile:
                archive.add(path, f"{path.parent.name}/{path.name}")


def unpack(data: Path, to: Path) -> Path:
    """The folder of data, which may come as an archive of one that we made."""
    if data.is_dir():
        return data
    with tarfile.open(data) as archive:
        archive.extractall(to, filter="data")
    return next(path.parent for path in to.rglob("vocabulary.json"))


def main(arguments: Sequence[str] | None = None) -> int:
    begun = time.monotonic()
    parser = argparse.ArgumentParser(
        prog="python -m npn.training.generator.all",
        description="Train all generators at once on one device. What is not listed here goes to "
        "each run: --epochs, --batch, --recipes, --most, --resume.",
    )
    parser.add_argument("--data", required=True, type=Path, help="folder, or archive of one")
    parser.add_argument("--npn", type=Path, help="run of the paper's network")
    parser.add_argument("--entnet", type=Path, help="run of the entity network")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--return", dest="packed", type=Path, help="pack results here")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=450.0, help="for everything")
    parser.add_argument("--profile", type=int, default=0, metavar="STEPS", help="alone, at first")
    given, rest = parser.parse_known_args(arguments)
    data = unpack(given.data, given.out / "data")
    wanted = runs(given.kinds, given.seeds, given.out)
    threads = max(1, (os.cpu_count() or 1) // len(wanted))
    shared = ["--data", str(data), "--device", given.device, *rest]

    def arguments_of(kind: str) -> list[str]:
        tracker = {"npn": given.npn, "entnet": given.entnet}.get(kind)
        return [*shared, *(["--tracker", str(tracker)] if tracker else [])]

    if given.profile:
        watched = Run(given.kinds[-1], given.seeds[0], given.out / "profile")
        told = [*arguments_of(watched.kind), "--profile", str(given.profile)]
        wait([(watched, start(watched, told, threads, {}))], begun + 0.15 * given.seconds)

    def go(more: Mapping[str, str]) -> int:
        left = given.seconds - (time.monotonic() - begun)
        until = ["--until", str(round(time.time() + TRAINING * left, 1))]
        started = [
            (run, start(run, [*arguments_of(run.kind), *until], threads, more)) for run in wanted
        ]
        return wait(started, begun + given.seconds - PACKING)

    with sharing(given.device) as more:
        failed = go(more)
    if more and failed == len(wanted) and time.monotonic() - begun < given.seconds / 2:
        failed = go({})  # it may have been the sharing
    if given.packed:
        pack(given.out, wanted, given.packed)
    for run in wanted:
        lines = (run.folder / "output.txt").read_text("utf-8", "replace").splitlines()
        print(run.folder.name, *lines[-3:], sep="\n  ", flush=True)
    print(f"{time.monotonic() - begun:.0f} s, {failed} of {len(wanted)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
