"""Whatever a server does wrong is one sentence, exit status 2, and nothing is changed."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Iterator
from copy import deepcopy
from http.server import ThreadingHTTPServer
from pathlib import Path
from shutil import which

import pytest
from libraries import mealie_library, tandoor_library
from stand_in import (
    TOKEN,
    Fault,
    Handler,
    StandIn,
    answers_a_page,
    answers_broken_json,
    answers_other_json,
    fails,
    forbids,
    hangs,
    hangs_up,
    redirects,
    running,
    vanishes,
)

from npn.cli import run
from npn.formats.http_request import RequestLimits
from npn.linking import manager
from npn.linking.library import MOST_REFUSED

FAULTS = {
    "500": (fails, "failed (500 at"),
    "a page": (answers_a_page, "answers with a page instead of data"),
    "broken JSON": (answers_broken_json, "answers with a page instead of data"),
    "a redirect": (redirects, "redirects to https://login.example.org: give the address"),
    "silence": (hangs, "did not answer within"),
    "half an answer": (vanishes, "broke off in the middle of its answer"),
    "no answer": (hangs_up, "broke off"),
}


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEALIE_TOKEN", TOKEN)
    monkeypatch.setenv("TANDOOR_TOKEN", TOKEN)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(manager, "LIMITS", RequestLimits(size=1 << 20))


@pytest.fixture(params=["mealie", "tandoor"])
def server(request: pytest.FixtureRequest) -> Iterator[StandIn]:
    library = mealie_library() if request.param == "mealie" else tandoor_library()
    with running(StandIn(request.param, library)) as stand_in:
        yield stand_in


def link(server: StandIn, *options: str) -> int:
    return run(["link", server.kind, "--url", server.url, "--model", "weak-labels", *options])


def one_sentence(capsys: pytest.CaptureFixture[str]) -> str:
    told = capsys.readouterr().err
    assert told.startswith("npn: ")
    assert told.count("\n") == 1
    assert TOKEN not in told
    return told


@pytest.fixture(params=FAULTS.values(), ids=list(FAULTS))
def failure(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Fault, str]:
    """A fault and the sentence about it. Where it is silence, we do not wait long; whatever else is
    asked in the same test gets so much time, too, on a busy machine."""
    fault, sentence = request.param
    if fault is hangs:
        monkeypatch.setattr(manager, "LIMITS", RequestLimits(silence=1.5))
    return fault, sentence


def test_a_list_that_cannot_be_had(
    server: StandIn, failure: tuple[Fault, str], capsys: pytest.CaptureFixture[str]
) -> None:
    fault, sentence = failure
    server.faults["GET", server.base] = fault
    assert link(server, "--yes") == 2
    assert sentence in one_sentence(capsys)
    assert not server.patches()
    assert not list(Path().iterdir())


def test_a_change_that_fails(
    server: StandIn, failure: tuple[Fault, str], capsys: pytest.CaptureFixture[str]
) -> None:
    fault, sentence = failure
    before = deepcopy(server.recipes)
    server.faults["PATCH", server.path(next(iter(server.recipes)))] = fault
    assert link(server, "--yes") == 2
    assert sentence in one_sentence(capsys)
    assert server.recipes == before
    assert len(server.patches()) == 1


def test_a_list_that_is_forbidden(server: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    server.faults["GET", server.base] = forbids
    assert link(server, "--yes") == 2
    assert "refuses the token (403" in one_sentence(capsys)
    assert not server.patches()


def test_a_token_that_may_only_read(capsys: pytest.CaptureFixture[str]) -> None:
    toast = mealie_library()["toast"]
    library = {f"toast-{n}": deepcopy(toast) for n in range(20)}
    with running(StandIn("mealie", library)) as server:
        for key in library:
            server.faults["PATCH", server.path(key)] = forbids
        assert link(server, "--yes") == 2
        assert "lets this token change no recipe" in one_sentence(capsys)
        assert len(server.patches()) == MOST_REFUSED


def test_a_list_of_another_program(server: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    server.faults["GET", server.base] = answers_other_json
    assert link(server, "--yes") == 2
    assert "in a form that is not known" in one_sentence(capsys)


def test_a_recipe_of_another_form(server: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    next(iter(server.recipes.values())).update(recipeInstructions="none", steps="none")
    assert link(server, "--yes") == 2
    assert "in a form that is not known" in one_sentence(capsys)


def test_a_wrong_token(
    server: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variable = f"{server.kind.upper()}_TOKEN"
    monkeypatch.setenv(variable, "wrong-token")
    assert link(server) == 2
    told = one_sentence(capsys)
    assert "refuses the token (401" in told
    assert variable in told
    assert "wrong-token" not in told


@pytest.mark.parametrize("token", ["", " ", "two words", "line\nbreak", "schlüssel"])
def test_a_token_that_is_none_is_not_sent(
    server: StandIn, token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variable = f"{server.kind.upper()}_TOKEN"
    monkeypatch.setenv(variable, token)
    assert link(server) == 2
    assert variable in one_sentence(capsys)
    assert not server.asked


def test_an_address_where_nothing_is(server: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    server.url += "/elsewhere"
    assert link(server) == 2
    assert "has nothing at /api/recipe" in one_sentence(capsys)


def test_a_server_that_is_not_running(capsys: pytest.CaptureFixture[str]) -> None:
    with running(StandIn("mealie", {})) as gone:
        pass
    assert link(gone) == 2
    assert "cannot be reached" in one_sentence(capsys)


def test_an_answer_that_is_too_large(server: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    def floods(handler: Handler) -> None:
        handler.send(200, b" " * (2 << 20))

    server.faults["GET", server.base] = floods
    assert link(server) == 2
    assert "sends more than 1 MB" in one_sentence(capsys)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://example.org", "begins with https:// or http://"),
        ("file:///etc/passwd", "begins with https:// or http://"),
        ("mealie.example.org", "begins with https:// or http://"),
        ("http://", "is not the address"),
        ("http://me:pass@example.org", "leave name and password out"),
        ("http://a b.org", "is not the address"),
        ("http://[::1", "is not the address"),
    ],
)
def test_addresses_that_are_none(
    url: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["link", "mealie", "--url", url]) == 2
    told = one_sentence(capsys)
    assert sentence in told
    assert "pass" not in told.replace("password", "").replace("/etc/passwd", "")


def test_a_journal_of_another_library(server: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.jsonl").write_text('{"journal": "npn link", "manager": "x", "url": "http://x"}\n')
    assert link(server, "--yes", "--journal", "other.jsonl") == 2
    assert "is not the journal of" in one_sentence(capsys)
    Path("other.jsonl").write_text("no journal\n")
    assert link(server, "--yes", "--journal", "other.jsonl") == 2
    assert "line 1: is no journal" in one_sentence(capsys)
    assert link(server, "--undo", "absent.jsonl") == 2
    assert "does not exist" in one_sentence(capsys)
    assert not server.asked


def test_a_journal_that_cannot_be_written_stops_before_the_first_change(
    server: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link(server, "--yes", "--journal", "no/such/folder/j.jsonl") == 2
    assert "cannot write" in one_sentence(capsys)
    assert not server.patches()


def test_options_that_contradict_each_other(
    server: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link(server, "--yes", "--dry-run") == 2
    assert "contradict" in one_sentence(capsys)
    assert link(server, "--only", "nothing-of-the-kind") == 2
    assert "has no recipe nothing-of-the-kind" in one_sentence(capsys)


@pytest.mark.skipif(which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_certificate_that_nobody_vouches_for_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    named = "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout"
    subprocess.run(
        [*made.split(), *named.split(), str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    stand_in = StandIn("mealie", mealie_library())
    handler = type("OwnHandler", (Handler,), {"stand_in": stand_in})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        stand_in.url = f"https://127.0.0.1:{server.server_address[1]}"
        assert link(stand_in) == 2
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert "is not to be trusted" in one_sentence(capsys)
    assert not stand_in.asked
