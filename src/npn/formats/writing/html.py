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
from typing import TextIO

from npn.formats.writing import Writer, only_one, wording
from npn.formats.writing.flow import can_be_drawn
from npn.formats.writing.html_parts import SCRIPT, ingredient_list, lives, step_list
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


def write(traces: Iterable[Trace], out: TextIO) -> None:
    for trace in only_one(traces, "html"):
        out.write(page(trace))


def page(trace: Trace) -> str:
    """The page of a trace."""
    names = wording.ingredient_names(trace)
    title = markup(wording.title(trace))
    remarks = [
        f"<p>{markup(sentence)}</p>"
        for sentence in (wording.never_used(trace, names), wording.unlisted(trace))
        if sentence
    ]
    height = _flow_height(trace)
    flow = (
        f'<section class="flow{"" if height else " unprinted"}" style="--height:{height}mm">'
        f"<h2>How it comes together</h2>{AS_WRITTEN}{drawing(trace, heading=False)}"
        f"{''.join(remarks)}</section>"
        if can_be_drawn(trace)
        else ""
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}\n</style>\n"
        f'<script type="application/ld+json">{_data(trace)}</script>\n'
        f"</head>\n<body>\n<main>\n<header><h1>{title}</h1>"
        f"<p>{markup(wording.summary(trace))}</p>{_scales(trace.yields)}</header>\n"
        f"{ingredient_list(trace)}\n{step_list(trace, names)}\n{flow}\n{lives(trace, names)}\n"
        f"</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
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
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
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


# -- How a page looks: one column on a phone, two on a desk, one sheet of paper; light and dark.

STYLE = """
:root { --paper: #fff; --ink: #1c1c1c; --faint: #5a5a5a; --line: #d8d8d8; --tint: #f4f1ec;
  --accent: #0b6e99; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #ececec; --faint: #a9adb3;
  --line: #3a3e45; --tint: #22252b; --accent: #6cc4ee; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: .9rem 0 .2rem; color: var(--faint); }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
ul, ol { list-style: none; margin: 0; padding: 0; }
section { margin: 0 0 2rem; }
header { margin-bottom: 1.2rem; }
header p { margin: 0; color: var(--faint); font-size: .9rem; }
.scale { display: flex; align-items: center; flex-wrap: wrap; gap: .4rem; margin-top: .6rem; }
.scale[hidden] { display: none; }
.scale button { min-width: 2.9rem; min-height: 2.4rem; padding: 0 .6rem; font: inherit;
  cursor: pointer; color: var(--ink); background: var(--tint); border: 1px solid var(--line);
  border-radius: .5rem; }
.scale button[aria-pressed=true] { background: var(--accent); border-color: var(--accent);
  color: var(--paper); }
.list li { padding: .15rem 0; }
.list small { color: var(--faint); white-space: nowrap; }
.list small::before { content: "step "; }
.now { color: var(--accent); }
.step { display: grid; grid-template-columns: 2rem minmax(0, 1fr); gap: .2rem .6rem;
  padding: .7rem 0; border-top: 1px solid var(--line); scroll-margin-top: .5rem; }
.heading + .step, .step:first-child { border-top: 0; }
.step:target .number { outline: 3px solid var(--line); outline-offset: 2px; }
.number { width: 1.8rem; height: 1.8rem; border-radius: 50%; text-align: center;
  line-height: 1.8rem; font-weight: 700; font-size: .85rem; background: var(--accent);
  color: var(--paper); }
.step p { margin: 0; }
.takes { grid-column: 2; padding: .4rem .7rem; background: var(--tint); border-radius: .5rem;
  font-size: .92rem; align-self: start; }
.piles { grid-column: 2; font-size: .85rem; line-height: 1.4; color: var(--faint); }
.piles b { font-weight: 600; }
.flow svg { display: block; width: 100%; height: auto; max-width: 30rem; }
@media (max-width: 30rem) { .flow svg { width: calc(100% + 1.5rem); margin: 0 -.75rem; } }
.flow p { color: var(--faint); font-size: .9rem; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem .3rem 0;
  border-top: 1px solid var(--line); }
th { width: 8.5rem; font-weight: 600; }
td li { display: inline-block; margin-right: .9rem; }
td a { font-weight: 700; }
@media (min-width: 56rem) {
  main { display: grid; grid-template-columns: minmax(15rem, 19rem) 1fr; gap: 0 3rem;
    padding: 2rem; }
  header { grid-column: 1 / 3; }
  .list { grid-column: 1; grid-row: 2; }
  .steps { grid-column: 2; grid-row: 2; }
  .step { grid-template-columns: 2rem minmax(0, 1fr) 15rem; grid-template-rows: auto 1fr; }
  .takes { grid-column: 3; grid-row: 1 / 3; }
  .flow { grid-column: 1 / 3; grid-row: 3; }
  .lives { grid-column: 1 / 3; grid-row: 4; }
}
@media (min-width: 70rem) {
  .flow, .lives { grid-row: 3; }
  .flow { grid-column: 1 / 2; width: 29rem; }
  .lives { grid-column: 2; margin-left: 10rem; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --faint: #444; --line: #bbb; --tint: #fff; --accent: #000; }
  @page { size: A4; margin: 10mm; }
  body { font-size: 8.5pt; line-height: 1.28; }
  main { display: grid; grid-template-columns: 52mm 1fr; gap: 0 6mm; padding: 0; max-width: none; }
  header { grid-column: 1 / 3; margin-bottom: 2mm; }
  header p, .scale, .lives, .beside, .list small { display: none; }
  h1 { font-size: 14pt; } h2 { font-size: 10pt; margin-bottom: 1mm; }
  h3 { font-size: 9pt; margin: 1mm 0 .5mm; }
  section { margin: 0; }
  .list { grid-column: 1; grid-row: 2; position: static; }
  .steps { grid-column: 2; grid-row: 2 / 4; }
  .list li { padding: 0; }
  .step { grid-template-columns: 5mm minmax(0, 1fr) 40mm; grid-template-rows: auto 1fr; gap: 0 2mm;
    padding: .8mm 0; break-inside: avoid; }
  .number { width: auto; height: auto; line-height: inherit; background: none;
    color: #000; font-size: inherit; }
  .takes { grid-column: 3; grid-row: 1 / 3; padding: 0; font-size: inherit; }
  .piles { font-size: 7.5pt; }
  .flow { grid-column: 1; grid-row: 3; margin-top: 3mm; }
  .flow h2, .flow p { display: none; }
  .flow svg { width: 52mm; max-height: var(--height); }
  .unprinted { display: none; }
  a { color: inherit; }
}
""".strip()


WRITER = Writer(
    "html", "a page to read, print and scale, whole in itself", ".html", write, one_each=True
)
