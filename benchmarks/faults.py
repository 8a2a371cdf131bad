"""What a fault does to a command that is at work: the table of docs/reliability.md.

    python -m benchmarks.faults
    python -m benchmarks.faults --times 20 --command track --fault kill-9

Each command runs once undisturbed. Then, for each fault, it runs `--times` times in a new folder,
and the fault strikes at a random moment. It must end in at most one line of ours and no traceback,
leave no partial file, leave what it had to write whole, as it was before, or absent; and the same
command once more must come to the very bytes of the undisturbed run.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NPN = [sys.executable, "-m", "npn"]
OURS = str(Path("src", "npn"))  # stands in every traceback that passes through our code
SMALL = [
    "network.word_size=8", "network.hidden_size=10", "network.memory_size=6",
    "training.batch_size=4", "training.epochs=2", "training.pretrain_epochs=1",
    "training.checkpoint_steps=2", "training.embeddings=random",
]  # fmt: skip
SIGNALS = {
    "kill -9": signal.SIGKILL,
    "SIGTERM": signal.SIGTERM,
    "SIGINT": signal.SIGINT,
    "SIGHUP": signal.SIGHUP,
}
FULL = "disk full"  # a limit on the size of files, which a write runs into as into the disk's end
READ_ONLY = "read-only folder"
CUT = "input cut short"
VANISH = "input vanishes"
CLOCK = "clock jumps"  # by years, back and forth, as libfaketime lets it
TWO = "two processes"
FAULTS = [*SIGNALS, FULL, READ_ONLY, CUT, VANISH, CLOCK, TWO]
OF_INPUT = (CUT, VANISH)
FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
LIMIT = 2_000  # bytes
DROP_CAPABILITY, MAY_WRITE_ANYWHERE = 24, 1  # of prctl(2): what makes a folder read-only for root


@dataclass(frozen=True)
class Command:
    """`arguments` of npn that write to a folder; `digest` is of what they are to write there, and
    empty where nothing whole stands there; `source` is what they read."""

    name: str
    arguments: Callable[[Path], list[str]]
    digest: Callable[[Path], str]
    source: Path | None = None
    between: Callable[[], None] = lambda: None  # puts back what is not in the folder
    limit: int = LIMIT  # bytes of a file where the disk is full


def commands(scratch: Path, library: Any, trained: bool) -> list[Command]:
    """What is tried. Where it is `trained`, there is prepared data and a finished run to begin
    with, which only train and export need."""
    data, run = scratch / "data", scratch / "run"
    recipes, few = (
        _write(scratch / name, count) for name, count in (("recipes.jsonl", 300), ("few.jsonl", 60))
    )
    rules = ["--model", "weak-labels"]
    training = [word for setting in SMALL for word in ("--set", setting)]
    train = ["train", "paper", "--data", str(data), "--quiet", "--resume", *training]
    prepare = ["prepare", str(few), "--development", "0.3", "--no-embeddings"]
    if trained:
        _run([*prepare, "-o", str(data)])
        _run([*train, "-o", str(run)])
    before = deepcopy(library.recipes)

    def put_back() -> None:
        library.recipes = deepcopy(before)

    return [
        Command(
            "track",
            lambda out: [
                "track", str(recipes), "--to", "json", "-o", str(out / "out.jsonl"), *rules,
            ],
            lambda out: _hash(out / "out.jsonl"),
            recipes,
        ),
        Command(
            "corpus",
            lambda out: [
                "corpus", "track", str(recipes), "-o", str(out / "tracked"), "--processes", "2",
                "--shard", "50", "--format", "jsonl", *rules,
            ],
            lambda out: _hash_all(out / "tracked"),
            recipes,
        ),
        Command(
            "prepare",
            lambda out: [*prepare, "-o", str(out / "data")],
            lambda out: _hash_all(out / "data"),
            few,
        ),
        Command(
            "train",
            lambda out: [*train, "-o", str(out / "run")],
            lambda out: _hash(out / "run" / "weights.safetensors"),
        ),
        Command(
            "export",
            lambda out: ["export", str(run), "-o", str(out / "mine.safetensors")],
            lambda out: _hash(out / "mine.safetensors"),
        ),
        Command(
            "link",
            lambda out: [
                "link", "mealie", "--url", library.url, "--yes", *rules,
                "--journal", str(out / "journal.jsonl"),
            ],
            lambda out: hashlib.sha256(json.dumps(library.recipes).encode()).hexdigest(),
            between=put_back,
            limit=200,
        ),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--command", action="append")
    parser.add_argument("--fault", action="append", choices=FAULTS)
    given = parser.parse_args()
    print("| command | fault | tried | ended | left lying about | the same bytes after that |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, _library() as library:
        scratch = Path(folder)
        scratch.chmod(0o755)
        trained = not given.command or not {"train", "export"}.isdisjoint(given.command)
        for command in commands(scratch, library, trained):
            if given.command and command.name not in given.command:
                continue
            whole, seconds = undisturbed(command, scratch)
            for fault in given.fault or FAULTS:
                if fault in OF_INPUT and command.source is None:
                    continue
                if fault == CLOCK and not FAKETIME:
                    continue
                found = [
                    strike(command, fault, scratch, whole, seconds) for _ in range(given.times)
                ]
                print(_row(command.name, fault, found), flush=True)
        if not given.command or "serve" in given.command:
            _server_rows(given.fault or FAULTS, given.times, scratch / "clock")


def _server_rows(faults: list[str], times: int, clock: Path) -> None:
    from benchmarks.server_faults import strike_server, undisturbed_server

    whole = undisturbed_server()
    for fault in faults:
        if fault in SIGNALS or fault == TWO or (fault == CLOCK and FAKETIME):
            number, faked = SIGNALS.get(fault), _faked(clock) if fault == CLOCK else {}
            found = [strike_server(fault, number, whole, clock, faked) for _ in range(times)]
            struck = [Struck(ended, tuple(left), mended) for ended, left, mended in found]
            print(_row("serve", fault, struck), flush=True)


@dataclass(frozen=True)
class Struck:
    """How a run ended, what it left that it should not have, whether a second one mended it."""

    ended: str
    left: tuple[str, ...]
    mended: bool


def undisturbed(command: Command, scratch: Path) -> tuple[str, float]:
    command.between()
    out = Path(tempfile.mkdtemp(dir=scratch))
    began = time.monotonic()
    _run(command.arguments(out))
    return command.digest(out), time.monotonic() - began


def strike(command: Command, fault: str, scratch: Path, whole: str, seconds: float) -> Struck:
    command.between()
    out = Path(tempfile.mkdtemp(dir=scratch))
    out.chmod(0o777)
    nothing = command.digest(out)
    before = command.source.read_bytes() if command.source else b""
    written = command.source.stat().st_mtime_ns if command.source else 0
    if fault == READ_ONLY:
        out.chmod(0o555)
    clock = scratch / "clock"
    clock.write_text("+0")
    first = _start(command, out, fault, clock)
    others = [_start(command, out, fault, clock)] if fault == TWO else []
    try:
        if fault in SIGNALS:
            _wait(first, random.uniform(0, seconds))
            first.send_signal(SIGNALS[fault])
        elif fault == CUT:
            _wait(first, random.uniform(0, seconds))
            assert command.source is not None
            os.truncate(command.source, len(before) // 2)
        elif fault == VANISH:
            _wait(first, random.uniform(0, seconds))
            assert command.source is not None
            command.source.unlink(missing_ok=True)
        elif fault == CLOCK:
            for jump in ("+3y", "-9y", "+0"):
                _wait(first, random.uniform(0, seconds / 3))
                clock.write_text(jump)
        said = [one.communicate(timeout=300)[1] for one in (first, *others)]
    finally:
        if command.source:
            command.source.write_bytes(before)
            os.utime(command.source, ns=(written, written))
    out.chmod(0o777)
    left = [path.name for path in out.rglob("*.part")] if fault != "kill -9" else []
    in_time = [one for one in said if "Traceback" not in one or OURS in one]
    if len(in_time) < len(said):
        left.append("Python's own traceback, before npn began")
    if any("Traceback" in one for one in in_time):
        left.append("a traceback")
    if in_time and fault not in (*OF_INPUT, TWO, "kill -9") and first.returncode:
        lines = max(len(one.strip().splitlines()) for one in in_time)
        left += [f"{lines} lines"] if lines > 1 else []
    if (
        command.name != "link"
        and fault not in OF_INPUT
        and command.digest(out) not in (nothing, whole)
    ):
        left.append("something half-written")
    again = subprocess.run([*NPN, *command.arguments(out)], capture_output=True, check=False)
    left += [f"{path.name} in the end" for path in out.rglob("*.part")]
    mended = again.returncode == 0 and command.digest(out) == whole
    ended = "/".join(_ending(one.returncode) for one in (first, *others))
    return Struck(ended, tuple(left), mended)


def _start(command: Command, out: Path, fault: str, clock: Path) -> subprocess.Popen[str]:
    def limit() -> None:
        for name, number in SIGNALS.items():
            if number != signal.SIGKILL:
                signal.signal(
                    number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
                )
        if fault == FULL:
            resource.setrlimit(resource.RLIMIT_FSIZE, (command.limit, command.limit))
        if fault == READ_ONLY:
            ctypes.CDLL(None).prctl(DROP_CAPABILITY, MAY_WRITE_ANYWHERE)

    return subprocess.Popen(
        [*NPN, *command.arguments(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **_faked(clock)} if fault == CLOCK else None,
        preexec_fn=limit,
    )


def _faked(clock: Path) -> dict[str, str]:
    """The environment of a process whose clock is what a file says."""
    return {
        "LD_PRELOAD": str(FAKETIME[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def _wait(process: subprocess.Popen[str], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def _run(arguments: list[str]) -> None:
    subprocess.run([*NPN, *arguments], check=True, capture_output=True, cwd=ROOT)


def _ending(status: int) -> str:
    if status < 0:
        return signal.Signals(-status).name
    return "done" if status == 0 else f"status {status}"


def _row(name: str, fault: str, found: list[Struck]) -> str:
    ended = Counter(one.ended for one in found)
    left = Counter(thing for one in found for thing in one.left)
    mended = sum(one.mended for one in found)
    cells = (
        name,
        fault,
        str(len(found)),
        ", ".join(f"{ending} {count}×" for ending, count in ended.most_common()),
        ", ".join(f"{thing} {count}×" for thing, count in left.most_common()) or "nothing",
        f"{mended} of {len(found)}",
    )
    return "| " + " | ".join(cells) + " |"


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _hash_all(folder: Path) -> str:
    """Of a prepared folder that is whole."""
    if not (folder / "manifest.json").is_file():
        return ""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256("".join(map(_hash, files)).encode()).hexdigest()


def _write(path: Path, count: int) -> Path:
    """Recipes that the tests draw at random."""
    sys.path[:0] = [str(ROOT / "tests")]
    from test_same_bytes import drawn_recipes

    lines = [json.dumps(recipe.to_dict()) + "\n" for recipe in drawn_recipes(count)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


@contextmanager
def _library() -> Iterator[Any]:
    """A server that stands in for Mealie, with the recipes of its tests."""
    sys.path[:0] = [str(ROOT / "tests" / "linking")]
    from libraries import mealie_library
    from stand_in import TOKEN, StandIn, running

    os.environ |= {"MEALIE_TOKEN": TOKEN, "no_proxy": "127.0.0.1"}
    with running(StandIn("mealie", mealie_library())) as server:
        yield server


if __name__ == "__main__":
    main()
