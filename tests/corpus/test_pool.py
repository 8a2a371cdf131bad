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


@dataclass(frozen=True)
class Interrupted:
    """Hears Ctrl-C, as all processes of a terminal do, while it is being loaded."""

    def __reduce__(self) -> tuple[Callable[[], Square], tuple[()]]:
        return _interrupt_and_square, ()

    def start(self) -> Callable[[int], int]:
        raise AssertionError("it is another after its journey")


def _interrupt_and_square() -> Square:
    os.kill(os.getpid(), signal.SIGINT)
    return Square()


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


@linux
def test_processes_that_are_still_being_loaded_do_not_hear_ctrl_c() -> None:
    pool: Pool[int, int] = Pool(Interrupted(), 2)
    with pool:
        pids = pool.pids
        assert dict(pool.run(iter([2, 3]))) == {2: 4, 3: 9}
        assert pool.pids == pids  # none has died


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
import os
import signal
import sys
from multiprocessing import active_children
from npn.corpus import CorpusOptions, track_corpus

class Stopping:
    told = False
    def shard(self, record, progress, kept):
        if not self.told:  # from now on the processes answer nothing
            self.told = True
            for worker in active_children():
                os.kill(worker.pid, signal.SIGSTOP)
            print(*[worker.pid for worker in active_children()], flush=True)

if __name__ == "__main__":
    from npn.signals import stop_cleanly
    stop_cleanly()
    options = CorpusOptions("weak-labels", 2, recipes=5)
    track_corpus([sys.argv[1]], sys.argv[2], options, Stopping())
"""


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
        arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=_hear_ctrl_c
    ) as program:
        assert program.stdout is not None
        workers = [int(pid) for pid in program.stdout.readline().split()]
        program.send_signal(how)
        program.wait(PATIENCE)
    assert len(workers) == 2
    for worker in workers:
        if how == signal.SIGKILL:  # nobody could end them: they do so themselves
            os.kill(worker, signal.SIGCONT)
        _wait_until_gone(worker)
    from npn.corpus import CorpusOptions, track_corpus

    options = CorpusOptions("weak-labels", recipes=5)
    assert track_corpus([path], str(tmp_path / "out"), options).kept >= 1
    track_corpus([path], str(tmp_path / "whole"), options)
    assert corpora.files(tmp_path / "out") == corpora.files(tmp_path / "whole")


WAITING = """
import signal
import threading
from npn.corpus.sharding import pool
from npn.signals import stop_cleanly

class Never:
    def start(self):
        return lambda task: signal.pause()

def interrupt():
    about_to_wait.wait()
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

def wait(pipes):
    about_to_wait.set()
    return real(pipes)

if __name__ == "__main__":
    about_to_wait = threading.Event()
    real, pool.wait = pool.wait, wait
    stop_cleanly()
    threading.Thread(target=interrupt, daemon=True).start()
    with pool.Pool(Never(), 1) as workers:
        try:
            list(workers.run(iter([1])))
        except KeyboardInterrupt:
            print("heard")
"""


@linux
def test_a_signal_that_does_not_interrupt_the_waiting_is_heard(tmp_path: Path) -> None:
    """It is given to another thread, so that the system goes on waiting, as it does after a signal
    that came a moment before it began to."""
    (tmp_path / "program.py").write_text(WAITING)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=_hear_ctrl_c,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("heard\n", "")


def _hear_ctrl_c() -> None:
    """Tests in the background may have been started with it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _wait_until_gone(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    import select

    ready, _, _ = select.select([handle], [], [], PATIENCE)
    os.close(handle)
    assert ready, f"process {pid} is still there"
