"""What a fault does to `npn serve` while it answers: its rows of the table of benchmarks/faults.py.

A client asks for one recipe again and again. Every answer must be whole and the same, or none; the
server must end by itself, in at most one line, and leave no process behind; the next one answers
with the same bytes.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
RECIPE = (ROOT / "examples" / "pancakes.txt").read_bytes()
SERVE = [
    sys.executable, "-m", "npn", "serve", "--no-browser", "--workers", "2", "--model",
    "weak-labels", "--port",
]  # fmt: skip
PATIENCE = 60.0  # seconds until a server that does not end is called hanging


class Server:
    def __init__(self, port: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [*SERVE, port],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **environment},
            start_new_session=True,
            preexec_fn=_listen_to_signals,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.url = next((word for word in line.split() if word.startswith("http://")), "")

    def ask(self) -> bytes | None:
        """The answer, None where there is none; half an answer is no bytes."""
        request = urllib.request.Request(f"{self.url}api/track", RECIPE)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                body: bytes = answer.read()
                return body
        except urllib.error.HTTPError as error:
            return None if error.code == 503 else b""
        except OSError:
            return None

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its status, and what it has said."""
        self.process.send_signal(number)
        try:
            _, said = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            return -signal.SIGKILL, "hangs\nhangs"
        return self.process.returncode, said

    def left(self) -> list[str]:
        """Processes of the server that are still there."""
        until = time.monotonic() + 5
        while (found := list(_in_session(self.process.pid))) and time.monotonic() < until:
            time.sleep(0.1)
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        return [f"{len(found)} processes"] if found else []


def _listen_to_signals() -> None:
    """Also where a shell has let what it runs in the background ignore Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _in_session(leader: int) -> Iterator[int]:
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            yield int(status.parent.name)


@contextmanager
def asking(server: Server, answers: list[bytes]) -> Iterator[None]:
    """A client that asks until it is told to stop, and keeps what it is told."""
    enough = threading.Event()

    def ask() -> None:
        while not enough.is_set():
            answer = server.ask()
            if answer is None:
                time.sleep(0.05)
            else:
                answers.append(answer)

    client = threading.Thread(target=ask)
    client.start()
    try:
        yield
    finally:
        enough.set()
        client.join()


def strike_server(
    fault: str, number: int | None, whole: bytes, clock: Path, faked: dict[str, str]
) -> tuple[str, list[str], bool]:
    """How it ended, what it left that it should not have, and whether the next answers as ever.
    `number` is that of a signal, if that is the fault."""
    clock.write_text("+0")
    server = Server("0", faked if fault == "clock jumps" else {})
    answers: list[bytes] = []
    left: list[str] = []
    ended = ""
    with asking(server, answers):
        time.sleep(random.uniform(0.0, 1.5))
        if fault == "two processes":
            other = Server(server.url.rstrip("/").rpartition(":")[2], {})
            status, said = other.end()
            ended = f"done/status {status}"
            left += ["more than a line"] if len(said.strip().splitlines()) != 1 else []
        elif fault == "clock jumps":
            for jump in ("+3y", "-9y", "+0"):
                clock.write_text(jump)
                time.sleep(random.uniform(0.0, 0.5))
        status, said = server.end(number or signal.SIGTERM)
    ended = ended or ("done" if number is None else _ending(status))
    left += ["a traceback"] if "Traceback" in said else []
    left += [f"{len(said.strip().splitlines())} lines"] if said.count("\n") > 1 else []
    left += ["another answer"] if any(answer != whole for answer in answers) else []
    left += server.left()
    again = Server("0", {})
    answer = again.ask()
    again.end()
    return ended, left, answer == whole


def undisturbed_server() -> bytes:
    server = Server("0", {})
    answer = server.ask()
    server.end()
    assert answer
    return answer


def _ending(status: int) -> str:
    if status < 0:
        return signal.Signals(-status).name
    return "done" if status == 0 else f"status {status}"
