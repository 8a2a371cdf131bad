"""Markdown with tables: to paste into a page, a note or an issue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TextIO

from npn.formats.writing import wording
from npn.formats.writing.base import Writer
from npn.formats.writing.matrix import Row, blocks, legend, matrix
from npn.trace import Trace

SPECIAL = re.compile(r"[\\`*_\[\]<|~&$]")  # the rest means something at the start of a line only
STEPS_AT_ONCE = 20


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for number, trace in enumerate(traces):
        out.write("\n---\n\n" if number else "")
        out.write("\n".join(page(trace)) + "\n")


def page(trace: Trace) -> list[str]:
    names = wording.ingredient_names(trace)
    lines = [f"# {escape(wording.title(trace))}", "", escape(wording.summary(trace)), ""]
    lines += [*steps_table(trace, names), ""]
    rows = matrix(trace)
    if rows:
        lines += matrix_tables(rows, names)
    for sentence in (wording.never_acted_on(trace, names), wording.unlisted(trace)):
        if sentence:
            lines += [escape(sentence), ""]
    states = wording.final_states(trace, names)
    if states:
        body = [[escape(who), escape(what)] for who, what in states]
        lines += ["## In the end", "", *table(["ingredients", "state"], body), ""]
    return lines[:-1]


def steps_table(trace: Trace, names: list[str]) -> list[str]:
    """A column that would stay empty, as a rule's actions would, is left out."""
    with_actions = any(step.actions for step in trace.steps)
    with_changes = any(step.changes for step in trace.steps)
    head = ["", "step", "actions", "acts on", "what changes"]
    body = [
        [
            str(number),
            escape(wording.plain(step.text)),
            escape(", ".join(wording.plain(action.name) for action in step.actions)),
            escape(acted_on),
            "; ".join(escape(phrase) for phrase in wording.changes(step, names)),
        ]
        for number, (step, acted_on) in enumerate(
            zip(trace.steps, wording.acted_on(trace, names), strict=True), 1
        )
    ]
    kept = [0, 1, *([2] if with_actions else []), 3, *([4] if with_changes else [])]
    return table([head[c] for c in kept], [[row[c] for c in kept] for row in body])


def matrix_tables(rows: Sequence[Row], names: list[str]) -> list[str]:
    lines = ["## Ingredients by steps", ""]
    for block in blocks(len(rows[0]), STEPS_AT_ONCE):
        head = ["", *(str(number + 1) for number in block)]
        body = [
            [escape(name), *(escape("".join(mark.sign for mark in row[n])) for n in block)]
            for name, row in zip(names, rows, strict=True)
        ]
        lines += [*table(head, body), ""]
    key = ", ".join(f"{escape(mark.sign)} {mark.meaning}" for mark in legend(rows))
    return [*lines, f"Marks: {key}", ""] if key else lines


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> list[str]:
    return [line(head), "|" + " --- |" * len(head), *(line(row) for row in body)]


def line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def escape(text: str) -> str:
    return SPECIAL.sub(lambda found: "\\" + found.group(), text)


WRITER = Writer("markdown", "Markdown with tables, to paste into a page", ".md", write)
