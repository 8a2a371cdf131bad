"""Processes do their tasks once, come back after a death, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import corpora
import pytest

from npn.cli import run
from npn.corpus.sharding.pool import ONE_THREAD, Died, Pool, in_order
from npn.errors import NpnError

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@dataclass(frozen=True)
class Square:
    """Squares numbers. At 13 the process ends, each time or but for the second."""

    survives: str = ""

    def start(self) -> Callable[[int], int]:
        return self._square

    def _square(self, number: int) -> int:
        if number == 13:
            if self.survives and Path(self.survives).exists():
                return 169
            if self.survives:
                Path(self.survives).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number


@dataclass(frozen=True)
class Threads:
    def start(self) -> Callable[[int], list[str | None]]:
        return lambda _: [os.environ.get(name) for name in ONE_THREAD]


@dataclass(frozen=True)
class Broken:
    def start(self) -> Callable[[int], int]:
        raise NpnError("the tracker is missing")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_every_task_is_done_once() -> None:
    pool: Pool[int, int] = Pool(Square(), 3)
    with pool:
        done = dict(pool.run(iter(range(14, 40))))
    assert done == {number: number * number for number in range(14, 40)}


def test_a_task_whose_process_dies_is_done_by_another(tmp_path: Path) -> None:
    pool: Pool[int, int] = Pool(Square(str(tmp_path / "tried")), 2)
    with pool:
        done = list(pool.run(iter(range(10, 16))))
    assert sorted(done) == [(number, number * number) for number in range(10, 16)]


def test_a_task_that_ends_every_process_is_given_up_and_the_rest_done() -> None:
    pool: Pool[int, int] = Pool(Square(), 2)
    with pool:
        done = dict(pool.run(iter(range(10, 16))))
    assert isinstance(done.pop(13), Died)
    assert done == {number: number * number for number in (10, 11, 12, 14, 15)}


def test_what_keeps_a_process_from_starting_is_said() -> None:
    pool: Pool[int, int] = Pool(Broken(), 2)
    with pool, pytest.raises(NpnError, match="the tracker is missing"):
        list(pool.run(iter([1, 2])))


def test_processes_use_one_thread_each_and_ours_is_left_alone() -> None:
    before = dict(os.environ)
    pool: Pool[int, list[str | None]] = Pool(Threads(), 1)
    with pool:
        [(_, said)] = pool.run(iter([0]))
    assert said == ["1"] * len(ONE_THREAD)
    assert dict(os.environ) == before


@linux
def test_leaving_ends_the_processes_also_in_the_middle() -> None:
    pool: Pool[int, int] = Pool(Square(), 2)
    with pool:
        pids = pool.pids
        next(pool.run(iter(range(14, 40))))
    assert not any(alive(pid) for pid in pids)


def test_tasks_are_read_one_ahead_only() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(14, 40):
            taken.append(number)
            yield number

    pool: Pool[int, int] = Pool(Square(), 2)
    with pool:
        results = pool.run(tasks())
        next(results)
        assert len(taken) <= 4


def test_results_are_put_in_order() -> None:
    assert [a for a, _ in in_order([(2, "c"), (0, "a"), (1, "b")], lambda n: n)] == [0, 1, 2]


def test_track_with_processes_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = corpora.write_lines(tmp_path / "a.jsonl", 300)
    for processes in ("1", "2"):
        words = ["track", path, "--model", "first-mention", "--to", "json"]
        out = str(tmp_path / f"{processes}.jsonl")
        assert run([*words, "--processes", processes, "-o", out]) == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert run(["track", path, "--model", "nobody", "--processes", "2"]) == 2


PATIENCE = 600  # seconds: a busy machine may give a process no time for long
PROGRAM = """
import sys
from npn.corpus import CorpusOptions, track_corpus
from npn.corpus.run import Silent

class Telling(Silent):
    def shard(self, record, progress, kept):
        print(record["shard"], flush=True)
        sys.stdin.readline()

if __name__ == "__main__":
    from npn.cli import stop_cleanly
    stop_cleanly()
    track_corpus([sys.argv[1]], sys.argv[2], CorpusOptions("weak-labels", 2, recipes=5), Telling())
"""


def children(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


@linux
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process_and_goes_on(
    tmp_path: Path, how: signal.Signals
) -> None:
    pytest.importorskip("pyarrow")
    path = corpora.write_lines(tmp_path / "in.jsonl", 60)
    (tmp_path / "program.py").write_text(PROGRAM)
    arguments = [sys.executable, str(tmp_path / "program.py"), path, str(tmp_path / "out")]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()  # a shard is done
        workers = children(program.pid)
        _end(program, how)
    for worker in workers:  # each ends by itself, and at once where the machine is free
        _wait_until_gone(worker)
    from npn.corpus import CorpusOptions, track_corpus

    options = CorpusOptions("weak-labels", recipes=5)
    assert track_corpus([path], str(tmp_path / "out"), options).kept >= 1
    track_corpus([path], str(tmp_path / "whole"), options)
    assert corpora.files(tmp_path / "out") == corpora.files(tmp_path / "whole")


def _end(program: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """Send the signal, and again if it does nothing, as a person does with Ctrl-C: Python drops an
    interrupt that comes while it collects garbage."""
    for _ in range(20):
        program.send_signal(how)
        try:
            program.wait(PATIENCE / 20)
        except subprocess.TimeoutExpired:
            continue
        return
    raise AssertionError(f"{how.name} does not end the program")


def _wait_until_gone(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    import select

    ready, _, _ = select.select([handle], [], [], PATIENCE)
    os.close(handle)
    assert ready, f"process {pid} is still there"
