"""The same recipes give the same bytes, and nothing is half-written."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from own_corpus import (
    HALVES,
    OWN_RECIPES,
    contents,
    own_recipes,
    recipe_texts,
    run,
    vocabulary,
    write_corpus,
)

from npn.corpus.sharding.folder import MadeShard
from npn.corpus.sharding.pieces import Piece
from npn.training.data.piecework import PieceJob, ShardMaker
from npn.training.data.prepare import PrepareOptions
from npn.training.data.shards import Shares

KILLED = """
import sys
from pathlib import Path
from own_corpus import OWN_RECIPES, PLAIN, Killer
from npn.training.data.prepare import prepare

if __name__ == "__main__":
    processes = int(sys.argv[2])
    prepare([OWN_RECIPES], Path(sys.argv[1]), PLAIN, Killer(), processes=processes, shard=2)
"""


def killed(folder: Path, processes: int) -> int:
    """Runs until two shards of two recipes are done, and is killed then. The exit status."""
    script = folder.parent / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    paths = [str(OWN_RECIPES.parent), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(processes)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        timeout=120,
    )
    return done.returncode


def test_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "one")
    run(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_one_and_two_processes_give_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "one", processes=1)
    run(tmp_path / "two", processes=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_order_of_the_recipes_changes_nothing(tmp_path: Path) -> None:
    turned = write_corpus(tmp_path / "turned.jsonl", reversed(own_recipes()))
    run(tmp_path / "one")
    run(tmp_path / "two", turned, shard=5)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    del one["manifest.json"], two["manifest.json"]  # it holds the hash of the corpus
    assert one == two


def test_another_recipe_moves_no_recipe_to_another_split(tmp_path: Path) -> None:
    fewer = write_corpus(tmp_path / "fewer.jsonl", own_recipes()[2:])
    options = PrepareOptions(HALVES, words=10_000, embeddings=False)
    run(tmp_path / "all", options=options)
    run(tmp_path / "some", fewer, options)
    all_texts, some_texts = recipe_texts(tmp_path / "all"), recipe_texts(tmp_path / "some")
    lengths = {
        name: sorted(len(text.split()) for text in texts) for name, texts in all_texts.items()
    }
    assert sum(map(len, some_texts.values())) == 10
    for name, texts in some_texts.items():
        for text in texts:
            assert len(text.split()) in lengths[name]


@pytest.mark.parametrize("processes", [1, 2])
def test_killed_and_started_again_gives_the_same_bytes(tmp_path: Path, processes: int) -> None:
    folder = tmp_path / "killed"
    assert killed(folder, processes) == -signal.SIGKILL
    done = list((folder / ".work" / "labels").glob("*.safetensors"))
    assert len(done) >= 2
    assert not (folder / "manifest.json").exists()
    run(folder, shard=2, processes=processes)
    run(tmp_path / "whole", shard=2)
    assert contents(folder) == contents(tmp_path / "whole")


def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "killed"
    killed(folder, 1)
    made: list[int] = []

    original = PieceJob._make

    def recorded(job: PieceJob, maker: ShardMaker, piece: Piece) -> MadeShard:
        made.append(piece.number)
        return original(job, maker, piece)

    monkeypatch.setattr(PieceJob, "_make", recorded)
    run(folder, shard=2)
    assert made == [2, 3, 4, 5]


def test_a_damaged_shard_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    killed(folder, 1)
    (folder / ".work" / "labels" / "000000.safetensors").write_bytes(b"not a shard")
    run(folder, shard=2)
    run(tmp_path / "whole", shard=2)
    assert contents(folder) == contents(tmp_path / "whole")


def test_work_on_another_corpus_is_not_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    killed(folder, 1)
    other = write_corpus(tmp_path / "other.jsonl", own_recipes()[6:])
    run(folder, other, shard=2)
    run(tmp_path / "whole", other, shard=2)
    assert contents(folder) == contents(tmp_path / "whole")


def test_new_data_takes_the_place_of_old(tmp_path: Path) -> None:
    folder = tmp_path / "prepared"
    run(folder, write_corpus(tmp_path / "other.jsonl", own_recipes()[6:]))
    run(folder)
    run(tmp_path / "fresh")
    assert contents(folder) == contents(tmp_path / "fresh")


def test_the_manifest_vouches_for_every_file(tmp_path: Path) -> None:
    run(tmp_path)
    files = contents(tmp_path)
    manifest = json.loads(files.pop("manifest.json"))
    assert manifest["format"] == 1
    assert manifest["hashes"] == {
        name: hashlib.sha256(data).hexdigest() for name, data in files.items()
    }
    assert manifest["vocabulary"] == manifest["hashes"]["vocabulary.json"]
    assert manifest["counts"]["cleaning"]["read"] == 12
    assert sum(manifest["counts"][name]["recipes"] for name in recipe_texts(tmp_path)) == 12
    assert {"npn", "python", "numpy", "gensim"} <= manifest["versions"].keys()


def test_a_near_duplicate_is_dropped_whichever_comes_first(tmp_path: Path) -> None:
    recipes = own_recipes()
    again = {**recipes[3], "title": "Another", "steps": [*recipes[3]["steps"][:-1], "Serve now."]}
    for name, corpus in (("before", [again, *recipes]), ("after", [*recipes, again])):
        summary = run(tmp_path / name, write_corpus(tmp_path / f"{name}.jsonl", corpus))
        assert summary.cleaning.duplicates == 1
    before, after = contents(tmp_path / "before"), contents(tmp_path / "after")
    assert before["train.safetensors"] == after["train.safetensors"]


def test_limits_choose_by_hash(tmp_path: Path) -> None:
    turned = write_corpus(tmp_path / "turned.jsonl", reversed(own_recipes()))
    options = PrepareOptions(Shares(0.2, 0.2, limit=8, train=3), embeddings=False)
    summary = run(tmp_path / "one", options=options)
    run(tmp_path / "two", turned, options)
    assert summary.splits["train"].recipes == 3
    assert sum(counts.recipes for counts in summary.splits.values()) + summary.cleaning.unused == 12
    assert recipe_texts(tmp_path / "one") == recipe_texts(tmp_path / "two")


def test_vocabularies_are_as_large_as_told(tmp_path: Path) -> None:
    run(tmp_path, options=PrepareOptions(HALVES, words=50, entities=9, embeddings=False))
    words, entities = vocabulary(tmp_path)["words"], vocabulary(tmp_path)["entities"]
    assert (len(words), len(entities)) == (52, 11)
    assert words[:2] == entities[:2] == ["<pad>", "<unk>"]
    assert {"the", "and"} <= set(words)
