"""`npn prepare --next`: the recipes of prepared data in their own words, and what a tracker says of
them. Stopped and started again it ends with the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from own_corpus import OWN_RECIPES, Silent, contents, own_recipes, run, vocabulary, write_corpus
from prepared_folder import write_manifest
from safetensors.numpy import save_file

from npn.errors import NpnError
from npn.models import load_tracker
from npn.training.data.ragged import SPLITS
from npn.training.generator.data import GenerationData
from npn.training.generator.prepare import prepare_generation

RULES = partial(load_tracker, "weak-labels")
KILLED = """
import sys
from functools import partial
from pathlib import Path
from own_corpus import OWN_RECIPES, Killer
from npn.models import load_tracker
from npn.training.generator.prepare import prepare_generation

if __name__ == "__main__":
    prepared, folder, processes = sys.argv[1:]
    prepare_generation(
        [OWN_RECIPES], Path(prepared), Path(folder), 99, Killer(),
        partial(load_tracker, "weak-labels"), processes=int(processes), shard=2,
    )
"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own recipes, with embeddings that nobody trained."""
    folder = tmp_path_factory.mktemp("data") / "prepared"
    run(folder)
    words = len(vocabulary(folder)["words"])
    save_file({"words": np.zeros((words, 4), np.float32)}, folder / "embeddings.safetensors")
    write_manifest(folder)
    return folder


def prepare_next(
    prepared: Path,
    folder: Path,
    corpus: Path = OWN_RECIPES,
    recipes: int = 99,
    watcher: Silent | None = None,
    *,
    processes: int = 1,
    shard: int = 2,
) -> dict[str, int]:
    watcher = watcher or Silent()
    return prepare_generation(
        [corpus], prepared, folder, recipes, watcher, RULES, processes=processes, shard=shard
    )


def test_recipes_come_back_in_their_own_words(tmp_path: Path, prepared: Path) -> None:
    watcher = Silent()
    counts = prepare_next(prepared, tmp_path / "next", watcher=watcher)
    assert sum(counts.values()) == watcher.recipes == len(own_recipes())
    data = GenerationData(tmp_path / "next")
    said = {
        " ".join(data.part(name).sentence(recipe, 0)).removesuffix(" .")
        for name in SPLITS
        for recipe in range(counts[name])
    }
    assert len(said) == len(own_recipes())
    assert all(any(first in _words(recipe) for recipe in own_recipes()) for first in said)


def _words(recipe: dict[str, list[str]]) -> str:
    from npn.language.words import words

    return " ".join(words(" ".join(recipe["steps"])))


@pytest.mark.parametrize("processes", [1, 2])
def test_killed_and_started_again_gives_the_same_bytes(
    tmp_path: Path, prepared: Path, processes: int
) -> None:
    folder, script = tmp_path / "next", tmp_path / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    paths = [str(OWN_RECIPES.parent), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, str(script), str(prepared), str(folder), str(processes)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert len(list((folder / ".work" / "traces").glob("*.safetensors"))) >= 2
    assert not (folder / "vocabulary.json").exists()
    watcher = Silent()
    prepare_next(prepared, folder, watcher=watcher, processes=processes)
    assert watcher.recipes == len(own_recipes())
    prepare_next(prepared, tmp_path / "whole")
    assert contents(folder) == contents(tmp_path / "whole")


def test_processes_and_the_size_of_shards_change_no_byte(tmp_path: Path, prepared: Path) -> None:
    prepare_next(prepared, tmp_path / "one", shard=2)
    prepare_next(prepared, tmp_path / "two", processes=2, shard=5)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_only_as_many_recipes_are_taken_for_training(tmp_path: Path, prepared: Path) -> None:
    assert prepare_next(prepared, tmp_path / "next", recipes=3)["train"] == 3


def test_a_corpus_without_the_recipes_leaves_nothing(tmp_path: Path, prepared: Path) -> None:
    corpus = write_corpus(tmp_path / "few.jsonl", own_recipes()[:4])
    with pytest.raises(NpnError, match="are not in these corpora"):
        prepare_next(prepared, tmp_path / "next", corpus)
    assert not (tmp_path / "next").exists()


def test_a_folder_that_is_not_prepared_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NpnError, match=r"empty.*is this a folder that npn prepare wrote"):
        prepare_next(tmp_path / "empty", tmp_path / "next")
    assert not (tmp_path / "next").exists()


def test_a_recipe_that_comes_twice_is_taken_once(tmp_path: Path, prepared: Path) -> None:
    twice = write_corpus(tmp_path / "twice.jsonl", own_recipes() * 2)
    prepare_next(prepared, tmp_path / "once")
    prepare_next(prepared, tmp_path / "twice", twice)
    once, again = contents(tmp_path / "once"), contents(tmp_path / "twice")
    del once["manifest.json"], again["manifest.json"]  # it holds the hash of the corpus
    assert once == again
