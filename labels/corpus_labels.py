"""Join labels of corpus recipes, which are kept without text, with the corpora that they are of.

`python labels/join.py labels/corpora.jsonl --corpus DIR -o DATA` does it. DIR holds a
CORPUS.jsonl.gz for each corpus that the labels name. DATA gets gold/corpora.jsonl, the labelled
recipes as the training reads them, and corpus/CORPUS.jsonl.xz, all others, so that a network can be
tested on labelled recipes that it has not seen. Nothing is written unless every label fits its
recipe.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from label_lines import digest_field, fields, read_label_lines, text_digest

from npn.errors import NpnError
from npn.recipe import Recipe
from npn.training.data.cleaning import Cleaner

RECIPE = re.compile(r"([a-z0-9_]{1,64})/([0-9]{1,9})")
DRAWN = ("random", "differ", "unsure")


@dataclass(frozen=True, slots=True)
class CorpusLabel:
    """Which ingredients each sentence of a recipe acts on. `line` counts from 0, as ingredients
    do; `digest` is that of the cleaned recipe which was labelled."""

    corpus: str
    line: int
    drawn: str
    digest: str
    steps: tuple[tuple[int, ...], ...]

    @property
    def recipe(self) -> str:
        return f"{self.corpus}/{self.line}"

    @staticmethod
    def from_dict(data: object) -> CorpusLabel:
        label = fields(data, "recipe drawn digest steps")
        place = RECIPE.fullmatch(str(label["recipe"]))
        if place is None:
            raise NpnError('"recipe" must be a corpus and a line, like "web/12"')
        if label["drawn"] not in DRAWN:
            raise NpnError(f'"drawn" must be one of {", ".join(DRAWN)}')
        digest, steps = digest_field(label), label["steps"]
        if not isinstance(steps, list) or not all(_is_numbers(step) for step in steps):
            raise NpnError('"steps" must be a list of lists of ingredient numbers')
        return CorpusLabel(
            place[1], int(place[2]), label["drawn"], digest, tuple(map(tuple, steps))
        )


def cleaned_recipe(recipe: Mapping[str, Any]) -> dict[str, Any] | None:
    """A recipe of a corpus without headings and notes, with a sentence for each step. None where
    nothing that could be labelled is left."""
    whole = Recipe.from_dict(dict(recipe))
    cleaned = Cleaner().clean(whole)
    if cleaned is None:
        return None
    return {
        "title": whole.title,
        "ingredients": [one.text for one in cleaned.ingredients],
        "steps": list(cleaned.sentences),
    }


def read_labels(path: Path) -> list[CorpusLabel]:
    return read_label_lines(path, CorpusLabel.from_dict)


def join(labels: Sequence[CorpusLabel], folder: Path) -> list[dict[str, Any]]:
    """The labelled recipes in gold format, in the order of the labels, from the corpora in
    `folder`. Raises NpnError for a label that does not fit its recipe."""
    found: dict[str, dict[str, Any]] = {}
    for corpus, by_line in _by_corpus(labels).items():
        path = _corpus_path(folder, corpus)
        count = 0
        for count, line in enumerate(corpus_lines(path), start=1):
            label = by_line.get(count - 1)
            if label is not None:
                found[label.recipe] = _gold(label, parse_recipe(line, path, count))
        if count <= max(by_line):
            raise NpnError(
                f"{path}: has {count} lines, but {corpus}/{max(by_line)} is labelled; "
                "bring the corpus that the labels were made for"
            )
    return [found[label.recipe] for label in labels]


def write_gold(recipes: Sequence[Mapping[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in recipes), encoding="utf-8")


def write_unlabelled(labelled: Mapping[str, Set[int]], folder: Path, out: Path) -> int:
    """Write each corpus less the lines given for it to `out`; returns how many recipes that is."""
    out.mkdir(parents=True, exist_ok=True)
    written = 0
    for corpus, lines in labelled.items():
        path = _corpus_path(folder, corpus)
        partial = out / f"{corpus}.jsonl.xz.partial"  # until all of it is there
        with lzma.open(partial, "wt", encoding="utf-8") as file:
            for number, line in enumerate(corpus_lines(path), start=1):
                if number - 1 not in lines:
                    recipe = Recipe.from_dict(parse_recipe(line, path, number))
                    file.write(json.dumps(recipe.to_dict()) + "\n")
                    written += 1
        partial.replace(partial.with_suffix(""))
    return written


def _gold(label: CorpusLabel, recipe: Mapping[str, Any]) -> dict[str, Any]:
    cleaned = cleaned_recipe(recipe)
    if cleaned is None or text_digest(cleaned["ingredients"], cleaned["steps"]) != label.digest:
        raise NpnError(
            f"{label.recipe} is not the recipe that was labelled: the corpus, or how it is cleaned "
            "and split, has changed; bring what the labels were made for, or label it anew"
        )
    ingredients, sentences = cleaned["ingredients"], cleaned["steps"]
    if len(label.steps) != len(sentences):
        raise NpnError(
            f"{label.recipe} has {len(sentences)} sentences, but labels for {len(label.steps)}; "
            "correct the label"
        )
    for number in (number for step in label.steps for number in step):
        if not 0 <= number < len(ingredients):
            raise NpnError(
                f"{label.recipe} has {len(ingredients)} ingredients, from 0, but its label names "
                f"number {number}; correct the label"
            )
    return {
        "id": label.recipe,
        "drawn": label.drawn,
        **cleaned,
        "gold": [{"entities": list(step)} for step in label.steps],
    }


def _is_numbers(step: object) -> bool:
    return isinstance(step, list) and all(type(number) is int for number in step)


def _by_corpus(labels: Sequence[CorpusLabel]) -> dict[str, dict[int, CorpusLabel]]:
    corpora: dict[str, dict[int, CorpusLabel]] = {}
    for label in labels:
        corpora.setdefault(label.corpus, {})[label.line] = label
    return corpora


def _corpus_path(folder: Path, corpus: str) -> Path:
    path = folder / f"{corpus}.jsonl.gz"
    if not path.is_file():
        raise NpnError(f"{path}: does not exist, but its recipes are labelled; name its folder")
    return path


def corpus_lines(path: Path) -> Iterator[bytes]:
    """The lines of a corpus. Raises NpnError for a file that is no whole gzip file."""
    try:
        with gzip.open(path) as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise NpnError(f"{path}: is not a whole gzip file ({error}); get it again") from error


def parse_recipe(line: str | bytes, path: Path, number: int) -> dict[str, Any]:
    """The recipe of a line as it stands, once it is known to be one."""
    try:
        data: dict[str, Any] = json.loads(line)
        Recipe.from_dict(data)
    except (ValueError, RecursionError, NpnError) as error:
        raise NpnError(f"{path}, line {number}: is not a recipe: {error}") from error
    return data
