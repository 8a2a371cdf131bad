"""What goes wrong is named, the rest is done, and counts and exit status are right."""

from __future__ import annotations

import errno
import gzip
import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora
import pytest

from npn.cli import run
from npn.corpus import run as corpus_run
from npn.corpus import shard, track_corpus
from npn.corpus.plan import TrackingJob
from npn.corpus.shard import ShardTracker
from npn.corpus.sharding import engine
from npn.corpus.sharding.folder import MadeShard, UnfinishedError
from npn.corpus.sharding.pieces import Piece
from npn.corpus.sharding.pool import Died
from npn.corpus.sharding.storage import LocalStorage
from npn.errors import NpnError
from npn.networks.world.reading import MOST_PIECES
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import Tracker

pytest.importorskip("pyarrow")


def track(tmp_path: Path, *given: str | Path, **changed: Any) -> Any:
    return track_corpus(
        [str(one) for one in given], str(tmp_path / "out"), corpora.options(**changed)
    )


def refusals(tmp_path: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = corpora.manifest(tmp_path / "out")["refusals"]
    return found


def test_a_corrupt_file_in_the_middle_is_named_and_the_rest_is_done(tmp_path: Path) -> None:
    one = corpora.write_lines(tmp_path / "a.jsonl", 6)
    packed = gzip.compress(corpora.lines(2_000))
    (tmp_path / "b.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    three = corpora.write_lines(tmp_path / "c.jsonl", 6)
    given = (one, tmp_path / "b.jsonl.gz", three)
    summary = track(tmp_path, *given, model="first-mention", recipes=500)
    assert summary.refused == {"recipe": 0, "file": 1, "shard": 0}
    assert 12 < summary.recipes < 2_012
    [refused] = refusals(tmp_path)
    assert refused["path"].endswith("b.jsonl.gz")
    assert refused["place"] == f"after line {summary.recipes - 12}"
    assert "not a whole gzip file" in refused["why"]


def test_a_bad_line_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(corpora.lines(7) + b'{"title": \n' + b"\n" + corpora.lines(2))
    summary = track(tmp_path, path)
    assert (summary.recipes, summary.refused["recipe"]) == (9, 1)
    assert refusals(tmp_path)[0]["place"] == "line 8"


def test_a_recipe_beyond_a_limit_is_refused(tmp_path: Path) -> None:
    large = {"title": "All", "ingredients": ["salt"] * 5_001, "steps": ["Mix."]}
    path = tmp_path / "a.jsonl"
    path.write_bytes(corpora.lines(2) + json.dumps(large).encode() + b"\n" + corpora.lines(2))
    summary = track(tmp_path, path)
    assert (summary.recipes, summary.refused["recipe"]) == (4, 1)
    assert "more than 5,000" in refusals(tmp_path)[0]["why"]


def test_a_recipe_that_the_tracker_fails_on_does_not_take_others_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Moody(Tracker):
        name = "moody"

        def begin(self, ingredients: Any) -> Any: ...
        def sentences(self, step: str) -> list[str]:
            return [step]

        def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
            if recipe.title == "Dish 3":
                raise ZeroDivisionError("a fault")
            return Trace(recipe.title, self.name, recipe.ingredients, ())

    monkeypatch.setattr(shard, "load_tracker", lambda *_, **__: Moody())
    summary = track(tmp_path, corpora.write_lines(tmp_path / "a.jsonl", 6))
    assert (summary.recipes, summary.refused["recipe"]) == (5, 1)
    assert refusals(tmp_path)[0]["place"] == "line 4"
    assert "ZeroDivisionError: a fault" in refusals(tmp_path)[0]["why"]


def test_a_recipe_that_one_tracker_refuses_is_counted_with_its_sentence(tmp_path: Path) -> None:
    """The limits of `world` are its own: other trackers take the same recipe."""
    long = {"title": "Long", "ingredients": ["1 egg"], "steps": ["Stir the egg. " * MOST_PIECES]}
    path = tmp_path / "a.jsonl"
    path.write_bytes(corpora.lines(2) + json.dumps(long).encode() + b"\n" + corpora.lines(2))
    summary = track(tmp_path, path, model="world")
    assert (summary.recipes, summary.refused) == (4, {"recipe": 1, "file": 0, "shard": 0})
    [refused] = refusals(tmp_path)
    assert (refused["what"], refused["place"]) == ("recipe", "line 3")
    assert f"more than the {MOST_PIECES:,} words and parts of words" in refused["why"]


@dataclass(frozen=True)
class HungryJob(TrackingJob):
    """Ends, as the system ends a process that takes too much memory, over the second piece."""

    def start(self) -> Callable[[Piece], MadeShard]:
        return self._make

    def _make(self, piece: Piece) -> MadeShard:
        if piece.number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return ShardTracker(self.choice, self.format).make(piece)


def test_a_worker_out_of_memory_costs_its_shard_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corpus_run, "TrackingJob", HungryJob)
    path = corpora.write_lines(tmp_path / "a.jsonl", 12)
    words = ["--model", "mention", "--shard", "5", "--processes", "2"]
    assert run(["corpus", "track", path, "-o", str(tmp_path / "out"), *words]) == 1
    assert "7 recipes tracked in 3 shards; refused: 1 shard" in capsys.readouterr().err
    assert [(one["what"], one["place"]) for one in refusals(tmp_path)] == [
        ("shard", "lines 6 to 10")
    ]


def test_a_full_disk_is_named_and_the_run_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = corpora.write_lines(tmp_path / "a.jsonl", 30)
    write = LocalStorage.write

    def full(self: LocalStorage, name: str, data: bytes) -> None:
        if name == "uses/000003.parquet":
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, name, data)

    monkeypatch.setattr(LocalStorage, "write", full)
    with pytest.raises(UnfinishedError, match=r"cannot write to .*: No space left on device; mend"):
        track(tmp_path, path)
    monkeypatch.undo()
    assert track(tmp_path, path).kept == 3
    track_corpus([path], str(tmp_path / "whole"), corpora.options())
    assert corpora.files(tmp_path / "out") == corpora.files(tmp_path / "whole")


