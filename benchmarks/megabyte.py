"""A megabyte of anything, given to every command: seconds, and megabytes of memory.

    python -m benchmarks.megabyte
    python -m benchmarks.megabyte --command track --file bomb.zip --each

Each command gets each file of benchmarks/megabyte_files.py in a process of its own, or, for
`serve`, in a request. The table has the slowest and the largest run of every command; `--each` has
all. A run is named at the end if it ends in a traceback or without a word, or goes beyond 5 seconds
(of the processor, or of waiting) or 500 MB. Of files with many recipes, which are honest work for
seconds or minutes, a second table says when the first word came; they are stopped after
`--patience`.
"""

from __future__ import annotations

import argparse
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from operator import attrgetter
from pathlib import Path

from benchmarks.megabyte_files import FILES, MANY, write_files
from benchmarks.processes import PEAK, megabytes, processor_seconds, with_children

ROOT = Path(__file__).parent.parent
NPN = [sys.executable, "-m", "npn"]
MOST_SECONDS, MOST_MEGABYTES = 5.0, 500.0
JOBS = ("track", "view", "next", "explain", "ask", "write", "correct", "labels", "agreement")


@dataclass(frozen=True)
class Run:
    """What one run took. `first` is when the first word came; `cpu` and `wall` are seconds."""

    command: str
    file: str
    ended: str
    first: float
    cpu: float
    wall: float
    megabytes: float

    @property
    def seconds(self) -> float:
        """Without what other programs on the machine have kept it waiting for."""
        return min(self.cpu, self.wall)

    @property
    def fails(self) -> bool:
        return (
            "fault" in self.ended or self.seconds > MOST_SECONDS or self.megabytes > MOST_MEGABYTES
        )


