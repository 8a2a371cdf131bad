"""The report counts what the shards hold, finished or not; progress is told in words."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import corpora
import pytest

from npn.cli import run
from npn.commands.corpus import CorpusScreen
from npn.corpus import track_corpus
from npn.corpus.report import bar_chart, write_report
from npn.errors import NpnError


def tracked(tmp_path: Path, count: int = 12) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_bytes(corpora.lines(count) + b"{}\n")
    track_corpus([str(path)], str(tmp_path / "out"), corpora.options(format="jsonl"))
    return tmp_path / "out"


def test_the_report_counts_what_was_tracked(tmp_path: Path) -> None:
    out = tracked(tmp_path)
    assert run(["corpus", "stats", str(out)]) == 0
    page = (out / "report" / "report.md").read_text()
    assert "| recipes | 12 |" in page
    assert "| refused: recipes | 1 |" in page
    assert "| mix | 12 |" in page
    assert "| bake | 12 |" in page
    html = (out / "report" / "report.html").read_text()
    assert html.count("<svg") == page.count("![")
    for picture in (out / "report").glob("*.svg"):
        ElementTree.fromstring(picture.read_text())


def test_an_unfinished_corpus_can_be_reported_on(tmp_path: Path) -> None:
    out = tracked(tmp_path)
    (out / "manifest.json").unlink()
    write_report(str(out), str(tmp_path / "report"))
    assert "not finished yet" in (tmp_path / "report" / "report.md").read_text()


def test_what_is_no_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="holds no tracked corpus"):
        write_report(str(tmp_path), str(tmp_path / "report"))


def test_a_manifest_of_another_version_is_refused(tmp_path: Path) -> None:
    out = tracked(tmp_path)
    (out / "manifest.json").write_text('{"format": 7}')
    with pytest.raises(NpnError, match="of another version"):
        write_report(str(out), str(tmp_path / "report"))


def test_names_from_recipes_do_no_harm_in_a_chart() -> None:
    chart = bar_chart("<b>", {"</text><script>": 2.0, "x" * 99: 1.0})
    assert "<script>" not in chart
    ElementTree.fromstring(chart)


def test_progress_tells_rate_time_left_and_refusals() -> None:
    now = [0.0]
    screen = CorpusScreen(io.StringIO(), lambda: now[0])
    nothing = {"recipe": 0, "file": 0, "shard": 0}
    now[0] = 10.0
    refused = nothing | {"recipe": 2}
    screen.shard({"recipes": 1_000, "refused": refused, "refusals": []}, 0.25, False)
    assert screen.line(10.0) == "1,000 recipes, 100 a second, 25%, 0:00:30 left, 2 refused"


def test_a_log_is_told_of_some_refusals_and_the_number_of_the_rest() -> None:
    out = io.StringIO()
    with CorpusScreen(out, lambda: 0.0) as screen:
        refused = [["recipe", "a.jsonl", f"line {n}", "it is broken"] for n in range(9)]
        counts = {"recipe": 9, "file": 0, "shard": 0}
        screen.shard({"recipes": 0, "refused": counts, "refusals": refused}, 1.0, False)
    said = out.getvalue().splitlines()
    assert said[0] == "npn: a.jsonl, line 0: it is broken"
    assert said[-1] == "npn: 4 more refused"
    assert len(said) == 6
