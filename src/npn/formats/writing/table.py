"""A table to read in a terminal: the steps, who is touched when, and what is left in the end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from npn.formats.writing import wording
from npn.formats.writing.base import Writer
from npn.formats.writing.matrix import Mark, Row, blocks, legend, matrix
from npn.trace import Trace

if TYPE_CHECKING:  # rich takes a tenth of a second to import: only when a table is printed
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDTH = 80  # where there is no terminal to ask
NARROWEST, WIDEST = 40, 110  # longer lines are hard to read
LONGEST_NAME = 22
UNTOUCHED = "·"
COLOURS = {
    "location": "cyan",
    "cookedness": "red",
    "temperature": "bright_red",
    "composition": "green",
    "shape": "yellow",
    "cleanliness": "magenta",
}
COLD = "blue"


def write(traces: Iterable[Trace], out: TextIO) -> None:
    """Colour goes to terminals only, and not where NO_COLOR is set."""
    from rich.console import Console

    console = Console(file=out, width=width(out), highlight=False, emoji=False, markup=False)
    for number, trace in enumerate(traces):
        with console.capture() as page:
            if number:
                console.rule(style="dim")
            print_trace(trace, console)
        out.write("\n".join(line.rstrip(" ") for line in page.get().split("\n")))


def width(out: TextIO) -> int:
    columns = os.environ.get("COLUMNS", "")
    wanted = WIDTH
    if columns.isdecimal() and int(columns):
        wanted = int(columns)
    elif out.isatty():
        try:
            wanted = os.get_terminal_size(out.fileno()).columns or WIDTH
        except OSError:  # a terminal that does not know its size
            wanted = WIDTH
    return max(NARROWEST, min(wanted, WIDEST))


def print_trace(trace: Trace, console: Console) -> None:
    from rich.text import Text

    names = wording.ingredient_names(trace)
    console.print(Text(wording.title(trace), style="bold"))
    console.print(Text(wording.summary(trace), style="dim"))
    console.print()
    console.print(steps_table(trace, names))
    console.print()
    rows = matrix(trace)
    if rows is None:
        console.print(Text("(ingredients by steps: too large to draw; --to json has it all)"))
        console.print()
    else:
        print_matrix(rows, names, console)
    for sentence in (wording.never_acted_on(trace, names), wording.unlisted(trace)):
        if sentence:
            console.print(Text(sentence))
            console.print()
    print_end(trace, names, console)


def steps_table(trace: Trace, names: list[str]) -> Table:
    """A column that would stay empty, as a rule's actions would, is left out."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    with_actions = any(step.actions for step in trace.steps)
    with_changes = any(step.changes for step in trace.steps)
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, expand=True, pad_edge=False, header_style="bold"
    )
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("step", ratio=5)
    if with_actions:
        table.add_column("actions", style="bold", max_width=12)
    table.add_column("acts on", ratio=3, style="cyan")
    if with_changes:
        table.add_column("what changes", ratio=3, style="green")
    for step, acted_on in zip(trace.steps, wording.acted_on(trace, names), strict=True):
        cells = [str(table.row_count + 1), wording.plain(step.text)]
        if with_actions:
            cells.append("\n".join(wording.plain(action.name) for action in step.actions))
        cells.append(acted_on)
        if with_changes:
            cells.append("\n".join(wording.changes(step, names)))
        table.add_row(*(Text(cell) for cell in cells))  # Text, so that "[b]" is not markup
    return table


def print_matrix(rows: Sequence[Row], names: list[str], console: Console) -> None:
    """Ingredients down, steps across, in as many blocks as the width asks for."""
    from rich.text import Text

    labels = [fitted(name) for name in names]
    indent = max((label.cell_len for label in labels), default=0) + 1
    steps = len(rows[0]) if rows else 0
    most_marks = max((len(marks) for row in rows for marks in row), default=1)
    cell = 1 + max(most_marks, len(str(steps)))
    for block in blocks(steps, max(1, (console.width - indent) // cell)):
        header = "step".ljust(indent) + "".join(f"{number + 1:>{cell}}" for number in block)
        console.print(Text(header, style="bold"), no_wrap=True)
        for label, row in zip(labels, rows, strict=True):
            line = label.copy()
            line.pad_right(indent - line.cell_len)
            for number in block:
                draw(row[number], line, cell)
            console.print(line, no_wrap=True)
        console.print()
    print_legend(legend(rows), console)


def draw(marks: tuple[Mark, ...], line: Text, cell: int) -> None:
    line.append(" " * (cell - max(1, len(marks))))
    for mark in marks:
        line.append(mark.sign, style=style(mark))
    if not marks:
        line.append(UNTOUCHED, style="dim")


def style(mark: Mark) -> str:
    colour = COLD if mark.meaning == "cold" else COLOURS.get(mark.type, "")
    return f"bold {colour}".rstrip()


def print_legend(marks: Sequence[Mark], console: Console) -> None:
    from rich.text import Text

    if not marks:
        return
    line = Text()
    for mark in marks:
        line.append(mark.sign, style=style(mark))
        line.append(f" {mark.meaning}  ", style="dim")
    console.print(line)
    console.print()


def print_end(trace: Trace, names: list[str], console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    states = wording.final_states(trace, names)
    if not states:
        return
    console.print(Text("In the end", style="bold"))
    table = Table(box=None, show_header=False, pad_edge=False, expand=True)
    table.add_column(ratio=1, style="cyan")
    table.add_column(ratio=1, style="green")
    for who, what in states:
        table.add_row(Text(who), Text(what))
    console.print(table)
    console.print()


def fitted(name: str) -> Text:
    from rich.text import Text

    text = Text.assemble((name, "cyan"))  # the name's colour, not that of what follows it
    text.truncate(LONGEST_NAME, overflow="ellipsis")
    return text


WRITER = Writer("table", "a table to read in a terminal", ".txt", write)
