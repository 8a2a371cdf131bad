"""What the server refuses, always in one sentence."""

from __future__ import annotations

import random

import pytest
from fastapi.testclient import TestClient

from npn.web.app import create_app
from npn.web.worker_pool import ServerLimits

JOBS = ("track", "view", "next", "explain", "ask", "write", "compare", "correct", "labels")
FUZZED = 200


def test_a_body_too_large_is_refused(client: TestClient) -> None:
    answer = client.post("/api/track", content=b"x" * 2_000_001)
    assert answer.status_code == 413
    assert "2 MB" in answer.json()["error"]


def test_a_body_of_unknown_length_is_counted_as_it_comes(client: TestClient) -> None:
    answer = client.post("/api/track", content=(b"x" * 100_000 for _ in range(30)))
    assert answer.status_code == 413


def test_more_steps_than_a_recipe_has_are_refused(client: TestClient) -> None:
    recipe = {"title": "", "ingredients": ["salt"], "steps": ["Stir."] * 5_001}
    answer = client.post("/api/track", json={"recipe": recipe})
    assert answer.status_code == 422
    assert "5,001" in answer.json()["error"]


def test_what_is_too_large_to_look_at_is_refused(client: TestClient) -> None:
    recipe = {"title": "", "ingredients": ["salt"] * 100, "steps": ["Stir."] * 100}
    assert client.post("/api/view", json={"recipe": recipe}).status_code == 422


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil", ""])
def test_another_name_is_not_answered_to(client: TestClient, host: str) -> None:
    assert client.get("/api/formats", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8383", "127.0.0.1", "[::1]:8383", "192.168.0.7:80"])
def test_names_and_addresses_of_this_machine_are(client: TestClient, host: str) -> None:
    assert client.get("/docs", headers={"host": host}).status_code == 200


def test_pages_from_elsewhere_are_kept_out(client: TestClient, pancakes: str) -> None:
    away = {"origin": "https://evil.example"}
    answer = client.post("/api/track", content=pancakes, headers=away)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    here = client.post("/api/track", content=pancakes, headers={"origin": "http://localhost"})
    assert here.status_code == 200


def test_pages_that_were_named_are_let_in(client: TestClient, pancakes: str) -> None:
    friend = {"origin": "https://friend.example"}
    answer = client.post("/api/track", content=pancakes, headers=friend)
    assert answer.headers["access-control-allow-origin"] == "https://friend.example"
    assert client.options("/api/track", headers=friend).status_code == 204


def test_every_answer_forbids_what_is_not_ours(client: TestClient) -> None:
    for address in ("/", "/static/app.js", "/api/formats", "/nowhere"):
        headers = client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in headers


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/nowhere"])
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_a_method_that_an_address_does_not_take_is_refused(client: TestClient) -> None:
    assert client.get("/api/track").status_code == 405


def test_what_takes_too_long_is_given_up_and_the_next_is_served(pancakes: str) -> None:
    app = create_app(ServerLimits(workers=1, seconds=0.0), "weak-labels")
    with TestClient(app, base_url="http://localhost") as client:
        for _ in range(2):
            answer = client.post("/api/track", content=pancakes)
            assert answer.status_code == 503
            assert "longer than 0 seconds" in answer.json()["error"]
            assert answer.headers["retry-after"]


def test_a_full_queue_says_so(pancakes: str) -> None:
    app = create_app(ServerLimits(workers=1, queue=0), "weak-labels")
    with TestClient(app, base_url="http://localhost") as client:
        answer = client.post("/api/track", content=pancakes)
        assert answer.status_code == 503
        assert "waiting" in answer.json()["error"]


@pytest.mark.parametrize("seed", range(4))
def test_no_body_is_a_fault(client: TestClient, pancakes: str, seed: int) -> None:
    chance = random.Random(seed)
    trace = client.post("/api/track", content=pancakes).text
    for _ in range(FUZZED // 4):
        job = chance.choice(JOBS)
        body = _spoilt(chance, pancakes, trace)
        kind = chance.choice(["application/json", "text/plain", ""])
        parameters = {"to": "json", "question": "where is the egg", "which": chance.choice("0159")}
        answer = client.post(
            f"/api/{job}", params=parameters, content=body, headers={"content-type": kind}
        )
        assert answer.status_code in (200, 422), (job, kind, body, answer.text)
        if answer.status_code == 422:
            error = answer.json()["error"]
            assert error
            assert "Traceback" not in error


def _spoilt(chance: random.Random, text: str, trace: str) -> bytes:
    """A recipe, a trace, or a wrapping, cut, doubled, swapped or sprinkled with noise."""
    wrapped = f'{{"trace": {trace}, "before": {trace}, "corrections": [], "question": "where"}}'
    data = bytearray(chance.choice([text, trace, wrapped, '{"text": 1}', "[[[[", ""]).encode())
    for _ in range(chance.randint(0, 6)):
        at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        change = chance.choice(["cut", "double", "noise", "number"])
        if change == "cut":
            del data[at : min(end, at + 200)]
        elif change == "double":
            data[at:at] = data[at : min(end, at + 200)]
        elif change == "noise":
            data[at:at] = chance.randbytes(chance.randint(1, 8))
        else:
            data[at : at + 1] = chance.choice([b"-1", b"1e999", b"null", b'"', b"{", b"\x00"])
    return bytes(data)
