"""Random mutations of good inputs: `make fuzz SECONDS=300`.

A target draws an input from a random generator and checks what becomes of it: whatever it is, it
ends in a result or in one sentence of ours. What breaks that is kept in `corpus/`, where
test_fuzzing.py tries it for ever.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import linecache
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import npn
from npn.errors import NpnError
from npn.formats import Found, read_file
from npn.formats.writing import binary_writers, writers
from npn.models import SHIPPED, load_tracker
from npn.networks.common.model_file import content_hash
from npn.networks.common.tensor_file import read_tensors, write_tensors
from npn.recipe import Recipe
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon.lexicon import load_lexicon_folder
from npn.trace import Trace

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
REPOSITORY = HERE.parent.parent
PLACE = re.compile(r"\w+\.py:\d+")
SLOWEST = 10.0  # seconds of processor time that no input of a few kilobytes may take
PIECES = [
    b"\0", b"\xff\xfe", b"\n\n", b"{", b"}", b"[", b"]", b'"', b"<", b">", b"@", b"~", b"(", b")",
    b"null", b"-1", b"1e309", b"99999999999999999999", b"\xc2\x85", b"\xe2\x80\xa8", b"MMMMM", b"%",
    b"PK\x03\x04", b"\x1f\x8b", b"&#0;", b"1/0", b"\xf0\x9f\x8d\x85", b"Ingredients", b"Directions",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, 0, -1, 3, 99, 10**30, 1.5, float("nan"), float("inf"), "", "egg", "3", b"", b"x",
    [], ["1 egg"], [1], [None], {}, {"a": 1}, (), ("Boil the egg.",), object(), Path("x"), range(3),
    "\ud800", "x" * 3_000,
]  # fmt: skip


@dataclass(frozen=True)
class Target:
    draw: Callable[[Random], bytes]
    check: Callable[[bytes], None]


@cache
def recipe_files() -> list[bytes]:
    files = [*(REPOSITORY / "examples").iterdir(), *(REPOSITORY / "tests" / "golden").iterdir()]
    files.append(REPOSITORY / "tests" / "formats" / "meal_master_archive.txt")
    return [path.read_bytes() for path in sorted(files) if path.is_file()]


def mutate(data: bytes, chance: Random, others: list[bytes]) -> bytes:
    """A few changes: bytes replaced, cut, doubled, or taken from another input."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(data))
        end = min(len(data), at + chance.choice([0, 1, 2, 9, 60, 400]))
        other = chance.choice(others)
        start = chance.randint(0, len(other))
        piece = chance.choice(
            [
                bytes([chance.randrange(256)]),
                chance.choice(PIECES),
                chance.choice(PIECES) * chance.choice([2, 30]),
                b"",
                data[at:end] * 2,
                other[start : start + chance.choice([5, 50, 500])],
            ]
        )
        data = data[:at] + piece + data[end:]
    return data[:20_000]


# Files, trackers and writers


def draw_file(chance: Random) -> bytes:
    return mutate(chance.choice(recipe_files()), chance, recipe_files())


@cache
def tracker(name: str) -> npn.Tracker:
    return load_tracker(name)


def check_file(data: bytes) -> None:
    try:
        items = list(read_file("-", io.BytesIO(data)))
    except NpnError as error:
        assert "\n" not in str(error), "a sentence is one line"
        return
    traces = []
    for item in items[:3]:
        if isinstance(item, Found):
            for name in ("weak-labels", "first-mention", "paper"):
                traces.append(tracker(name).track(item.recipe))
    for trace in traces:
        assert Trace.from_json(trace.to_json()) == trace, "a trace is what its JSON says"
    write_all(traces)


def write_all(traces: list[Trace]) -> None:
    for writer in writers().values():
        for some in [[trace] for trace in traces] if writer.one_each else [traces]:
            writer.write(iter(some), io.StringIO())
    for binary in binary_writers().values():
        binary.write(iter(traces), io.BytesIO())


# Traces as JSON


@cache
def traces_as_json() -> list[bytes]:
    found = []
    for data in recipe_files()[:12]:
        try:
            items = list(read_file("-", io.BytesIO(data)))
        except NpnError:
            continue
        for item in items[:1]:
            if isinstance(item, Found):
                found.append(tracker("weak-labels").track(item.recipe).to_json().encode())
    return found


