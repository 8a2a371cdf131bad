"""The parsers of other projects that run in node: what they find in what we write.

`make node` installs them into build/node. Run as a program this writes recipes of a corpus as
Cooklang and has the official parser read them, step for step and ingredient for ingredient:

    python tests/formats/writing/node_parsers.py CORPUS.jsonl.gz 2000
"""

from __future__ import annotations

import io
import json
import math
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from npn.formats.cooklang import NOT_USED
from npn.formats.writing import writers
from npn.formats.writing.cooklang_names import find_names
from npn.formats.writing.portions import remainders, taken_portions
from npn.formats.writing.wording import plain
from npn.recipe import Amount
from npn.trace import Trace

ROOT = Path(__file__).parents[3]
MODULES = ROOT / "build" / "node" / "node_modules"
LIST = re.compile(r" \((?:[^()]|\([^()]*\))*\)")


def missing(package: str) -> str:
    """Why a package cannot be asked; empty where it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (MODULES / package).is_dir():
        return f"{package} is not installed: make node"
    return ""


def parsed(script: str, texts: Iterable[str]) -> list[dict[str, Any]]:
    """What a script of the folder `node` answers to each text."""
    asked = "".join(json.dumps(text) + "\n" for text in texts)
    command = ["node", str(Path(__file__).with_name("node") / script), str(MODULES)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def as_cooklang(trace: Trace, extended: bool = False) -> str:
    out = io.StringIO()
    writers()["cooklang"].write([trace], out, extended=extended)
    return out.getvalue()


def cooklang_differences(trace: Trace, found: dict[str, Any]) -> list[str]:
    """Where the parser's reading of what we wrote is not what the trace says."""
    told = []
    if "Error" in found["report"]:
        told.append(f"the parser complains: {found['report'][:300]}")
    steps = [step for section in found["sections"] for step in section["steps"]]
    wanted = [n for n, step in enumerate(trace.steps) if plain(step.text)]
    if len(steps) != len(wanted):
        return [*told, f"{len(wanted)} steps became {len(steps)}"]
    names, taken = find_names(trace).names, taken_portions(trace)
    for n, step in zip(wanted, steps, strict=True):
        text = plain(trace.steps[n].text)
        rest = step.get("text", "")[len(text) :]
        if not step.get("text", "").startswith(text) or LIST.sub("", rest):
            told.append(f"step {n + 1} reads {step!r}, not {text!r}")
        parts = [(one.portion.ingredient, one.amount) for one in taken[n]]
        if n == wanted[-1] and NOT_USED in rest:
            parts += [(one.ingredient, one.amount) for one in remainders(trace)]
        used = Counter(names[i] for i, amount in parts for _ in _each(amount))
        marked = Counter(one["name"] for one in step.get("ingredients", ()))
        if used != marked:
            told.append(f"step {n + 1} uses {used}, not {marked}")
    return told + _wrong_totals(trace, names, steps)


def _each(amount: Amount | None) -> list[Amount | None]:
    """An amount, and the second one of "1 bunch plus 1 cup"."""
    more = amount.plus if amount is not None and amount.quantity is not None else None
    return [amount, more] if more else [amount]


def _wrong_totals(trace: Trace, names: Sequence[str], steps: Sequence[dict[str, Any]]) -> list[str]:
    """Ingredients whose amounts do not add up to what the trace's portions do."""
    wanted: defaultdict[str, float] = defaultdict(float)
    parts = [(one.portion.ingredient, one.amount) for own in taken_portions(trace) for one in own]
    parts += [(one.ingredient, one.amount) for one in remainders(trace)]
    for i, amount in parts:
        for one in _each(amount):
            wanted[names[i]] += (one.quantity or 0) if one else 0
    found: defaultdict[str, float] = defaultdict(float)
    for step in steps:
        for one in step.get("ingredients", ()):
            if one["amount"] and "least" in one["amount"]:
                found[one["name"]] += one["amount"]["least"]
    return [
        f"{name} adds up to {found[name]}, not {wanted[name]}"
        for name in {*wanted, *found}
        if not math.isclose(wanted[name], found[name], rel_tol=1e-3, abs_tol=1e-3)
    ]


def main(corpus: str, count: int) -> None:
    from itertools import islice

    from npn.formats import Found, read_file
    from npn.models import load_tracker

    tracker = load_tracker("weak-labels", None)
    recipes = (item.recipe for item in read_file(corpus) if isinstance(item, Found))
    traces = list(tracker.track_many(islice(recipes, count)))
    answers = parsed("cooklang.mjs", map(as_cooklang, traces))
    wrong = 0
    for trace, answer in zip(traces, answers, strict=True):
        differences = cooklang_differences(trace, answer)
        if differences:
            wrong += 1
            print(f"{trace.title}: {'; '.join(differences)}"[:1000])
    steps = sum(len(trace.steps) for trace in traces)
    uses = sum(len(step.uses) for trace in traces for step in trace.steps)
    print(f"{len(traces):,} recipes, {steps:,} steps, {uses:,} uses: {wrong} read otherwise")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
