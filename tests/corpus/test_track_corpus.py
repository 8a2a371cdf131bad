"""A corpus is tracked whole, in order, and to the same bytes however it is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import corpora
import pytest

from npn.corpus import run, track_corpus
from npn.corpus.plan import Work, run_local
from npn.corpus.sharding.engine import Events
from npn.corpus.sharding.folder import MadeShard, UnfinishedError
from npn.formats import Found, read_file
from npn.models import load_tracker

parquet = pytest.importorskip("pyarrow.parquet")


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet.read_table(folder / table).to_pylist()
    return found


def test_every_recipe_is_in_the_tables_in_input_order(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 12)
    summary = track_corpus([path], str(tmp_path / "out"), corpora.options())
    found = rows(tmp_path / "out", "recipes")
    assert [row["title"] for row in found] == [f"Dish {i}" for i in range(12)]
    assert [row["place"] for row in found] == [f"line {i}" for i in range(1, 13)]
    assert {row["path"] for row in found} == {path}
    assert len({row["recipe"] for row in found}) == 12
    assert (summary.recipes, summary.shards) == (12, 3)


def test_tables_hold_what_the_trace_holds(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 1)
    track_corpus([path], str(tmp_path / "out"), corpora.options())
    [item] = [item for item in read_file(path) if isinstance(item, Found)]
    trace = load_tracker("weak-labels").track(item.recipe)
    out = tmp_path / "out"
    assert [row["text"] for row in rows(out, "ingredients")] == [i.text for i in trace.ingredients]
    assert [row["quantity"] for row in rows(out, "ingredients")] == [1.0, 0.5, 2.0]
    ends = [row["end_composition"] for row in rows(out, "ingredients")]
    assert ends == [state.get("composition") for state in trace.states]
    uses = [(row["step"], row["ingredient"]) for row in rows(out, "uses")]
    assert uses == [(n, use.ingredient) for n, s in enumerate(trace.steps) for use in s.uses]
    piles = [(row["step"], row["pile"], row["ingredient"]) for row in rows(out, "piles")]
    assert piles == [
        (number, which, portion.ingredient)
        for number, step in enumerate(trace.steps)
        for which, pile in enumerate(step.piles)
        for portion in pile.of
    ]
    changes = [(row["step"], row["type"], row["ingredient"]) for row in rows(out, "changes")]
    assert changes == [
        (number, change.type, i)
        for number, step in enumerate(trace.steps)
        for change in step.changes
        for i in change.ingredients
    ]


def test_the_number_of_processes_changes_no_byte(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 33)
    for processes in (1, 3):
        out = str(tmp_path / f"out{processes}")
        track_corpus([path], out, corpora.options(processes=processes))
    assert corpora.files(tmp_path / "out1") == corpora.files(tmp_path / "out3")


class Killed(BaseException):
    """What a test ends a run with."""


@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_stopped_run_goes_on_and_ends_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 30)
    track_corpus([path], str(tmp_path / "whole"), corpora.options())
    out = tmp_path / "out"

    class Impatient:
        seen = 0

        def shard(self, record: Any, progress: float, kept: bool) -> None:
            self.seen += 1
            if self.seen > after:
                raise Killed

    with pytest.raises(Killed):
        track_corpus([path], str(out), corpora.options(), Impatient())
    assert not (out / "manifest.json").exists()
    summary = track_corpus([path], str(out), corpora.options())
    assert summary.kept == after + 1
    assert corpora.files(out) == corpora.files(tmp_path / "whole")


def test_a_run_killed_between_two_files_of_a_shard_makes_that_shard_again(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 30)
    out = tmp_path / "out"
    track_corpus([path], str(out), corpora.options())
    whole = corpora.files(out)
    (out / "manifest.json").unlink()
    (out / "shards" / "000002.json").unlink()  # the record comes last
    (out / "uses" / "000002.parquet").unlink()
    (out / "uses" / ".000002.parquet.part").write_bytes(b"half")
    (out / "steps" / "000004.parquet").write_bytes(b"torn")
    summary = track_corpus([path], str(out), corpora.options())
    assert (summary.kept, summary.shards) == (4, 6)
    assert corpora.files(out) == whole


def test_only_what_is_new_is_tracked_when_a_file_is_added(tmp_path: Path) -> None:
    one = corpora.write_lines(tmp_path / "a.jsonl", 10)
    two = corpora.write_lines(tmp_path / "b.jsonl", 7, start=10)
    track_corpus([one], str(tmp_path / "out"), corpora.options())
    summary = track_corpus([one, two], str(tmp_path / "out"), corpora.options())
    track_corpus([one, two], str(tmp_path / "whole"), corpora.options())
    assert summary.kept == 2
    assert corpora.files(tmp_path / "out") == corpora.files(tmp_path / "whole")


def test_shards_beyond_a_shorter_input_go(tmp_path: Path) -> None:
    out = tmp_path / "out"
    path = corpora.write_lines(tmp_path / "in.jsonl", 30)
    track_corpus([path], str(out), corpora.options())
    corpora.write_lines(tmp_path / "in.jsonl", 10)
    track_corpus([path], str(out), corpora.options())
    assert len(rows(out, "recipes")) == 10


def test_a_shard_that_comes_twice_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from npn.corpus.ray_engine import _events

    files: list[dict[str, Any]] = []
    base = {"progress": 0.0, "files": files, "record": "{}"}
    made = [{"kind": "shard", "number": 0, **base}] * 2 + [{"kind": "end", "number": 1, **base}]
    shards = [event for event in _events(made) if isinstance(event, MadeShard)]
    assert len(shards) == 1


def test_a_shard_that_never_comes_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 30)

    def forgetful(work: Work) -> Events:
        for event in run_local(work):
            if not (isinstance(event, MadeShard) and event.number == 3):
                yield event

    monkeypatch.setattr(run, "_engine", lambda name: forgetful)
    with pytest.raises(UnfinishedError, match="1 of 6 shards were lost"):
        track_corpus([path], str(tmp_path / "out"), corpora.options())
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_json_lines_hold_the_traces(tmp_path: Path) -> None:
    from npn.trace import Trace

    path = corpora.write_lines(tmp_path / "in.jsonl", 6)
    track_corpus([path], str(tmp_path / "out"), corpora.options(format="jsonl"))
    text = "".join(p.read_text() for p in sorted((tmp_path / "out" / "traces").iterdir()))
    titles = [Trace.from_json(line).title for line in text.splitlines()]
    assert titles == [f"Dish {i}" for i in range(6)]


def test_half_a_surrogate_pair_is_written_as_an_escape(tmp_path: Path) -> None:
    from npn.corpus.tables import Tracked, parquet_files
    from npn.trace import Trace

    tables = parquet_files(0, [Tracked("a", "", Trace("a \ud83d b", "m", (), ()), True)], [])
    (tmp_path / "recipes.parquet").write_bytes(tables["recipes"])
    assert rows(tmp_path, "recipes.parquet")[0]["title"] == "a \\ud83d b"


def test_the_manifest_says_what_was_done(tmp_path: Path) -> None:
    path = corpora.write_lines(tmp_path / "in.jsonl", 6)
    track_corpus([path], str(tmp_path / "out"), corpora.options(model="paper"))
    said = corpora.manifest(tmp_path / "out")
    assert said["recipes"] == 6
    assert said["model"] == "paper"
    assert len(said["model hash"]) == 64
    assert said["inputs"] == [{"path": path, "bytes": len(corpora.lines(6))}]
    assert {"npn", "python", "numpy", "pyarrow"} <= said.keys()
