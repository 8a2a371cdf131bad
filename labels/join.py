"""Join labels with the recipes that they are of:

python labels/join.py labels/worlds.jsonl labels/states.jsonl labels/sentence_states.jsonl \
    --corpus DIR --gold DIR -o DATA

What a file labels is seen from its first line. A file of recipes that have their text and their
worlds already, as labels/own_recipes.jsonl, is checked and copied beside the others. Nothing is
written unless every label fits.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import corpus_labels
from label_lines import read_label_lines
from labelled_recipes import Sources, join_labels
from state_labels import StateLabel
from world_labels import WorldLabel

from npn.errors import NpnError
from npn.evaluation.gold import read_gold

# The gold file that each kind of labels becomes.
ENTITIES, WORLDS, STATES = "corpora.jsonl", "world_read.jsonl", "states_read.jsonl"
# These keep their names: worlds with divided mixtures, states under another convention, and what is
# held out.
OTHER_WORLDS = ("divided_worlds.jsonl", "held_out_worlds.jsonl")
OTHER_STATES = ("sentence_states.jsonl", "held_out_sentences.jsonl", "held_out_states.jsonl")
OWN = "own_recipes.jsonl"
OF_OUR_OWN = "own"  # "own/12" is a recipe of our own, and no line of a corpus


def kind(path: Path) -> str:
    """Which gold file the labels of `path` become, by its first line and the first step there."""
    try:
        with path.open(encoding="utf-8") as lines:
            recipe = json.loads(next(lines, ""))
            step = recipe["steps"][0]
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise NpnError(f"{path}: cannot be read as labels ({error})") from error
    if "world" in recipe:
        return OWN
    if isinstance(step, list):
        return ENTITIES
    if isinstance(step, dict) and "uses" in step:
        return path.name if path.name in OTHER_WORLDS else WORLDS
    return path.name if path.name in OTHER_STATES else STATES


def joined(name: str, path: Path, sources: Sources) -> list[dict[str, Any]]:
    if name in (WORLDS, *OTHER_WORLDS):
        return join_labels(read_label_lines(path, WorldLabel.from_dict), sources)
    if name in (STATES, *OTHER_STATES):
        return join_labels(read_label_lines(path, StateLabel.from_dict), sources)
    if name == OWN:
        return with_text(path)
    if sources.corpora is None:
        raise NpnError(f"{path}: labels recipes of corpora; name their folder with --corpus")
    return corpus_labels.join(corpus_labels.read_labels(path), sources.corpora)


def with_text(path: Path) -> list[dict[str, Any]]:
    """The recipes of a gold file as they stand. Raises NpnError for any other file."""
    read_gold(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def join_files(files: Sequence[Path], sources: Sources, output: Path) -> None:
    recipes: dict[str, list[dict[str, Any]]] = {}
    for path in files:
        name = kind(path)
        if name in recipes:
            raise NpnError(f"{path}: is the second file for gold/{name}; join it by itself")
        recipes[name] = joined(name, path, sources)
    if ENTITIES in recipes and sources.corpora is not None:
        labelled = (one["id"] for n in recipes if n != OWN for one in recipes[n])
        others = corpus_labels.write_unlabelled(
            lines_of_corpora(labelled), sources.corpora, output / "corpus"
        )
        print(f"{others} recipes without labels")
    for name, found in recipes.items():
        corpus_labels.write_gold(found, output / "gold" / name)
        print(f"{len(found)} labelled recipes: gold/{name}")


def lines_of_corpora(ids: Iterable[str]) -> dict[str, set[int]]:
    """The lines of each corpus that labels are of, by the ids of the labelled recipes."""
    lines: dict[str, set[int]] = {}
    for id in ids:
        corpus, _, line = id.partition("/")
        if line.isdecimal() and corpus != OF_OUR_OWN:
            lines.setdefault(corpus, set()).add(int(line))
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python labels/join.py")
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--corpus", type=Path, help="folder of CORPUS.jsonl.gz")
    parser.add_argument("--gold", type=Path, help="folder of GOLD.jsonl")
    parser.add_argument("-o", "--output", type=Path, required=True, help="data folder to write")
    given = parser.parse_args(arguments)
    try:
        join_files(given.labels, Sources(given.corpus, given.gold), given.output)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {given.output}: cannot be written ({error})", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
