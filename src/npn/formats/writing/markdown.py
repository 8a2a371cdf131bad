"""Markdown with tables: to paste into a page, a note or an issue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TextIO

from npn.formats.writing import Writer, piles, wording
from npn.formats.writing.wording import Row, blocks, legend, matrix
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
    for sentence in wording.remarks(trace, names):
        lines += [escape(sentence), ""]
    end = piles.in_the_end(trace, names)
    if end:
        body = [[escape(what), escape(how)] for what, how in end]
        lines += ["## In the end", "", *table(["what there is", "where and how"], body), ""]
    return lines[:-1]


def steps_table(trace: Trace, names: list[str]) -> list[str]:
    """A column that would stay empty, as a rule's actions would, is left out."""
    columns = [
        ("takes", [[escape(one) for one in taken] for taken in wording.taken(trace, names)]),
        ("acts on", [[escape(acted_on)] for acted_on in piles.acted_on(trace, names)]),
        (
            "actions",
            [[escape(wording.plain(a.name)) for a in step.actions] for step in trace.steps],
        ),
        (
            "what changes",
            [[escape(one) for one in changes] for changes in piles.changed(trace, names)],
        ),
    ]
    kept = [(head, cells) for head, cells in columns if any(any(cell) for cell in cells)]
    body = []
    section = None
    for number, step in enumerate(trace.steps):
        if step.section and step.section != section:
            body.append(["", f"**{escape(wording.plain(step.section))}**", *[""] * len(kept)])
        section = step.section
        cells = ["; ".join(cells[number]) for _, cells in kept]
        body.append([str(number + 1), escape(wording.plain(step.text)), *cells])
    return table(["", "step", *(head for head, _ in kept)], body)


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
