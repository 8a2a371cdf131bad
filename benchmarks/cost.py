"""What a recipe costs as it grows, along every axis on which it can: time and memory, which should
grow no faster than the recipe does.

    python -m benchmarks.cost
    python -m benchmarks.cost --model weak-labels --axis clauses --axis places
    python -m benchmarks.cost --model world --bytes 3000
    python -m benchmarks.cost --writers

For each axis a recipe of about `--bytes` is drawn, then ones of twice and four times as much. Each
is tracked and written as JSON in a process of its own; with `--writers` it is tracked by
weak-labels and what is measured is each writer. `growth` is how many times more processor
time the largest takes than the smallest, beyond what the start takes: 4 is linear, 16 quadratic.
What is refused as too large for the tracker takes no time, and is named at the end of its row.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from benchmarks.processes import PEAK, megabytes
from npn.errors import NpnError
from npn.models import SHIPPED, TRACKERS
from npn.recipe import Recipe

if TYPE_CHECKING:
    from npn.formats.writing import BinaryWriter, Writer
    from npn.trace import Trace

    Writing = Callable[[list[Trace]], None]

FOODS = "egg flour sugar butter milk salt onion carrot garlic rice bean lemon".split()
PLACES = "bowl pan pot skillet dish oven plate".split()


def clauses(size: int) -> list[Recipe]:
    text = "Stir in the flour" + " and mix the egg well" * (size // 21)
    return [Recipe.from_lists("", FOODS, [text + "."])]


def bare_verbs(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", FOODS, ["Peel" + " and slice" * (size // 10) + " the carrot."])]


def words(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", FOODS, ["Mix " + "slowly gently round " * (size // 20)])]


def one_word(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", FOODS, ["x" * size])]


def sentences(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", FOODS, ["Mix the egg in. " * (size // 16)])]


def steps(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", FOODS, _lines(size, "Mix the egg into the flour and stir well."))]


def ingredients(size: int) -> list[Recipe]:
    lines = [f"{n} cups {FOODS[n % 12]} of kind {n}" for n in range(min(size // 25, 5_000))]
    return [Recipe.from_lists("", lines, ["Mix the egg and the rice.", "Bake it."])]


def namesakes(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", _lines(size, "salt"), ["Add the salt.", "Stir the salt in."])]


def steps_of_many_ingredients(size: int) -> list[Recipe]:
    count = min(int((size / 60) ** 0.5 * 8), 440)
    lines = [f"{n} cups {FOODS[n % 12]}" for n in range(count)]
    return [Recipe.from_lists("", lines, [f"Add the {FOODS[n % 12]}." for n in range(count)])]


def sections(size: int) -> list[Recipe]:
    lines, does = _lines(size // 2, "1 cup flour"), _lines(size // 2, "Mix the flour into it.")
    return [Recipe.from_lists("", lines[:40], does, (), [f"Part {n}" for n in range(len(does))])]


def places(size: int) -> list[Recipe]:
    text = "Put the egg" + "".join(f" in the {PLACES[n % 7]}" for n in range(size // 13))
    return [Recipe.from_lists("", FOODS, [text + "."])]


def mentions(size: int) -> list[Recipe]:
    text = "Mix " + ", ".join(FOODS[n % 12] for n in range(size // 7))
    return [Recipe.from_lists("", FOODS, [text + "."])]


def references(size: int) -> list[Recipe]:
    text = "Stir the batter" + " into it with the mixture" * (size // 25)
    return [Recipe.from_lists("", FOODS, [text + "."])]


def brackets(size: int) -> list[Recipe]:
    return [Recipe.from_lists("", ["1 cup flour " + "(" * size], ["Mix it " + "(" * size])]


def recipes(size: int) -> list[Recipe]:
    one = Recipe.from_lists("", FOODS, ["Mix the egg and the flour.", "Add salt.", "Bake it."])
    return [one] * (size // 120)


AXES: dict[str, Callable[[int], list[Recipe]]] = {
    axis.__name__.replace("_", "-"): axis
    for axis in (
        clauses, bare_verbs, words, one_word, sentences, steps, ingredients, namesakes,
        steps_of_many_ingredients, sections, places, mentions, references, brackets, recipes,
    )
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", action="append", choices=[*TRACKERS, *SHIPPED, *all_writers()])
    parser.add_argument("--axis", action="append", choices=AXES)
    parser.add_argument("--bytes", type=int, default=50_000, help="of the smallest recipe")
    parser.add_argument("--writers", action="store_true", help="measure the writers instead")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    trackers = [*TRACKERS, *SHIPPED]
    models = given.model or (list(all_writers()) if given.writers else trackers)
    axes = given.axis or list(AXES)
    if given.alone:
        measure_one = measure_here if models[0] in trackers else measure_writer
        print(*measure_one(models[0], axes[0], given.bytes))
        return
    print(f"{'':42}{'seconds':>22}{'growth':>9}{'MB':>22}")
    for model in models:
        for axis in axes:
            found = list(measure(model, axis, given.bytes))
            times, memory, why = zip(*found, strict=True)
            growth = times[-1] / max(times[0], 0.01)
            row = "".join(f"{one:7.2f}" for one in times) + f"{growth:9.1f} "
            row += "".join(f"{one:7.0f}" for one in memory)
            print(f"{model:15}{axis:27}{row}  {'refused' * any(why)}".rstrip(), flush=True)


def measure(model: str, axis: str, size: int) -> Iterator[tuple[float, float, str]]:
    for times in (1, 2, 4):
        command = (sys.executable, "-m", "benchmarks.cost", "--alone", "--model", model)
        said = subprocess.run(
            [*command, "--axis", axis, "--bytes", str(size * times)],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            check=True,
            capture_output=True,
            text=True,
        )
        seconds, megabytes = said.stdout.split()
        yield float(seconds), float(megabytes), said.stderr.strip()


def measure_here(model: str, axis: str, size: int) -> tuple[float, float]:
    """Seconds of processor time, and the most memory that this process has taken so far; no time
    at all for recipes that are refused as too large."""
    from npn.formats.writing import writers
    from npn.models import load_tracker

    drawn = AXES[axis](size)
    tracker = load_tracker(model)
    tracker.track(Recipe.from_lists("", FOODS, ["Mix the egg and the rice."]))
    began = time.process_time()
    try:
        writers()["json"].write(tracker.track_many(drawn), io.StringIO())
    except NpnError as error:
        print(f"{axis} of {size:,} bytes: {error}", file=sys.stderr)
        return 0.0, megabytes(os.getpid(), PEAK)
    return time.process_time() - began, megabytes(os.getpid(), PEAK)


def all_writers() -> dict[str, Writing]:
    """Every writer by its name, as what writes traces to nowhere."""
    from npn.formats.writing import binary_writers, writers

    def text(writer: Writer) -> Writing:
        def write(traces: list[Trace]) -> None:
            for some in [[trace] for trace in traces] if writer.one_each else [traces]:
                writer.write(iter(some), io.StringIO())

        return write

    def binary(writer: BinaryWriter) -> Writing:
        return lambda traces: writer.write(iter(traces), io.BytesIO())

    return {
        **{name: text(writer) for name, writer in writers().items()},
        **{name: binary(writer) for name, writer in binary_writers().items()},
    }


def measure_writer(name: str, axis: str, size: int) -> tuple[float, float]:
    """The same for writing what weak-labels makes of the recipes."""
    from npn.models import load_tracker

    tracker = load_tracker("weak-labels")
    write = all_writers()[name]
    write([tracker.track(Recipe.from_lists("", FOODS, ["Mix the egg and the rice."]))])
    traces = list(tracker.track_many(AXES[axis](size)))
    began = time.process_time()
    write(traces)
    return time.process_time() - began, megabytes(os.getpid(), PEAK)


def _lines(size: int, line: str) -> list[str]:
    return [line] * min(size // (len(line) + 1), 5_000)


if __name__ == "__main__":
    main()
