"""How many recipes come back from Mealie's and Tandoor's files as they were written:

    python -m benchmarks.round_trips FILE... [--recipes 1000]

FILE is any that `npn track` reads. Recipes are tracked by `weak-labels`, written and read back, and
their lines, steps, sections and links compared. Lines that are headings come back as sections."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

from npn.formats import Found, read_file
from npn.models import load_tracker

sys.path.append(str(Path(__file__).parents[1] / "tests" / "formats"))

from round_trips import Content, content, content_of_trace, read_back


def spaced(text: str | None) -> str | None:
    """Readers take any white space for a blank."""
    return " ".join(text.split()) if text else text


def plain(one: Content) -> object:
    return (
        sorted(((spaced(section), spaced(line)) for section, line in one.lines), key=str),
        [(spaced(a), spaced(b), {spaced(line) for line in links}) for a, b, links in one.steps],
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.round_trips")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--recipes", type=int, default=1000)
    options = parser.parse_args()
    tracker = load_tracker("weak-labels")
    for file in options.files:
        found = (item.recipe for item in read_file(file) if isinstance(item, Found))
        traces = list(tracker.track_many(islice(found, options.recipes)))
        for name in ("mealie", "tandoor"):
            back = read_back(traces, name)
            same = sum(
                plain(content_of_trace(trace)) == plain(content(recipe))
                for trace, recipe in zip(traces, back, strict=True)
            )
            print(f"{Path(file).name}: {same:,} of {len(traces):,} recipes the same from {name}")


if __name__ == "__main__":
    main()
