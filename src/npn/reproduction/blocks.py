"""A report as blocks: composed from an outline in Markdown, and written as Markdown with figures
beside it or as one HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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

    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1


@dataclass(frozen=True, slots=True)
class Figure:
    file: str
    svg: str
    caption: str


Text: TypeAlias = ReportHeading | Paragraph
Block: TypeAlias = Text | Table | Figure

# -- Composing. An outline is the text of a report, in Markdown: headings and paragraphs with values
# in braces, such as "{recipes} recipes". A part of the report stands in brackets, "[table 5]", and
# a figure as in Markdown, "![Its caption.](scores.svg)", each in a paragraph of its own.

CHAPTER = re.compile(r"\n(?=#)")  # begins with a heading
PART = re.compile(r"\[([^][]+)\]")
FIGURE = re.compile(r"!\[([^][]+)\]\(([^()]+)\)")


def text_blocks(text: str) -> list[Text]:
    """The headings and paragraphs of a text in Markdown."""
    blocks: list[Text] = []
    for part in filter(None, (part.strip() for part in text.split("\n\n"))):
        marks = len(part) - len(part.lstrip("#"))
        heading = ReportHeading(marks, part[marks:].strip())
        blocks.append(heading if marks else Paragraph(" ".join(part.split())))
    return blocks


def compose(
    outline: str,
    values: Mapping[str, str],
    parts: Mapping[str, Iterable[Block]],
    figures: Mapping[str, str],
) -> list[Block]:
    """The report of an outline. A figure that was not drawn is left out; so is a chapter (a heading
    and what follows it) that asks for parts, if all of these are empty."""
    found = {name: list(blocks) for name, blocks in parts.items()}

    def fill(block: Text) -> Sequence[Block]:
        if isinstance(block, ReportHeading):
            return [ReportHeading(block.level, block.text.format_map(values))]
        if match := PART.fullmatch(block.text):
            return found[match[1]]
        if match := FIGURE.fullmatch(block.text):
            caption, file = match.groups()
            return [Figure(file, figures[file], caption)] if file in figures else []
        return [Paragraph(block.text.format_map(values))]

    report: list[Block] = []
    for chapter in CHAPTER.split(outline):
        texts = text_blocks(chapter)
        asked = [found[match[1]] for one in texts if (match := PART.fullmatch(one.text))]
        if any(asked) or not asked:
            report += [block for one in texts for block in fill(one)]
    return report


# -- Writing.


def to_markdown(blocks: Sequence[Block]) -> str:
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def to_html(blocks: Sequence[Block]) -> str:
    """One page, named by the first heading."""
    title = next(block.text for block in blocks if isinstance(block, ReportHeading))
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
            lines = [heading, align, *(map(_cell, row) for row in rows)]
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
    kinds = [""] * words + [' class="number"'] * (len(cells) - words)
    marked = [
        f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)
    ]
    return f"<tr>{''.join(marked)}</tr>"
