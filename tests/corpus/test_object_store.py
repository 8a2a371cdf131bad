"""Inputs and outputs in an object store, tried on local servers: S3's and Google's."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import corpora
import pytest

from npn.corpus import track_corpus
from npn.corpus.sharding.storage import RemoteStorage
from npn.errors import NpnError

pytestmark = pytest.mark.slow
fs = pytest.importorskip("pyarrow.fs")


@pytest.fixture(params=["s3", "gs"])
def bucket(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty bucket."""
    store = _amazon if request.param == "s3" else _google
    yield from store(monkeypatch)


def _amazon(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = pytest.importorskip("moto.server")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    store = fs.S3FileSystem(
        endpoint_override=f"{host}:{port}", scheme="http", allow_bucket_creation=True
    )
    store.create_dir("kitchen")
    yield "s3://kitchen"
    running.stop()


def _google(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    pytest.importorskip("gcp_storage_emulator")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{port}")
    context = get_context("spawn")  # a process of its own: pyarrow opens files without letting go
    here, there = context.Pipe()
    running = context.Process(target=_serve_google, args=(there, port), daemon=True)
    running.start()
    here.recv()
    yield "gs://kitchen"
    running.kill()
    running.join()


def _serve_google(pipe: Connection, port: int) -> None:
    from gcp_storage_emulator.server import create_server

    with create_server("127.0.0.1", port, in_memory=True, default_bucket="kitchen"):
        pipe.send("ready")
        pipe.recv()


def test_a_corpus_in_a_bucket_is_tracked_into_the_bucket(tmp_path: Path, bucket: str) -> None:
    inputs = RemoteStorage(f"{bucket}/recipes")
    inputs.write("a.jsonl", corpora.lines(7))
    inputs.write("b.jsonl", corpora.lines(6, start=7))
    inputs.write("picture.png", b"\x89PNG")
    given, out = f"{bucket}/recipes", f"{bucket}/tracked"
    summary = track_corpus([given], out, corpora.options())
    assert (summary.recipes, summary.shards) == (13, 3)
    stored = RemoteStorage(out)
    assert stored.read("manifest.json") is not None
    assert stored.names("uses") == ["000000.parquet", "000001.parquet", "000002.parquet"]
    stored.delete("shards/000001.json")
    assert track_corpus([given], out, corpora.options()).kept == 2


def test_a_bucket_that_is_not_there_is_named(tmp_path: Path, bucket: str) -> None:
    nowhere = bucket.replace("kitchen", "nowhere/recipes")
    with pytest.raises(NpnError, match=nowhere):
        track_corpus([nowhere], str(tmp_path / "out"), corpora.options())


def test_a_file_is_deleted_and_missed(bucket: str) -> None:
    stored = RemoteStorage(f"{bucket}/folder")
    assert stored.names() == []
    stored.write("a/b.txt", b"one")
    assert stored.names("a") == ["b.txt"]
    assert stored.holds("a/b.txt", 3, "")
    stored.delete("a/b.txt")
    stored.delete("a/b.txt")
    assert stored.read("a/b.txt") is None
    assert not stored.holds("a/b.txt", 3, "")
