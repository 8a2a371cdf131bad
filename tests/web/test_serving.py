"""`npn serve` as a program."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser import serving

from npn.commands.serve import _open_browser

pytest.importorskip("uvicorn", reason="the server needs pip install 'npn[web]'")


def request(pancakes: str) -> tuple[bytes, bytes]:
    """The head and the body of a request."""
    body = pancakes.encode()
    head = f"POST /api/track HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode(), body


def connect(address: str) -> socket.socket:
    parts = urlsplit(address)
    assert parts.hostname
    assert parts.port
    return socket.create_connection((parts.hostname, parts.port), timeout=60)


def read_all(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def test_told_to_stop_it_finishes_what_is_under_way(pancakes: str) -> None:
    head, body = request(pancakes)
    with serving("--model", "weak-labels", "--workers", "1") as (process, address):
        with connect(address) as early, connect(address) as other:
            early.sendall(head + body[:100])
            other.sendall(head + body)
            assert read_all(other).startswith(b"HTTP/1.1 200")
            process.terminate()
            early.sendall(body[100:])
            assert read_all(early).startswith(b"HTTP/1.1 200")
        process.wait(timeout=60)
        with pytest.raises(ConnectionError):
            connect(address)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
def test_a_terminal_that_hangs_up_ends_it_as_one_asks_it_to(pancakes: str) -> None:
    head, body = request(pancakes)
    with serving("--model", "weak-labels", "--workers", "1") as (process, address):
        with connect(address) as early, connect(address) as other:
            early.sendall(head + body[:100])
            other.sendall(head + body)
            assert read_all(other).startswith(b"HTTP/1.1 200")
            process.send_signal(signal.SIGHUP)
            early.sendall(body[100:])
            assert read_all(early).startswith(b"HTTP/1.1 200")
        assert process.wait(timeout=60) == 128 + signal.SIGHUP


def test_it_listens_to_this_machine_alone() -> None:
    with serving("--workers", "1") as (_, address):
        assert address.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "no.such.name.invalid"], "no address of this machine"),
        (["--model", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(options: list[str], words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "npn", "serve", "--port", "0", "--no-browser", *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "npn", "serve", "--port", port, "--no-browser"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert port in done.stderr


def test_nothing_that_is_sent_is_written_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where programs keep what is too large for their memory."""
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path))
    with serving("--model", "weak-labels", "--workers", "1") as (_, address):
        sent = urllib.request.Request(f"{address}api/track", b"egg\n" * 400_000)
        with pytest.raises(urllib.error.HTTPError, match="422"):
            urllib.request.urlopen(sent)
        assert list(tmp_path.iterdir()) == []


def test_the_page_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    _open_browser("http://127.0.0.1:8383/")
    assert not opened
    monkeypatch.setenv("DISPLAY", ":0")
    _open_browser("http://127.0.0.1:8383/")
    assert opened == ["http://127.0.0.1:8383/"]
