"""How many recipes come back as they were written, in each form that we write and read:

    python -m benchmarks.round_trips FILE... [--recipes 1000]

FILE is any that `npn track` reads. Recipes are tracked by `weak-labels`, written and read back, and
their lines, steps, sections and links compared."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

from npn.formats import Found, read_file
from npn.models import load_tracker

sys.path.append(str(Path(__file__).parents[1] / "tests" / "formats"))

from round_trips import FORMS, content, content_of_trace, round_trip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.round_trips")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--recipes", type=int, default=1000)
    options = parser.parse_args()
    tracker = load_tracker("weak-labels")
    for file in options.files:
        found = (item.recipe for item in read_file(file) if isinstance(item, Found))
        traces = list(tracker.track_many(islice(found, options.recipes)))
        for form in FORMS:
            same = sum(
                content_of_trace(trace) == content(round_trip(trace, form)) for trace in traces
            )
            print(f"{Path(file).name}: {same:,} of {len(traces):,} recipes the same from {form}")


if __name__ == "__main__":
    main()
