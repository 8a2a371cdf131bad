"""How long it takes to write the traces of a thousand recipes in each form, without tracking.

python -m benchmarks.writing_speed CORPUS.jsonl.gz
"""

from __future__ import annotations

import io
import sys
from itertools import islice
from time import perf_counter

from npn.formats import Found, read_file
from npn.formats.writing import writers
from npn.models import load_tracker

RECIPES = 1_000


def main(corpus: str) -> None:
    recipes = (item.recipe for item in read_file(corpus) if isinstance(item, Found))
    tracker = load_tracker("weak-labels", None)
    traces = list(tracker.track_many(islice(recipes, RECIPES)))
    for name, writer in writers().items():
        began = perf_counter()
        size = 0
        for trace in traces:
            out = io.StringIO()
            writer.write([trace], out)
            size += len(out.getvalue())
        print(f"{name:12} {perf_counter() - began:6.1f} s {size / len(traces) / 1000:8.1f} kB each")


if __name__ == "__main__":
    main(sys.argv[1])
