"""On a Ray cluster nothing is lost and nothing comes twice, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora
import pytest

from npn.corpus import ray_engine, run, track_corpus
from npn.corpus.plan import TrackingJob
from npn.corpus.shard import ShardTracker
from npn.corpus.sharding.folder import MadeShard
from npn.corpus.sharding.pieces import Piece

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


@dataclass(frozen=True)
class DeadlyJob(TrackingJob):
    """Ends every process that works on piece 3."""

    def start(self) -> Callable[[Piece], MadeShard]:
        make = ShardTracker(self.choice, self.format).make

        def deadly(piece: Piece) -> MadeShard:
            if piece.number == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return make(piece)

        return deadly


def test_a_piece_that_no_worker_survives_is_given_up_and_named(
    cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 60)
    monkeypatch.setattr(run, "TrackingJob", DeadlyJob)
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers do not know it
    options = corpora.options(engine="ray", processes=2)
    summary = track_corpus([path], str(tmp_path / "out"), options)
    assert (summary.recipes, summary.refused["shard"]) == (55, 1)
    [refused] = corpora.manifest(tmp_path / "out")["refusals"]
    assert refused["place"] == "lines 16 to 20"
    assert refused["why"] == ray_engine.GIVEN_UP
    monkeypatch.undo()
    again = track_corpus([path], str(tmp_path / "out"), corpora.options())
    assert (again.kept, again.recipes) == (11, 60)
