"""HTML: one page a recipe, to read, print, keep and scale.

The page is whole in itself: it asks for nothing from the web, and is complete without its script,
which only scales amounts. Recipe text is always escaped; as a second lock a policy in the page lets
browsers run that one script and no other.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from npn.formats.writing import Writer, only_one, wording
from npn.formats.writing.flow import can_be_drawn
from npn.formats.writing.html_parts import ingredient_list, lives, step_list
from npn.formats.writing.schema_org import recipe_data
from npn.formats.writing.svg import drawing
from npn.formats.writing.svg_text import markup
from npn.recipe import Yield
from npn.trace import Trace

SCALES = (("½", 0.5), ("1", 1), ("1½", 1.5), ("2", 2), ("3", 3), ("4", 4))
AS_WRITTEN = '<p class="now" hidden>The amounts below are those of the recipe as written.</p>'
MOST_AT_A_TABLE = 8  # servings
# Of a printed sheet: millimetres below its title and of a line, letters to a line.
SHEET, LINE = 250, 3.9
LETTERS_OF_LINE, LETTERS_OF_STEP = 30, 52
LEAST_HEIGHT = 60

# How a page looks: one column on a phone, two on a desk, one sheet of paper; light and dark.
STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
SCRIPT = Path(__file__).with_name("page.js").read_text(encoding="utf-8")  # scales the amounts


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for trace in only_one(traces, "html"):
        out.write(page(trace))


def page(trace: Trace) -> str:
    """The page of a trace."""
    names = wording.ingredient_names(trace)
    title = markup(wording.title(trace))
    remarks = "".join(f"<p>{markup(one)}</p>" for one in wording.remarks(trace, names))
    height = _flow_height(trace)
    flow = (
        f'<section class="flow{"" if height else " unprinted"}" style="--height:{height}mm">'
        f"<h2>How it comes together</h2>{AS_WRITTEN}{drawing(trace, heading=False)}"
        f"{remarks}</section>"
        if can_be_drawn(trace)
        else ""
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}</style>\n"
        f'<script type="application/ld+json">{_data(trace)}</script>\n'
        f"</head>\n<body>\n<main>\n<header><h1>{title}</h1>"
        f"<p>{markup(wording.summary(trace))}</p>{_scales(trace.yields)}</header>\n"
        f"{ingredient_list(trace)}\n{step_list(trace, names)}\n{flow}\n{lives(trace, names)}\n"
        f"</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _scales(made: Yield | None) -> str:
    """The choice of servings, or of scales where nobody knows the servings; hidden where no script
    shows it."""
    counted = made is not None and made.quantity % 1 == 0
    choices = _counts(made) if made and counted else [(f"{label}×", x) for label, x in SCALES]
    buttons = "".join(
        f'<button type="button" data-times="{times:.10g}" '
        f'aria-pressed="{str(times == 1).lower()}">{label}</button>'
        for label, times in choices
    )
    what = f" {markup(wording.plain(made.of))}" if made and counted else ""
    name = "Scale the amounts"
    return f'<p class="scale" role="group" aria-label="{name}" hidden>{buttons}{what}</p>'


def _counts(made: Yield) -> list[tuple[str, float]]:
    """Servings to choose from, around those that the recipe is for, and how often that is it."""
    whole = int(made.quantity)
    halves = {whole // 2 * n for n in (1, 3)} if whole % 2 == 0 else set()
    few = {1, 2, 4, 6} if whole <= MOST_AT_A_TABLE else set()
    counts = sorted({whole, 2 * whole, 3 * whole} | halves | few)
    return [
        (f"{one}-{made.most:g}" if one == whole and made.most else str(one), one / whole)
        for one in counts
    ]


def _data(trace: Trace) -> str:
    """The recipe as JSON-LD that no text in it can end: "<" is written as its code."""
    text = json.dumps(recipe_data(trace), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _policy() -> str:
    digest = base64.b64encode(hashlib.sha256(f"\n{SCRIPT}".encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _flow_height(trace: Trace) -> int:
    """The millimetres that a printed sheet has for the flow, below the list and beside the steps;
    0 where that is too little to see anything, or where the steps fill more than a sheet."""
    wrapped = sum(1 + len(one.text) // LETTERS_OF_LINE for one in trace.ingredients)
    headings = len({one.section for one in trace.ingredients if one.section})
    steps = sum(
        max(2 + len(step.text) // LETTERS_OF_STEP, len(step.uses)) + 0.5 for step in trace.steps
    )
    left = SHEET - LINE * (wrapped + 1.5 * headings)
    return int(left) if left >= LEAST_HEIGHT and steps * LINE <= SHEET else 0


WRITER = Writer(
    "html", "a page to read, print and scale, whole in itself", ".html", write, one_each=True
)
