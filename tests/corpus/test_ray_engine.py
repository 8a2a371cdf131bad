"""On a Ray cluster nothing is lost and nothing comes twice, also when a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
import pytest

from npn.corpus import ray_engine, track_corpus

pytestmark = pytest.mark.slow
ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Two workers and a reader. Each worker sees the sources that these tests see."""
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


@pytest.fixture
def local(tmp_path: Path) -> tuple[str, dict[str, bytes]]:
    """A corpus, and what local processes make of it."""
    path = corpora.write_lines(tmp_path / "in.jsonl", 120)
    track_corpus([path], str(tmp_path / "local"), corpora.options())
    return path, corpora.files(tmp_path / "local")


def test_ray_makes_the_same_bytes(
    cluster: None, tmp_path: Path, local: tuple[str, dict[str, bytes]]
) -> None:
    path, wanted = local
    options = corpora.options(engine="ray", processes=2)
    summary = track_corpus([path], str(tmp_path / "out"), options)
    assert (summary.recipes, summary.shards) == (120, 24)
    assert corpora.files(tmp_path / "out") == wanted
    assert track_corpus([path], str(tmp_path / "out"), options).kept == 24
    assert corpora.files(tmp_path / "out") == wanted


def test_a_worker_killed_in_the_middle_loses_nothing(
    cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 12_000)
    track_corpus([path], str(tmp_path / "local"), corpora.options(recipes=200))
    killed: list[int] = []
    workers: list[int] = []
    events = ray_engine._events

    def killing(rows: Any) -> Iterator[Any]:
        def seen() -> Iterator[Any]:
            for row in rows:
                if row["kind"] == "shard":
                    workers.append(row["worker"])
                    if not killed:
                        killed.append(row["worker"])
                        os.kill(row["worker"], signal.SIGKILL)
                yield row

        yield from events(seen())

    monkeypatch.setattr(ray_engine, "_events", killing)
    options = corpora.options(engine="ray", processes=2, recipes=200)
    summary = track_corpus([path], str(tmp_path / "out"), options)
    assert len(workers) == summary.shards == 60
    assert len(set(workers)) == 3, "the one that was killed was started anew and went on"
    assert corpora.files(tmp_path / "out") == corpora.files(tmp_path / "local")
