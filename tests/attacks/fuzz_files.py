"""Recipe files and traces, as inputs of the readers, the trackers and the writers."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from random import Random

from mutations import alter, mutate

import npn
from npn.errors import NpnError
from npn.formats import Found, Item, formats, read_file
from npn.formats.writing import binary_writers, writers
from npn.models import load_tracker
from npn.trace import Trace

REPOSITORY = Path(__file__).parent.parent.parent
MOST = 3  # recipes of a file that are tracked


@cache
def tracker(name: str) -> npn.Tracker:
    return load_tracker(name)


@cache
def recipe_files() -> list[bytes]:
    """Examples, golden recipes, an old archive, and what each writer makes of a recipe."""
    files = [*(REPOSITORY / "examples").iterdir(), *(REPOSITORY / "tests" / "golden").iterdir()]
    files.append(REPOSITORY / "tests" / "formats" / "meal_master_archive.txt")
    return [path.read_bytes() for path in sorted(files) if path.is_file()] + _written()


def _written() -> list[bytes]:
    lines = ["2 leeks, sliced", "1 l water", "1/2 tsp salt", "1 tbsp butter, divided"]
    steps = ["Melt half of the butter in a pot.", "Add the leeks and the water. Boil.", "Salt it."]
    sections = ["Soup", "Soup", None, None]
    recipe = npn.Recipe.from_lists("Leek soup", lines, steps, sections, ["Soup", "Soup", "End"])
    trace = tracker("weak-labels").track(recipe)
    found = []
    for writer in writers().values():
        text = io.StringIO()
        writer.write(iter([trace]), text)
        found.append(text.getvalue().encode())
    for binary in binary_writers().values():
        data = io.BytesIO()
        binary.write(iter([trace]), data)
        found.append(data.getvalue())
    return found


def draw_file(chance: Random) -> bytes:
    return mutate(chance.choice(recipe_files()), chance, recipe_files())


@cache
def file_names() -> list[str]:
    """Standard input, and a name with every extension that is read."""
    extensions = {extension for format in formats() for extension in format.extensions}
    return ["-", *(f"file{extension}" for extension in sorted(extensions))]


def read_items(data: bytes, name: str = "-") -> list[Item]:
    try:
        return list(read_file(name, io.BytesIO(data)))
    except NpnError as error:
        assert "\n" not in str(error), "a sentence is one line"
        return []


def check_reading(data: bytes) -> None:
    """As standard input, and under one of the names, by which another reader may take it."""
    name = file_names()[len(data) % len(file_names())]
    for item in [*read_items(data), *read_items(data, name)]:
        if isinstance(item, Found):
            npn.Recipe.from_dict(item.recipe.to_dict())


def check_file(data: bytes) -> None:
    _check_traces(data, ("weak-labels", "first-mention", "paper"))


def check_world(data: bytes) -> None:
    _check_traces(data, ("world",))


def _check_traces(data: bytes, names: tuple[str, ...]) -> None:
    found = [item.recipe for item in read_items(data)[:MOST] if isinstance(item, Found)]
    traces = [trace for recipe in found for name in names for trace in _tracked(recipe, name)]
    for trace in traces:
        assert Trace.from_json(trace.to_json()) == trace, "a trace is what its JSON says"
    write_all(traces)


def _tracked(recipe: npn.Recipe, name: str) -> list[Trace]:
    """The trace, or none where the recipe is beyond a limit of the tracker."""
    try:
        return [tracker(name).track(recipe)]
    except NpnError as error:
        assert "\n" not in str(error), "a sentence is one line"
        return []


def write_all(traces: list[Trace]) -> None:
    for writer in writers().values():
        for some in [[trace] for trace in traces] if writer.one_each else [traces]:
            writer.write(iter(some), io.StringIO())
    for binary in binary_writers().values():
        binary.write(iter(traces), io.BytesIO())


@cache
def traces_as_json() -> list[bytes]:
    found = []
    for data in recipe_files()[:12]:
        for item in read_items(data)[:1]:
            if isinstance(item, Found):
                found.append(tracker("weak-labels").track(item.recipe).to_json().encode())
    return found


def draw_trace(chance: Random) -> bytes:
    data = chance.choice(traces_as_json())
    if chance.random() < 0.2:
        return mutate(data, chance, traces_as_json())
    return json.dumps(alter(json.loads(data), chance)).encode()


def check_trace(data: bytes) -> None:
    try:
        trace = Trace.from_json(data.decode(errors="replace"))
    except NpnError:
        return
    write_all([trace])
    trace.to_json()
