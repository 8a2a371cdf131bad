"""How long `npn link mealie --yes` takes on a library of a thousand recipes:

    python -m benchmarks.link_library CORPUS [--recipes 1000] [--model world] [--processes 2]

CORPUS is JSON Lines with `title`, `ingredients` and `steps`. The server stands in for Mealie and
runs in the same process, so its time is counted, too."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import chdir, redirect_stdout
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import processor_time
from npn.cli import run
from npn.formats import Found, read_file

sys.path.append(str(Path(__file__).parents[1] / "tests" / "linking"))

from libraries import mealie_recipe
from stand_in import TOKEN, StandIn, running


def library(corpus: str, recipes: int) -> dict[str, dict[str, Any]]:
    found = (item.recipe for item in read_file(corpus) if isinstance(item, Found))
    stored = {}
    for number, recipe in enumerate(islice(found, recipes)):
        lines = [one.text for one in recipe.ingredients]
        one = mealie_recipe(f"recipe {number}", lines, list(recipe.steps))
        stored[one["slug"]] = one
    return stored


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.link_library")
    parser.add_argument("corpus")
    parser.add_argument("--recipes", type=int, default=1000)
    parser.add_argument("--model", default="world")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    os.environ["MEALIE_TOKEN"] = TOKEN
    stored = library(os.path.abspath(options.corpus), options.recipes)
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        running(StandIn("mealie", stored)) as server,
        redirect_stdout(StringIO()),
    ):
        began, used = time.perf_counter(), processor_time()
        arguments = ["link", "mealie", "--url", server.url, "--model", options.model, "--yes"]
        status = run([*arguments, "--processes", str(options.processes)])
        seconds, processor = time.perf_counter() - began, processor_time() - used
    print(
        f"{len(server.patches()):,} of {len(stored):,} recipes linked by {options.model} with "
        f"{options.processes} processes in {seconds:.1f} s ({processor:.1f} s of the processor), "
        f"exit status {status}"
    )


if __name__ == "__main__":
    main()
