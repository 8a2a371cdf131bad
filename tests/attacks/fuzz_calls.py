"""Arguments in Python, and bodies sent to the server."""

from __future__ import annotations

import base64
import json
import linecache
import traceback
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from fuzz_files import draw_file, traces_as_json, tracker
from mutations import VALUES, alter

import npn
from npn.errors import NpnError
from npn.recipe import Recipe
from npn.trace import Trace
from npn.web.jobs import JOBS, Kitchen
from npn.web.message import WebJob
from npn.web.worker_pool import answer

FAULT = 500
JSON = "application/json"
EGG = {
    "title": "Egg",
    "ingredients": [{"text": "1 egg"}, {"text": "salt"}],
    "steps": ["Boil the egg.", "Salt it."],
}


@cache
def calls() -> list[Callable[..., object]]:
    egg = Recipe.from_lists("", ["1 egg", "salt"], ["Boil the egg.", "Salt it."])
    mention = tracker("mention")
    trace = tracker("weak-labels").track(egg)
    return [
        Recipe.from_text, Recipe.from_lists, Recipe.from_dict, npn.load, mention.track,
        tracker("weak-labels").track, tracker("paper").track, mention.start,
        lambda value: list(mention.track_many(value)),
        lambda value: mention.start(["egg"]).step(value),
        lambda value: mention.start(["egg"]).state(value), trace.state, trace.uses,
        lambda value: trace.piles(after=value), trace.first_use, trace.touched,
        Trace.from_dict, Trace.from_json, npn.Amount.from_dict, npn.suggest,
        lambda value: npn.suggest(egg, value), lambda value: npn.suggest(egg, after=value),
        lambda one, other: trace.state(one, other), lambda value: trace.mixtures(value),
    ]  # fmt: skip


def draw_call(chance: Random) -> bytes:
    """The number of a call and, by their numbers, of its arguments; or a table for one."""
    which = chance.randrange(len(calls()))
    if chance.random() < 0.5:
        table = json.loads(chance.choice([json.dumps(EGG).encode(), *traces_as_json()[:3]]))
        return json.dumps([which, alter(alter(table, chance), chance)]).encode()
    numbers = [chance.randrange(len(VALUES)) for _ in range(3)]
    return json.dumps([which, *numbers, chance.choice([1, 1, 1, 2, 3])]).encode()


def check_call(data: bytes) -> None:
    which, *rest = json.loads(data)
    values = rest if len(rest) == 1 else [VALUES[number] for number in rest[: rest[-1]]]
    try:
        calls()[which](*values)
    except NpnError:
        pass
    except TypeError as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        ours = "raise" in (frame.line or linecache.getline(frame.filename, frame.lineno or 0))
        assert ours or frame.filename == __file__, (
            f"an accident in {frame.filename}:{frame.lineno}: {error}"
        )


@cache
def kitchen() -> Kitchen:
    return Kitchen("weak-labels")


def draw_body(chance: Random) -> bytes:
    """A job, its parameters and its body, as JSON with the body in base 64."""
    job = chance.choice(sorted(JOBS))
    if chance.random() < 0.3:
        type_, body = chance.choice(["text/plain", JSON, ""]), draw_file(chance)
    else:
        trace = json.loads(chance.choice(traces_as_json()))
        type_, body = JSON, json.dumps(alter(_wrapped(job, trace), chance)).encode()
    parameters = {
        key: str(chance.choice([0, 1, 2, -1, "", "x", "json", "mealie", "1e9", "nan"]))
        for key in ("which", "after", "step", "n", "scale", "to", "name")
        if chance.random() < 0.2
    }
    encoded = base64.b64encode(body).decode()
    return json.dumps({"job": job, "at": parameters, "type": type_, "body": encoded}).encode()


def _wrapped(job: str, trace: Any) -> dict[str, Any]:
    """A body that this job takes."""
    body: dict[str, Any] = {"trace": trace, "recipe": EGG} if job != "next" else {"recipe": EGG}
    labels = {"uses": [{"step": 0, "ingredient": 0, "fraction": 0.5}], "acts": [[0], [0]]}
    more: dict[str, dict[str, Any]] = {
        "ask": {"question": "Where is the egg now?"},
        "compare": {"before": trace},
        "correct": {"corrections": [{"step": 0, "ingredient": 0, "acts": True}]},
        "labels": {"labels": labels, "id": "x"},
        "agreement": {"annotators": {"a": [labels], "b": [labels]}},
        "write": {"to": "json"},
    }
    return body | more.get(job, {})


def check_body(data: bytes) -> None:
    sent = json.loads(data)
    body = base64.b64decode(sent["body"])
    done = answer(kitchen(), WebJob(sent["job"], sent["at"], sent["type"], body))
    assert done.status != FAULT, f"a fault of {sent['job']}"
    if done.status != 200:
        assert "\n" not in json.loads(done.body)["error"], "a sentence is one line"
