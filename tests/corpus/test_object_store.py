"""Inputs and outputs in an object store, tried on a local S3 server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpora
import pytest

from npn.corpus import track_corpus
from npn.corpus.sharding.storage import RemoteStorage

pytestmark = pytest.mark.slow
server = pytest.importorskip("moto.server")
fs = pytest.importorskip("pyarrow.fs")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty bucket."""
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
    from npn.errors import NpnError

    with pytest.raises(NpnError, match="s3://nowhere/recipes"):
        track_corpus(["s3://nowhere/recipes"], str(tmp_path / "out"), corpora.options())