def commands(folder: Path, url: str) -> dict[str, Callable[[Path], list[str]]]:
    """Every command of `npn --help` that reads anything, as its arguments for a file."""
    out = str(folder / "out")

    def as_lexicon(path: Path) -> Path:
        place = Path(tempfile.mkdtemp(dir=folder))
        shutil.copy(path, place / "actions.toml")
        shutil.copy(ROOT / "src/npn/rules/lexicon/end_states.toml", place)
        return place

    def as_data(path: Path) -> Path:
        place = Path(tempfile.mkdtemp(dir=folder))
        shutil.copy(path, place / "manifest.json")
        return place

    pancakes = str(ROOT / "examples" / "pancakes.txt")
    return {
        "track": lambda path: ["track", str(path)],
        "track --model weak-labels": lambda path: ["track", str(path), "--model", "weak-labels"],
        "track --model paper": lambda path: ["track", str(path), "--model", "paper"],
        "track --model FILE": lambda path: ["track", pancakes, "--model", str(path)],
        "track --lexicon": lambda path: [
            "track", pancakes, "--model", "weak-labels", "--lexicon", str(as_lexicon(path)),
        ],
        "corpus track": lambda path: [
            "corpus", "track", str(path), "-o", tempfile.mkdtemp(dir=folder), "--processes", "1",
        ],
        "corpus stats": lambda path: ["corpus", "stats", str(as_data(path)), "-o", out],
        "next": lambda path: ["next", str(path)],
        "link": lambda path: [
            "link", "mealie", "--url", f"{url}/{path.name}", "--yes", "--journal", out,
        ],
        "link --undo": lambda path: ["link", "mealie", "--url", url, "--undo", str(path), "--yes"],
        "explain": lambda path: ["explain", str(path)],
        "explain --stages": lambda path: ["explain", str(path), "--stages"],
        "lexicon check": lambda path: ["lexicon", "check", str(path)],
        "evaluate": lambda path: ["evaluate", "mention", "--gold", str(path)],
        "prepare": lambda path: [
            "prepare", str(path), "-o", tempfile.mkdtemp(dir=folder), "--no-embeddings",
            "--processes", "1",
        ],
        "train": lambda path: [
            "train", "paper", "--data", str(as_data(path)), "-o", out, "--quiet",
        ],
        "export": lambda path: ["export", str(as_data(path)), "-o", out],
        "reproduce": lambda path: [
            "reproduce", "tracking", "--corpus", str(path), "-o", tempfile.mkdtemp(dir=folder),
        ],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--command", action="append")
    parser.add_argument("--file", action="append", choices=[*FILES, *MANY])
    parser.add_argument("--each", action="store_true", help="print every run")
    parser.add_argument("--patience", type=float, default=20, help="seconds for many recipes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, answering(Path(name)) as url:
        folder = Path(name)
        known = commands(folder, url)
        chosen = given.command or [*known, "serve"]
        one, many = (
            write_files(folder, [file for file in kind if file in (given.file or kind)])
            for kind in (FILES, MANY)
        )
        runs = [run for command in chosen for run in _runs(command, known, one, 60, given.each)]
        _table(runs, chosen)
        reading = [one for one in chosen if one.partition(" ")[0] in ("track", "next", "explain")]
        if many:
            _first_words(
                [
                    run
                    for command in reading
                    if "FILE" not in command and "lexicon" not in command
                    for run in _runs(command, known, many, given.patience, given.each)
                ]
            )
    bad = [run for run in runs if run.fails]
    for run in bad:
        print(f"BEYOND: {_words(run)}")
    sys.exit(1 if bad else 0)


def _runs(
    command: str,
    known: dict[str, Callable[[Path], list[str]]],
    files: list[Path],
    patience: float,
    each: bool,
) -> Iterator[Run]:
    runs = (
        served(files)
        if command == "serve"
        else (run_alone(command, path, known[command](path), patience) for path in files)
    )
    for run in runs:
        if each:
            print(_words(run), flush=True)
        yield run


def _words(run: Run) -> str:
    times = f"first {run.first:.1f} s, {run.cpu:.1f} s of processor, {run.wall:.1f} s in all"
    return f"{run.command} {run.file}: {run.ended}, {times}, {run.megabytes:.0f} MB"


def run_alone(command: str, path: Path, arguments: list[str], patience: float) -> Run:
    """A command in a process of its own, stopped when patience is at an end."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*NPN, *arguments],
            stdout=subprocess.PIPE,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            cwd=path.parent,
            env={
                **os.environ,
                "OMP_NUM_THREADS": "1",
                "MEALIE_TOKEN": "x",
                "no_proxy": "127.0.0.1",
                "PYTHONPATH": str(ROOT / "src"),
            },
        )
        first = _drain(process, began, patience)
        stopped = time.monotonic() - began >= patience
        if stopped:
            os.kill(process.pid, signal.SIGTERM)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - began
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    ended = "stopped" if stopped else f"status {process.returncode}"
    if "Traceback" in said or process.returncode < 0 or (process.returncode and not said):
        ended = f"a fault ({process.returncode}): {said[-300:]!r}"
    cpu = usage.ru_utime + usage.ru_stime
    return Run(command, path.name, ended, first or wall, cpu, wall, usage.ru_maxrss / 1024)


def _drain(process: subprocess.Popen[bytes], began: float, patience: float) -> float:
    """Read what a process says until it ends or patience does; when its first word came."""
    assert process.stdout is not None
    first = 0.0
    while (left := began + patience - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], left)[0]:
            break
        said = os.read(process.stdout.fileno(), 1 << 16)
        if not said:
            break
        first = first or time.monotonic() - began
    return first


def served(files: list[Path]) -> Iterator[Run]:
    """Every file sent to a server, in every kind of request; the memory is that of its workers."""
    command = [*NPN, "serve", "--port", "0", "--no-browser", "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    assert server.stdout is not None
    try:
        url = next(
            word.rstrip(".,;")
            for line in server.stdout
            for word in line.split()
            if word.startswith("http://")
        )
        threading.Thread(target=server.stdout.read, daemon=True).start()
        for path in files:
            for job in JOBS:
                began = time.monotonic()
                before = processor_seconds(with_children(server.pid))
                status = _post(f"{url.rstrip('/')}/api/{job}?question=where&to=json", path)
                took = time.monotonic() - began
                ended = f"status {status}" if status not in (0, 500) else f"a fault ({status})"
                pids = with_children(server.pid)
                cpu = max(0.0, processor_seconds(pids) - before)
                peak = max(megabytes(pid, PEAK) for pid in pids)
                yield Run("serve", f"{path.name} to {job}", ended, took, cpu, took, peak)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def _post(url: str, path: Path) -> int:
    kind = "application/json" if path.suffix == ".json" else "text/plain"
    request = urllib.request.Request(url, path.read_bytes(), {"content-type": kind})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


@contextmanager
def answering(folder: Path) -> Iterator[str]:
    """A server that answers every request with the file that the address begins with."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = folder / self.path.split("/")[1].partition("?")[0]
            data = path.read_bytes() if path.is_file() else b"{}"
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def _table(runs: list[Run], chosen: list[str]) -> None:
    print("| command | files | slowest | largest |")
    print("|---|---|---|---|")
    for command in chosen:
        mine = [run for run in runs if run.command == command]
        if mine:
            slow, large = (max(mine, key=attrgetter(what)) for what in ("seconds", "megabytes"))
            print(
                f"| {command} | {len(mine)} | {slow.seconds:.1f} s ({slow.file}) "
                f"| {large.megabytes:.0f} MB ({large.file}) |",
                flush=True,
            )


def _first_words(runs: list[Run]) -> None:
    print("\n| command | many recipes in | first word | memory | all of it |")
    print("|---|---|---|---|---|")
    for run in runs:
        whole = f"{run.wall:.0f} s" if run.ended != "stopped" else f"not within {run.wall:.0f} s"
        print(
            f"| {run.command} | {run.file} | {run.first:.1f} s | {run.megabytes:.0f} MB | {whole} |"
        )


if __name__ == "__main__":
    main()