def alter(value: Any, chance: Random) -> Any:
    """A JSON value with one change somewhere in it."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        if chance.random() < 0.1:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: alter(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        return [*value[:at], alter(value[at], chance), *value[at + chance.randint(1, 1) :]]
    simple = [one for one in VALUES if isinstance(one, int | float | str | list | dict | None)]
    return chance.choice(simple)


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


# Model files


@cache
def model_file() -> bytes:
    return SHIPPED["paper"].read_bytes()


def draw_model(chance: Random) -> bytes:
    """A change to what the header says, with the right hash, as (where, value) pairs."""
    header = read_tensors(SHIPPED["paper"]).header
    header.pop("hash")
    small = {key: header[key] for key in ("name", "architecture", "config", "kind")}
    if chance.random() < 0.3:  # bytes of the table, by place
        changes = [[chance.randrange(9_000), chance.randrange(256)] for _ in range(3)]
        return json.dumps({"bytes": changes}).encode()
    return json.dumps({"header": alter(small, chance)}).encode()


def check_model(data: bytes) -> None:
    change = json.loads(data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        if "bytes" in change:
            whole = bytearray(model_file())
            for at, byte in change["bytes"]:
                whole[at] = byte
            path.write_bytes(whole)
        else:
            file = read_tensors(SHIPPED["paper"])
            file.header.pop("hash")
            header = {"vocabulary": file.header["vocabulary"]}
            header |= change["header"] if isinstance(change["header"], dict) else {}
            header["hash"] = content_hash(header, file.tensors)
            write_tensors(path, file.tensors, header)
        try:
            load_tracker(path).track(Recipe.from_lists("", ["1 egg"], ["Boil the egg."]))
        except NpnError as error:
            assert "\n" not in str(error), "a sentence is one line"


# Lexicons

ACTIONS = b"""[mix]\ncombines = true\nwords = ["mix", "blend"]\n\n[bake]\ncookedness = "cooked"
temperature = "hot"\nlocation = "oven"\n\n[cut]\nshape = "separated"\n"""


@cache
def lexicon_files() -> tuple[bytes, bytes]:
    folder = REPOSITORY / "src" / "npn" / "rules" / "lexicon"
    actions = (folder / "actions.toml").read_bytes()
    return actions[:3_000], (folder / "end_states.toml").read_bytes()


def draw_lexicon(chance: Random) -> bytes:
    actions, ends = lexicon_files()
    return mutate(chance.choice([ACTIONS, actions]), chance, [ACTIONS, actions, ends])


def check_lexicon(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "actions.toml").write_bytes(data)
        (Path(folder) / "end_states.toml").write_bytes(lexicon_files()[1])
        try:
            labeller = WeakLabeller(load_lexicon_folder(Path(folder)))
        except NpnError:
            return
        labeller.track(Recipe.from_lists("", ["1 egg"], ["Mix the egg. Cut and bake it."]))


# Python arguments, as the numbers of a call and of values


def calls() -> list[Callable[..., object]]:
    egg = Recipe.from_lists("", ["1 egg", "salt"], ["Boil the egg.", "Salt it."])
    mention = tracker("mention")
    trace = tracker("weak-labels").track(egg)
    return [
        Recipe.from_text, Recipe.from_lists, Recipe.from_dict, npn.load, mention.track,
        tracker("weak-labels").track, tracker("paper").track, mention.start,
        lambda value: list(mention.track_many(value)), mention.start(["egg"]).step,
        lambda value: mention.start(["egg"]).state(value), trace.state, trace.uses,
        lambda value: trace.piles(after=value), trace.first_use, trace.touched,
        Trace.from_dict, Trace.from_json, npn.Amount.from_dict, npn.suggest,
        lambda value: npn.suggest(egg, value), lambda value: npn.suggest(egg, after=value),
        lambda one, other: trace.state(one, other), lambda value: trace.mixtures(value),
    ]  # fmt: skip


def draw_call(chance: Random) -> bytes:
    numbers = [chance.randrange(len(calls())), *(chance.randrange(len(VALUES)) for _ in range(3))]
    return json.dumps([*numbers, chance.choice([1, 1, 1, 2, 3])]).encode()


def check_call(data: bytes) -> None:
    which, *numbers, count = json.loads(data)
    try:
        calls()[which](*[VALUES[number] for number in numbers[:count]])
    except NpnError:
        pass
    except TypeError as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        ours = "raise" in (frame.line or linecache.getline(frame.filename, frame.lineno or 0))
        assert ours or frame.filename == __file__, (
            f"an accident in {frame.filename}:{frame.lineno}: {error}"
        )


TARGETS = {
    "file": Target(draw_file, check_file),
    "trace": Target(draw_trace, check_trace),
    "model": Target(draw_model, check_model),
    "lexicon": Target(draw_lexicon, check_lexicon),
    "call": Target(draw_call, check_call),
}


def fault_of(target: str, data: bytes) -> str:
    """What is wrong with how an input ends; empty if nothing is."""
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            TARGETS[target].check(data)
    except Exception as error:  # whatever it is, it is what we look for
        frames = traceback.extract_tb(error.__traceback__)
        where = next((f for f in reversed(frames) if "npn" in f.filename), frames[-1])
        return f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"[:400]
    seconds = time.process_time() - began
    return f"it takes {seconds:.1f} s" if seconds > SLOWEST else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--target", action="append", choices=TARGETS)
    given = parser.parse_args()
    chance = Random(given.seed)
    names = given.target or list(TARGETS)
    tried = dict.fromkeys(names, 0)
    faults: dict[str, bytes] = {}
    end = time.monotonic() + given.seconds
    while time.monotonic() < end:
        name = names[sum(tried.values()) % len(names)]
        data = TARGETS[name].draw(chance)
        tried[name] += 1
        fault = fault_of(name, data)
        place = PLACE.findall(fault)[:1] or [fault]
        if fault and place[0] not in faults:
            faults[place[0]] = data
            digest = hashlib.sha256(data).hexdigest()[:12]
            CORPUS.mkdir(exist_ok=True)
            (CORPUS / f"{name}-{digest}.bin").write_bytes(data)
            print(f"{name}-{digest}: {fault}", flush=True)
    counts = ", ".join(f"{count:,} of {name}" for name, count in tried.items())
    print(f"seed {given.seed}: {sum(tried.values()):,} inputs ({counts}), {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
