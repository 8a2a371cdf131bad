"""Join the labels with the corpora that they are of:

python labels/join.py labels/corpora.jsonl --corpus DIR -o DATA
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from npn.errors import NpnError
from npn.training.data.corpus_labels import join, read_labels, write_gold, write_unlabelled


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python labels/join.py")
    parser.add_argument("labels", type=Path)
    parser.add_argument("--corpus", type=Path, required=True, help="folder of CORPUS.jsonl.gz")
    parser.add_argument("-o", "--output", type=Path, required=True, help="data folder to write")
    given = parser.parse_args(arguments)
    try:
        labels = read_labels(given.labels)
        recipes = join(labels, given.corpus)
        others = write_unlabelled(labels, given.corpus, given.output / "corpus")
        write_gold(recipes, given.output / "gold" / "corpora.jsonl")
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {given.output}: cannot be written ({error})", file=sys.stderr)
        return 2
    print(f"{len(recipes)} labelled recipes, {others} others")
    return 0


if __name__ == "__main__":
    sys.exit(main())
