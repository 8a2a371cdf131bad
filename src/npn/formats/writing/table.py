"""A table to read in a terminal: the steps, who is touched when, and what is left in the end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from npn.formats.writing import Writer, piles, wording
from npn.formats.writing.wording import CellMark, Row, blocks, legend, matrix
from npn.trace import Trace

WIDTH = 80  # where there is no terminal to ask
NARROWEST, WIDEST = 40, 110  # longer lines are hard to read
LONGEST_NAME = 22
WIDE = 100  # enough to say each action beside the step that says it anyway
UNTOUCHED = "·"
# A space at which no line may be broken. Rich breaks lines at all white space, at a no-break space
# too; so this stands for it until the page is written: a lone surrogate, which `plain` leaves in no
# text.
UNBROKEN = "\ud800"
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
    console = Console(file=out, width=width(out), highlight=False, emoji=False, markup=False)
    for number, trace in enumerate(traces):
        with console.capture() as page:
            if number:
                console.rule(style="dim")
            print_trace(trace, console)
        lines = page.get().replace(UNBROKEN, " ").split("\n")
        out.write("\n".join(line.rstrip(" ") for line in lines))


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
    names = wording.ingredient_names(trace)
    console.print(Text(wording.title(trace), style="bold"))
    console.print(Text(wording.summary(trace), style="dim"))
    console.print()
    console.print(steps_table(trace, names, with_actions=console.width >= WIDE))
    console.print()
    rows = matrix(trace)
    if rows is None:
        console.print(Text("(ingredients by steps: too large to draw; --to json has it all)"))
        console.print()
    else:
        print_matrix(rows, names, console)
    for sentence in wording.remarks(trace, names):
        console.print(Text(sentence))
        console.print()
    print_end(trace, names, console)


def steps_table(trace: Trace, names: list[str], with_actions: bool) -> Table:
    """A column that would stay empty, as a rule's changes would, is left out."""
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, expand=True, pad_edge=False, header_style="bold"
    )
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("step", ratio=5)
    kept = []
    for head, style, cells in columns(trace, names, with_actions):
        if any(cells):
            table.add_column(head, ratio=2 if head == "actions" else 4, style=style)
            kept.append(cells)
    section = None
    for number, step in enumerate(trace.steps):
        if step.section and step.section != section:
            table.add_row("", Text(wording.plain(step.section), style="bold"))
        section = step.section
        row = [str(number + 1), wording.plain(step.text), *(cells[number] for cells in kept)]
        together = (wording.IN_MIXED_NUMBER.sub(UNBROKEN, cell) for cell in row)
        table.add_row(*(Text(cell) for cell in together))  # Text, so that "[b]" is not markup
    return table


def columns(
    trace: Trace, names: list[str], with_actions: bool
) -> Iterator[tuple[str, str, list[str]]]:
    """Head, style and cells of each column that speaks of the steps."""
    yield "takes", "yellow", ["\n".join(phrases) for phrases in wording.taken(trace, names)]
    yield "acts on", "cyan", piles.acted_on(trace, names)
    if with_actions:
        actions = [[wording.plain(action.name) for action in step.actions] for step in trace.steps]
        yield "actions", "bold", ["\n".join(cell) for cell in actions]
    yield "what changes", "green", ["\n".join(cell) for cell in piles.changed(trace, names)]


def print_matrix(rows: Sequence[Row], names: list[str], console: Console) -> None:
    """Ingredients down, steps across, in as many blocks as the width asks for."""
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


def draw(marks: tuple[CellMark, ...], line: Text, cell: int) -> None:
    line.append(" " * (cell - max(1, len(marks))))
    for mark in marks:
        line.append(mark.sign, style=style(mark))
    if not marks:
        line.append(UNTOUCHED, style="dim")


def style(mark: CellMark) -> str:
    colour = COLD if mark.meaning == "cold" else COLOURS.get(mark.type, "")
    return f"bold {colour}".rstrip()


def print_legend(marks: Sequence[CellMark], console: Console) -> None:
    if not marks:
        return
    line = Text()
    for mark in marks:
        line.append(mark.sign, style=style(mark))
        line.append(f" {mark.meaning}".replace(" ", UNBROKEN) + "  ", style="dim")
    console.print(line)
    console.print()


def print_end(trace: Trace, names: list[str], console: Console) -> None:
    end = piles.in_the_end(trace, names)
    if not end:
        return
    console.print(Text("In the end", style="bold"))
    table = Table(box=None, show_header=False, pad_edge=False, expand=True)
    table.add_column(ratio=1, style="cyan")
    table.add_column(ratio=1, style="green")
    for what, how in end:
        table.add_row(Text(what), Text(how))
    console.print(table)
    console.print()


def fitted(name: str) -> Text:
    text = Text.assemble((name, "cyan"))  # the name's colour, not that of what follows it
    text.truncate(LONGEST_NAME, overflow="ellipsis")
    return text


WRITER = Writer("table", "a table to read in a terminal", ".txt", write)
