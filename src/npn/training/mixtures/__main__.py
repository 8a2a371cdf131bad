"""Train the mixture network and its ablations, from corpora to weights, all at once on one device,
with PyTorch, NumPy and safetensors:

python -m npn.training.mixtures untaught:0 no-memory:0 --data DIR --out RUN --device cuda
python -m npn.training.mixtures full:0 full:0:0 full:0:1 full:0:2 --data DIR --out RUN \\
    --device cuda --teacher RUN/weights-untaught-0.safetensors

The data folder holds corpus/*.jsonl.xz and gold/*.jsonl with gold/held_out.json. Each run
VARIANT:SEED writes weights-VARIANT-SEED.safetensors and folds-VARIANT-SEED.safetensors, which is
what it says of gold recipes held out from it. The full model learns from teachers that have learnt
from all gold: its folds come from runs VARIANT:SEED:FOLD of their own, whose teachers have not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from npn.errors import NpnError
from npn.language.vocabulary import Vocabulary
from npn.runtime.tensor_file import read_tensors
from npn.training.mixtures.folds import join_folds
from npn.training.mixtures.run import Run, train
from npn.training.mixtures.schedule import GOLD_STAGES, PRETRAINING
from npn.training.mixtures.silver import count_words, write_silver
from npn.training.mixtures.variants import UNTAUGHT, VARIANTS

WORDS = 8_000
FOLDS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    start = time.time()
    parser = argparse.ArgumentParser(prog="python -m npn.training.mixtures")
    parser.add_argument(
        "runs",
        nargs="*",
        default=[f"{UNTAUGHT}:0"],
        help=f"VARIANT:SEED[:FOLD]; {', '.join(VARIANTS)}",
    )
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--recipes", type=int, default=0, help="of each corpus; 0 for all")
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--epochs", type=int, default=PRETRAINING.epochs)
    parser.add_argument("--batch", type=int, default=PRETRAINING.batch)
    parser.add_argument(
        "--gold", nargs="+", default=["gold"], choices=GOLD_STAGES, help="ways, one after the other"
    )
    parser.add_argument("--gold-epochs", type=int, help="instead of each way's own")
    parser.add_argument("--folds", type=int, default=FOLDS, help="0 for no cross-validation")
    parser.add_argument("--until", type=float, help="pretrain for so many seconds from now")
    parser.add_argument("--replay", action="store_true", help="record steps on a CUDA device")
    parser.add_argument("--silver", type=Path, help="the labelled corpora, made if absent")
    parser.add_argument("--teacher", type=Path, help="weights of the run that teachers begin with")
    parser.add_argument("--label-only", action="store_true", help="make SILVER, and train nothing")
    parser.add_argument("--end", type=float, help=argparse.SUPPRESS)  # of pretraining, for a run
    given = parser.parse_args(arguments)
    check(given)
    if given.end is None and given.until is not None:
        given.end = start + given.until
    ready = given.silver and (given.silver / "vocabulary.json").exists()
    if ready and len(given.runs) == 1:
        train(Run.of(given, given.runs[0]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        silver = given.silver or Path(folder)
        if not (silver / "vocabulary.json").exists():
            prepare(given, silver)
        if given.label_only:
            return 0
        own = [*(arguments if arguments is not None else sys.argv[1:])]
        own = [one for one in own if one not in given.runs]
        own += ["--silver", str(silver), *(["--end", str(given.end)] if given.end else [])]
        failed = run_all(given.runs, own)
        join_folds(given.out, given.folds)
    for run in failed:
        print(f"{run} failed", file=sys.stderr)
    return 1 if failed else 0


def check(given: argparse.Namespace) -> None:
    """Say at once what could not be trained, and make the folder for what can."""
    for run in given.runs:
        name, *numbers = run.split(":")
        if name not in VARIANTS or len(numbers) > 2 or not all(n.isdigit() for n in numbers):
            raise NpnError(f"{run} is no run: name VARIANT:SEED[:FOLD], of {', '.join(VARIANTS)}")
    for name in ("corpus", "gold"):
        if not (given.data / name).is_dir():
            raise NpnError(f"{given.data} has no folder {name}: docs/data.md says how to make it")
    try:
        given.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NpnError(f"{given.out} cannot be a folder ({error.strerror}): name another") from None


def run_all(runs: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """Run them side by side, each in a process of its own; returns those that failed. One that
    fails while it records starts again at once, without recording."""
    plain = [one for one in arguments if one != "--replay"]
    running = {run: _start(run, arguments) for run in runs}
    again = set(runs) if len(plain) < len(arguments) else set()
    failed = []
    while running:
        time.sleep(0.2)
        for run, process in list(running.items()):
            if process.poll() is None:
                continue
            del running[run]
            if process.returncode and run in again:
                print(f"{run} failed: once more without --replay", flush=True)
                again.remove(run)
                running[run] = _start(run, plain)
            elif process.returncode:
                failed.append(run)
    return failed


def _start(run: str, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "npn.training.mixtures", run, *arguments])


def prepare(given: argparse.Namespace, silver: Path) -> None:
    start = time.perf_counter()
    paths = sorted((given.data / "corpus").glob("*.jsonl.xz"))
    if given.teacher is not None:  # who must understand the words
        vocabulary = Vocabulary.from_dict(read_tensors(given.teacher).header["vocabulary"])
    else:
        vocabulary = count_words(paths, given.words, given.processes)
    print(f"{len(vocabulary)} words, {time.perf_counter() - start:.0f} s", flush=True)
    count = write_silver(paths, vocabulary, silver, given.processes, given.recipes)
    print(f"{count} recipes labelled, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
