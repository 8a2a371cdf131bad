"""Marks for what earlier steps made, an extension of Cooklang: "@&(~1)dough{}" is what the step
before left, "@&(=2)sauce{}" what the second section left."""

from __future__ import annotations

import re
from itertools import groupby

from npn.formats.writing import wording
from npn.formats.writing.flow import can_be_drawn, flow_of
from npn.trace import Trace

UNSAFE = re.compile(r"[^\w '’-]+")


def result_marks(trace: Trace) -> list[tuple[str, ...]]:
    """For each step the marks of what it goes on with."""
    marks: list[dict[str, None]] = [{} for _ in trace.steps]
    if not can_be_drawn(trace):
        return [()] * len(trace.steps)
    flow, places = flow_of(trace), _places(trace)
    for stage in flow.stages:
        for source in stage.inputs:
            made = flow.stages[source].step
            if made == stage.step or stage.step not in places or made not in places:
                continue
            name = UNSAFE.sub(" ", wording.plain(flow.stages[source].pile.name or "")).strip()
            where = _reference(places[made], places[stage.step])
            marks[stage.step][f"@&({where}){name or f'step {made + 1} result'}{{}}"] = None
    return [tuple(step_marks) for step_marks in marks]


def _reference(made: tuple[int, int], here: tuple[int, int]) -> str:
    """From a place (section, step in it) to an earlier one."""
    return f"~{here[1] - made[1]}" if made[0] == here[0] else f"={made[0]}"


def _places(trace: Trace) -> dict[int, tuple[int, int]]:
    """The section and the place in it of each step with words, both from 1."""
    numbers = [n for n, step in enumerate(trace.steps) if wording.plain(step.text)]
    runs = groupby(numbers, key=lambda n: trace.steps[n].section)
    return {
        n: (section, place)
        for section, (_, run) in enumerate(runs, 1)
        for place, n in enumerate(run, 1)
    }