def test_a_folder_of_another_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "a.jsonl", 6)
    track(tmp_path, path)
    plan = tmp_path / "out" / "plan.json"
    plan.write_text(plan.read_text().replace('"format": 1', '"format": 0'))
    before = corpora.files(tmp_path / "out")
    with pytest.raises(NpnError, match=r"was begun with format 0, not 1: .* --restart"):
        track(tmp_path, path)
    assert corpora.files(tmp_path / "out") == before
    assert track(tmp_path, path, restart=True).kept == 0


def test_a_folder_of_another_model_is_refused(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "a.jsonl", 6)
    track(tmp_path, path)
    with pytest.raises(NpnError, match="was begun with model weak-labels, not first-mention"):
        track(tmp_path, path, model="first-mention")


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "a.jsonl", 6)
    with (
        LocalStorage(tmp_path / "out").in_use(),
        pytest.raises(NpnError, match="in use by another run"),
    ):
        track(tmp_path, path)
    assert track(tmp_path, path).recipes == 6


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("Dear all")
    with pytest.raises(NpnError, match="holds other files"):
        track(tmp_path, corpora.write_lines(tmp_path / "a.jsonl", 6))
    assert (tmp_path / "out" / "letter.txt").read_text() == "Dear all"


def test_the_absence_of_pyarrow_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib.metadata import PackageNotFoundError

    from npn.corpus import plan

    def absent(name: str) -> str:
        if name == "pyarrow":
            raise PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr(plan, "version", absent)
    with pytest.raises(NpnError, match=r"pip install 'npn\[corpus\]'"):
        track(tmp_path, corpora.write_lines(tmp_path / "a.jsonl", 6))


def command(tmp_path: Path, *given: str, model: str = "weak-labels") -> int:
    words = ["--model", model, "--shard", "5", "--processes", "1"]
    return run(["corpus", "track", *given, "-o", str(tmp_path / "out"), *words])


def test_the_exit_status_tells_what_was_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = corpora.write_lines(tmp_path / "a.jsonl", 6)
    assert command(tmp_path, whole) == 0
    assert "6 recipes tracked in 2 shards; nothing refused" in capsys.readouterr().err
    assert command(tmp_path, whole, str(tmp_path / "none.jsonl")) == 1
    said = capsys.readouterr().err
    assert "none.jsonl does not exist" in said
    assert "refused: 1 file" in said
    (tmp_path / "bad.jsonl").write_text("[\n")
    assert command(tmp_path, str(tmp_path / "bad.jsonl")) == 2
    assert command(tmp_path, whole, model="nobody") == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_shard_that_no_process_survives_is_named_and_tried_again_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deadly:
        """A pool whose processes die of the second piece."""

        def __init__(self, job: Any, processes: int) -> None:
            self.do = job.start()

        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...
        def run(self, pieces: Any) -> Any:
            for piece in pieces:
                yield piece, Died() if piece.number == 1 else self.do(piece)

    path = corpora.write_lines(tmp_path / "a.jsonl", 12)
    monkeypatch.setattr(engine, "Pool", Deadly)
    summary = track(tmp_path, path, processes=2)
    assert (summary.recipes, summary.refused) == (7, {"recipe": 0, "file": 0, "shard": 1})
    [refused] = refusals(tmp_path)
    assert refused["place"] == "lines 6 to 10"
    assert "ended twice from outside" in refused["why"]
    monkeypatch.undo()
    again = track(tmp_path, path, processes=2)
    assert (again.kept, again.recipes) == (2, 12)
