"""SVG: how the ingredients flow through piles to the dish, from top to bottom.

Each pile is a vertical line; each step is a numbered dot on the line of the pile that it acts on,
and lines join where piles are put together. Every text has a row of its own to the right of all
lines, so that nothing can overlap. The picture follows the reader's light or dark scheme, prints on
white, holds no script, and says the same in words for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TextIO

from npn.formats.writing import Writer, only_one, wording
from npn.formats.writing.flow import (
    Flow,
    FlowStage,
    Lane,
    StageWords,
    can_be_drawn,
    described,
    flow_of,
    lanes_of,
    stage_words,
    steps_with_piles,
)
from npn.formats.writing.svg_text import COLOURS, STYLE, markup, wrapped
from npn.trace import Trace

LANE = 25  # from one lane to the next
MARGIN = 19
TEXT = 300  # the width of the column of text
SIZE = 14  # of letters
BOLD = 15.7  # bold letters are as wide as larger ones
LINE = 20  # from one line of text to the next
RADIUS = 11  # of a step's dot
BEND = 9  # of the corners of lines
GAP = 12  # above a stage
MOST_LINES = 2  # of a step's text


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for trace in only_one(traces, "svg"):
        out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{drawing(trace)}\n')


def drawing(trace: Trace, heading: bool = True) -> str:
    """The picture of a trace as one <svg> element, with the title over it unless told."""
    title = wording.title(trace)
    if not can_be_drawn(trace):
        return _Drawing(0).finished(title, "This recipe is too large to draw.")
    flow = flow_of(trace)
    lanes = lanes_of(flow)
    picture = _Drawing(1 + max((lane.number for lane in lanes), default=0))
    names = wording.ingredient_names(trace)
    words = stage_words(trace, flow, names)
    if heading:
        picture.heading(title)
    _draw_stages(picture, trace, flow, lanes, words)
    if flow.ends:
        picture.dish(flow.ends[-1], lanes, title)
    if heading:
        picture.remark(wording.never_used(trace, names))
        picture.remark(wording.unlisted(trace))
    return picture.finished(f"{title}: how it comes together", described(trace, flow, words))


def _draw_stages(
    picture: _Drawing,
    trace: Trace,
    flow: Flow,
    lanes: tuple[Lane, ...],
    words: list[StageWords],
) -> None:
    steps = steps_with_piles(trace)
    section = None
    for n, stage in enumerate(flow.stages):
        step = steps[stage.step]
        if step.section and step.section != section:
            picture.section(step.section)
        section = step.section
        again = bool(n) and flow.stages[n - 1].step == stage.step
        picture.stage(n, stage, lanes, words[n], again, n in flow.ends[:-1])


@dataclass(slots=True)
class _Drawing:
    """Lines, dots and texts, each layer above the one before, and how far down they go."""

    width_in_lanes: int
    y: float = 0.0
    thin: list[str] = field(default_factory=list)
    halos: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    thick: list[str] = field(default_factory=list)
    dots: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)  # of the stages

    @property
    def left(self) -> float:
        """Where texts begin."""
        return 2 * MARGIN + LANE * (self.width_in_lanes - 1) + 14

    @property
    def width(self) -> float:
        return self.left + TEXT + 8

    def heading(self, title: str) -> None:
        self.y = 10
        for line in wrapped(title, self.width - 2 * MARGIN, 20, 3):
            self.y += 24
            self.texts.append(
                f'<text x="{MARGIN - RADIUS}" y="{_n(self.y)}" class="h">{markup(line)}</text>'
            )
        self.y += 8

    def section(self, heading: str) -> None:
        self.y += GAP
        for line in wrapped(heading, TEXT, BOLD, 2):
            self.text(line, "s")

    def text(self, line: str, kind: str = "") -> None:
        self.y += LINE
        attribute = f' class="{kind}"' if kind else ""
        self.texts.append(
            f'<text x="{_n(self.left)}" y="{_n(self.y)}"{attribute}>{markup(line)}</text>'
        )

    def stage(
        self,
        n: int,
        stage: FlowStage,
        lanes: tuple[Lane, ...],
        words: StageWords,
        again: bool,
        ends: bool,
    ) -> None:
        """The portions that a stage takes, one a row, then the stage itself."""
        x, colour = _x(lanes[n]), lanes[n].colour % COLOURS
        self.y += GAP / 2 if again else GAP
        starts = []
        for phrase in words.takes:
            lines = wrapped(phrase, TEXT, SIZE, 2)
            for line in lines:
                self.text(line, "i")
            starts.append(self.y - LINE * (len(lines) - 1) - SIZE / 3)
        texts = [] if again else wrapped(words.text, TEXT, BOLD, MOST_LINES)
        self.y += 4
        row = self.y + LINE - SIZE / 3
        for start in starts:
            self.portion(x, start, row, colour)
        self.rows.append(row)
        for source in stage.inputs:
            self.join(_x(lanes[source]), self.rows[source], x, row, lanes[source].colour % COLOURS)
        full = f"<title>{markup(words.text)}</title>"
        ring = (
            f'<circle cx="{x}" cy="{_n(row)}" r="{RADIUS + 4}" class="r r{colour}"/>'
            if ends
            else ""
        )
        self.dots.append(
            f'<g>{full}{ring}<circle cx="{x}" cy="{_n(row)}" r="{RADIUS}" class="d d{colour}"/>'
            f'<text x="{x}" y="{_n(row + 4)}" class="n">{stage.step + 1}</text></g>'
        )
        for line in texts:
            self.text(line, "t")
        for line in wrapped(words.result, TEXT, SIZE - 1, 2):
            self.text(line, "p")
        self.y = max(self.y, row + RADIUS - SIZE / 3)

    def portion(self, x: float, start: float, row: float, colour: int) -> None:
        """A line from a portion's dot to its lane, and down to the stage."""
        rail = self.left - 11
        bend = min(BEND, row - start)
        near = min(x + LANE / 2, rail)  # from where on it lies above the halo of its own lane
        self.thin.append(f'<path d="M{_n(rail)} {_n(start)}H{_n(near)}" class="l{colour}"/>')
        corner = f"H{_n(x + bend)}Q{x} {_n(start)} {x} {_n(start + bend)}V{_n(row)}"
        self.ends.append(f'<path d="M{_n(near)} {_n(start)}{corner}" class="l{colour}"/>')
        self.dots.append(f'<circle cx="{_n(rail)}" cy="{_n(start)}" r="3.5" class="d d{colour}"/>')

    def join(self, x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        """The line of a pile from its last stage to the next."""
        if x0 == x1:
            path = f"M{x0} {_n(y0)}V{_n(y1)}"
        else:
            bend = min(2 * BEND, abs(y1 - y0))
            side = bend if x1 > x0 else -bend
            path = f"M{x0} {_n(y0)}V{_n(y1 - bend)}Q{x0} {_n(y1)} {_n(x0 + side)} {_n(y1)}H{x1}"
        self.halos.append(f'<path d="M{x0} {_n(y0)}V{_n(y1 - 2 * BEND)}"/>')
        self.thick.append(f'<path d="{path}" class="l{colour}"/>')

    def dish(self, last: int, lanes: tuple[Lane, ...], title: str) -> None:
        """The end of the largest pile, by the name of the recipe."""
        x, colour = _x(lanes[last]), lanes[last].colour % COLOURS
        self.y += GAP + 4
        row = self.y + LINE - SIZE / 3
        self.thick.append(f'<path d="M{x} {_n(self.rows[last])}V{_n(row)}" class="l{colour}"/>')
        self.dots.append(
            f'<circle cx="{x}" cy="{_n(row)}" r="{RADIUS}" class="e l{colour}"/>'
            f'<circle cx="{x}" cy="{_n(row)}" r="5" class="d d{colour}"/>'
        )
        for line in wrapped(title, TEXT, BOLD, 2):
            self.text(line, "t")
        self.y = max(self.y, row + RADIUS - SIZE / 3)

    def remark(self, sentence: str) -> None:
        self.y += GAP / 2
        for line in wrapped(sentence, TEXT, SIZE - 1, 6):
            self.text(line, "p")

    def finished(self, title: str, description: str) -> str:
        width, height = _n(self.width), _n(self.y + MARGIN)
        layers = [
            f'<g class="thin">{"".join(self.thin)}</g>',
            f'<g class="halo">{"".join(self.halos)}</g>',
            f'<g class="thin">{"".join(self.ends)}</g>',
            f'<g class="thick">{"".join(self.thick)}</g>',
            *self.dots,
            *self.texts,
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="npn-flow" role="img" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'aria-labelledby="npn-flow-title npn-flow-desc">\n'
            f'<title id="npn-flow-title">{markup(title)}</title>\n'
            f'<desc id="npn-flow-desc">{markup(description)}</desc>\n'
            f"<style>{STYLE}</style>\n"
            f'<rect width="{width}" height="{height}" class="b"/>\n'
            + "\n".join(layers)
            + "\n</svg>"
        )


def _x(lane: Lane) -> int:
    return MARGIN + LANE * lane.number


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


WRITER = Writer("svg", "a picture: how ingredients flow to the dish", ".svg", write, one_each=True)
