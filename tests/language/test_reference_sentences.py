"""Our sentences beside those of the original splitter, on recipes that both have read.

The reference is lower-cased and tokenised, and has dropped list numbers and whole sentences, so
letters and digits are compared, with and without the number before a sentence. It also splits
after "qt." and "F." in the middle of a sentence, which we do not want to reproduce.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from npn.language.sentences import split_sentences

NOT_ALPHANUMERIC = re.compile(r"-[lr][rs]b-|[^a-z0-9]")  # -lrb- is how it writes a bracket
LIST_NUMBER = re.compile(r"\W{0,9}\d\d?[.)]")
TITLE = re.compile(r'"title": "(.*?)", "ingredients"')


def plain(text: str) -> str:
    return NOT_ALPHANUMERIC.sub("", text.lower())


def candidates(corpus: Path, titles: set[str]) -> Iterator[dict[str, Any]]:
    """Recipes of the corpus with one of `titles`. Only those lines are parsed."""
    for name in ("mealmaster.jsonl.gz", "web.jsonl.gz"):
        with gzip.open(corpus / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                title = TITLE.search(line)
                if title and plain(title[1]) in titles:
                    yield json.loads(line)


def test_reference_sentences_are_reproduced(capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(os.environ.get("NPN_DATA", ""))
    path = data / "reference" / "npn_original_texts_344.jsonl"
    if "NPN_DATA" not in os.environ or not path.exists():
        pytest.skip("NPN_DATA does not hold reference/npn_original_texts_344.jsonl")
    references = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    by_title: dict[str, list[list[str]]] = {}
    for recipe in candidates(data / "corpus", {plain(one["title"]) for one in references}):
        by_title.setdefault(plain(recipe["title"]), []).append(recipe["steps"])

    recipes = found = reproduced = 0
    for reference in references:
        expected = [s for s in map(plain, reference["steps"]) if s]
        best: list[str] = []
        for steps in by_title.get(plain(reference["title"]), []):
            text = plain(" ".join(steps))
            in_text = [s for s in expected if s in text]
            if len(in_text) > len(best):
                best, ours = in_text, steps
        if 2 * len(best) < len(expected) or not best:
            continue  # another recipe of that name
        sentences = [sentence for step in ours for sentence in split_sentences(step)]
        known = {plain(s) for s in sentences}
        known |= {plain(LIST_NUMBER.sub("", s, count=1)) for s in sentences}
        recipes += 1
        found += len(best)
        reproduced += sum(s in known for s in best)

    with capsys.disabled():
        print(
            f"\n{reproduced} of {found} reference sentences in {recipes} recipes"
            f" reproduced: {reproduced / found:.4f}"
        )
    assert recipes > 200
    assert reproduced / found >= 0.97
