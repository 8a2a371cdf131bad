"""A report as blocks, written as Markdown with figures beside it, or as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

CSS = """
body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; color: #1a1a1a; background: #fff; }
h1, h2, h3 { line-height: 1.2; margin: 2rem 0 .6rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: .86rem; display: block;
  overflow-x: auto; }
th { text-align: left; border-bottom: 1.5px solid #333; padding: .3rem .5rem; }
td { border-bottom: 1px solid #ddd; padding: .3rem .5rem; vertical-align: top; }
td:first-child { min-width: 11rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1.5rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .9rem; color: #444; max-width: 48rem; }
""".strip()

NOTHING = "–"  # in a cell that has no value


@dataclass(frozen=True, slots=True)
class ReportHeading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """All columns but the first `words` hold numbers."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True, slots=True)
class Figure:
    file: str
    svg: str
    caption: str


Block: TypeAlias = ReportHeading | Paragraph | Table | Figure


def to_markdown(blocks: Sequence[Block]) -> str:
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def to_html(title: str, blocks: Sequence[Block]) -> str:
    body = "\n".join(_html(block) for block in blocks)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width">
<style>{CSS}</style>
{body}
</html>
"""


def _markdown(block: Block) -> str:
    match block:
        case ReportHeading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Figure(file, _, caption):
            return f"![{caption.partition('.')[0]}]({file})\n\n*{caption}*"
        case Table(heading, rows, words):
            align = ["---"] * words + ["---:"] * (len(heading) - words)
            lines = [heading, tuple(align), *(tuple(map(_cell, row)) for row in rows)]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _html(block: Block) -> str:
    match block:
        case ReportHeading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Figure(_, svg, caption):
            return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
        case Table(heading, rows, words):
            head = _html_row("th", heading, words)
            body = "\n".join(_html_row("td", row, words) for row in rows)
            return f"<table>\n{head}\n{body}\n</table>"


def _html_row(tag: str, cells: Sequence[str], words: int) -> str:
    marked = "".join(
        f"<{tag}>{escape(cell)}</{tag}>"
        if i < words
        else f'<{tag} class="number">{escape(cell)}</{tag}>'
        for i, cell in enumerate(cells)
    )
    return f"<tr>{marked}</tr>"
