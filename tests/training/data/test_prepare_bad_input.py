"""What cannot be prepared gets one sentence, and leaves nothing behind."""

from __future__ import annotations

import errno
import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from own_corpus import OWN_RECIPES, contents, own_recipes, run, write_corpus

from npn.cli import run as npn
from npn.corpus.sharding.folder import UnfinishedError
from npn.corpus.sharding.pieces import FilePart, Piece
from npn.corpus.sharding.storage import LocalStorage
from npn.training.data.prepare import label_job

NPN = [sys.executable, "-c", "from npn.cli import main; main()"]
STEPS = ["Mix the salt and the water.", "Drink it."]


def fails(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The sentence with which `npn prepare` refuses."""
    assert npn(["prepare", *map(str, arguments), "--no-embeddings", "--processes", "1"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.strip().splitlines()
    assert lines[-1].startswith("npn: ")
    assert "Traceback" not in told.err
    return lines[-1]


def test_a_missing_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = fails(capsys, tmp_path / "nowhere.jsonl", "-o", tmp_path / "out")
    assert "nowhere.jsonl does not exist" in said
    assert not (tmp_path / "out").exists()


def test_an_empty_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    said = fails(capsys, tmp_path / "empty.jsonl", "-o", tmp_path / "deep" / "out")
    assert "empty.jsonl is empty" in said
    assert not (tmp_path / "deep").exists()


def test_a_broken_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress(OWN_RECIPES.read_bytes())
    (tmp_path / "half.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    said = fails(capsys, tmp_path / "half.jsonl.gz", "-o", tmp_path / "out")
    assert "half.jsonl.gz is not a whole gzip file" in said
    assert not (tmp_path / "out").exists()


def test_no_recipe_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "bad.jsonl", [{"id": "1"}, {"id": "2"}])
    said = fails(capsys, corpus, "-o", tmp_path / "out")
    assert "no recipe is left to train on, of 2 read (2 that could not be read)" in said


def test_no_usable_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = {
        "title": "Suppe",
        "ingredients": ["1 Zwiebel", "2 Karotten"],
        "steps": ["Die Zwiebel und die Karotten mit dem Messer in den Topf geben und kochen."],
    }
    short = {"title": "Brine", "ingredients": ["salt", "water"], "steps": STEPS[:1]}
    corpus = write_corpus(tmp_path / "bad.jsonl", [foreign, short])
    said = fails(capsys, corpus, "-o", tmp_path / "out")
    assert "no recipe is left to train on, of 2 read" in said
    assert "not in English" in said
    assert "fewer than 2 sentences" in said
    assert not (tmp_path / "out").exists()


def test_a_bad_recipe_among_good_ones_is_told_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "some.jsonl", own_recipes())
    with corpus.open("a") as file:
        file.write('{"title": "No steps"}\n')
    arguments = ["prepare", str(corpus), "-o", str(tmp_path / "out"), "--no-embeddings"]
    assert npn([*arguments, "--processes", "1"]) == 0
    told = capsys.readouterr()
    assert "line 13" in told.err
    assert "could not be read" in told.out


@pytest.mark.parametrize("name", ["notes.txt", "train.safetensors"])
def test_a_folder_with_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).write_text("mine")
    assert "holds other files" in fails(capsys, OWN_RECIPES, "-o", tmp_path)
    assert contents(tmp_path) == {name: b"mine"}


def test_a_file_where_the_folder_should_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("mine")
    assert "is a file" in fails(capsys, OWN_RECIPES, "-o", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    try:
        said = fails(capsys, OWN_RECIPES, "-o", tmp_path / "out")
    finally:
        tmp_path.chmod(0o700)
    assert "cannot write to" in said
    assert contents(tmp_path) == {}


def test_a_read_only_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    said = fails(capsys, OWN_RECIPES, "-o", tmp_path / "out")
    assert "cannot write to" in said
    assert "Read-only file system" in said
    assert contents(tmp_path) == {}


def test_where_no_folder_can_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    said = fails(capsys, OWN_RECIPES, "-o", tmp_path / "file" / "out")
    assert "cannot write to" in said


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_full_disk(tmp_path: Path, processes: str) -> None:
    """Stood for by a limit on the size of files, which fails in the middle of writing alike."""
    folder = tmp_path / "out"
    command = [*NPN, "prepare", str(OWN_RECIPES), "-o", str(folder)]
    done = subprocess.run(
        [*command, "--no-embeddings", "--processes", processes],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000)),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"npn: cannot write to {folder}: File too large")
    assert len(done.stderr.splitlines()) == 1
    assert not folder.exists()


def test_a_full_disk_leaves_old_data_alone(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run(folder)
    before = contents(folder)
    largest = max(map(len, before.values()))
    other = write_corpus(tmp_path / "other.jsonl", own_recipes()[1:])
    command = [*NPN, "prepare", str(other), "-o", str(folder)]
    done = subprocess.run(
        [*command, "--no-embeddings", "--processes", "1"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest // 2, largest)),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    after = {name: data for name, data in contents(folder).items() if ".work" not in name}
    assert after == before


def test_a_lexicon_of_another_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "actions.toml").write_text('[heat]\ncharge = ""\n')
    (tmp_path / "end_states.toml").write_text('[charge]\n"positive" = []\n')
    fails(capsys, OWN_RECIPES, "-o", tmp_path / "out", "--lexicon", tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    with LocalStorage(folder / ".work").in_use():
        assert "in use by another run" in fails(capsys, OWN_RECIPES, "-o", folder)
        assert (folder / ".work").is_dir()
    run(folder)
    assert not (folder / ".work").exists()


def test_a_piece_that_no_process_survives_is_named(tmp_path: Path) -> None:
    """Training data without a part of its corpus is none; what is done is kept."""
    piece = Piece(3, (FilePart("a.jsonl", "lines", b"{}\n{}\n", 7),))
    with pytest.raises(UnfinishedError, match=r"a\.jsonl, lines 7 to 8 cannot be labelled: ended"):
        label_job(None).lost(piece, "ended twice")


def test_a_folder_of_corpora_is_read_like_its_files(tmp_path: Path) -> None:
    (tmp_path / "corpora").mkdir()
    recipes = own_recipes()
    write_corpus(tmp_path / "corpora" / "a.jsonl", recipes[:5])
    packed = write_corpus(tmp_path / "b.jsonl", recipes[5:]).read_bytes()
    (tmp_path / "corpora" / "b.jsonl.gz").write_bytes(gzip.compress(packed))
    run(tmp_path / "one")
    run(tmp_path / "two", tmp_path / "corpora")
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert one["train.safetensors"] == two["train.safetensors"]
