"""`npn track https://…`: pages from a server of our own."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from npn.cli import run
from npn.errors import NpnError
from npn.formats import Found, http_request, read_file
from npn.formats.http_request import HttpAnswer, RequestLimits, checked_address, send

PAGE = b"""<html><head><script type="application/ld+json">{"@type": "Recipe", "name": "Mint tea",
"recipeIngredient": ["1 bunch mint"], "recipeInstructions": "Rinse the mint."}</script></head>
<body>Mint tea</body></html>"""


class Pages(BaseHTTPRequestHandler):
    released: threading.Event

    def do_GET(self) -> None:
        answers: dict[str, Callable[[], None]] = {
            "/tea": lambda: self.send(200, PAGE),
            "/packed": lambda: self.send(200, gzip.compress(PAGE)),
            "/crème?q=a b": lambda: self.send(200, PAGE),
            "/moved": lambda: self.send(301, b"", "/tea"),
            "/circle": lambda: self.send(302, b"", "/circle"),
            "/to-file": lambda: self.send(302, b"", "file:///etc/hosts"),
            "/to-ftp": lambda: self.send(307, b"", "ftp://example.org/"),
            "/to-data": lambda: self.send(308, b"", "data:text/html,hello"),
            "/missing": lambda: self.send(404, b"<html>no</html>"),
            "/empty": lambda: self.send(200, b" "),
            "/large": lambda: self.send(200, b"x" * (2 << 20)),
            "/image": lambda: self.send(200, b"\x89PNG\r\n\x1a\n\0\0\0"),
            "/silent": self.wait,
            "/torn": self.tear,
            "/drops-of-headers": self.drop_header,
            "/drops-of-body": self.drop_body,
            "/flood-on-the-way": lambda: self.send(302, b"x" * (2 << 20), "/tea"),
            "/missing-and-torn": lambda: self.tear(404),
        }
        answers.get(self.path, lambda: self.send(200, PAGE))()

    def send(self, status: int, body: bytes, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def wait(self) -> None:
        self.released.wait(60)

    def drop_header(self) -> None:
        self.send_response(200)
        self.flush_headers()
        self.wait()

    def drop_body(self) -> None:
        self.tear()
        self.wait()

    def tear(self, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    released = threading.Event()
    handler = type("OwnPages", (Pages,), {"released": released})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    released.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("path", ["/tea", "/moved", "/packed", "/crème?q=a b#top"])
def test_a_page_is_read(site: str, path: str) -> None:
    (found,) = read_file(site + path)
    assert isinstance(found, Found)
    assert found.recipe.title == "Mint tea"


def test_the_command_tracks_a_page(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", f"{site}/tea", "--model", "weak-labels"]) == 0
    assert "Mint tea" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/circle", "redirects in a circle"),
        ("/to-file", "redirects to file:, which is not followed"),
        ("/to-ftp", "redirects to ftp:, which is not followed"),
        ("/to-data", "redirects to data:, which is not followed"),
        ("/missing", "the server answers 404"),
        ("/empty", "is empty"),
        ("/large", "sends more than 1 MB"),
        ("/image", "is binary, not a recipe"),
        ("/silent", "did not answer within 0.2 seconds"),
        ("/torn", "broke off in the middle"),
        ("/missing-and-torn", "broke off in the middle"),
        ("/flood-on-the-way", "sends more than 1 MB"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    site: str,
    path: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    silence = 0.2 if path == "/silent" else 60
    monkeypatch.setattr(http_request, "PAGE_LIMITS", RequestLimits(silence=silence, size=1 << 20))
    assert run(["track", site + path, "--model", "weak-labels"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert sentence in told.err


@pytest.mark.parametrize(
    "address",
    ["ftp://example.org/soup", "file:///etc/passwd", "gopher://x/", "javascript://x", "data://x"],
)
def test_no_other_scheme_is_opened(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", address, "--model", "weak-labels"]) == 2
    assert "an address begins with https:// or http://" in capsys.readouterr().err


def test_addresses_are_made_ready() -> None:
    assert checked_address("HTTP://Example.org/Crème brûlée".replace(" ", "%20")) == (
        "http://example.org/Cr%C3%A8me%20br%C3%BBl%C3%A9e"
    )
    assert checked_address("https://münchen.example/a?b=c#d") == (
        "https://xn--mnchen-3ya.example/a?b=c"
    )
    with pytest.raises(NpnError, match="leave name and password out"):
        checked_address("https://me:secret@example.org/")


def test_an_answer_that_comes_drop_by_drop_has_an_end(site: str) -> None:
    from urllib.request import Request

    limits = RequestLimits(silence=60, whole=0.2)
    for page in ("/silent", "/drops-of-headers", "/drops-of-body"):
        with pytest.raises(NpnError, match=r"takes more than 0.2 seconds for one answer"):
            send(Request(site + page), follow=False, limits=limits)


def test_a_redirect_that_is_not_followed_is_an_answer(site: str) -> None:
    from urllib.request import Request

    answer = send(Request(f"{site}/moved"), follow=False, limits=RequestLimits())
    assert isinstance(answer, HttpAnswer)
    assert (answer.status, answer.location) == (301, f"{site}/tea")
