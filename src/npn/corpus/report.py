"""The report of a tracked corpus, made from the records of its shards, so that it can be had while
the corpus is still being tracked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape

from npn.corpus.run import CorpusSummary
from npn.corpus.sharding.folder import MANIFEST, PLAN, ShardFolder
from npn.corpus.sharding.storage import open_storage
from npn.corpus.statistics import HEADINGS, NUMBERS, Statistics, merge
from npn.errors import NpnError

SHOWN = 20  # rows under a heading
LONGEST = 40  # numbers under a heading: what is larger counts as the last


def write_report(folder: str, output: str) -> list[str]:
    """Write report.md, report.html and the plots of a tracked corpus. The names of the two."""
    corpus = ShardFolder(open_storage(folder), folder)
    if corpus.storage.read(PLAN) is None and corpus.storage.read(MANIFEST) is None:
        raise NpnError(f"{folder} holds no tracked corpus: make one with npn corpus track")
    manifest = corpus.manifest()
    summary = CorpusSummary()
    records = []
    for _, record in corpus.records():
        summary.add(record)
        records.append(record["statistics"])
    if not records:
        raise NpnError(f"{folder} holds no shard yet: npn corpus track has not come so far")
    counted = merge(records)
    about = _about(folder, manifest.get("model", "") if manifest else None, summary)
    charts = {
        heading: bar_chart(title, shown(heading, counted))
        for heading, title in HEADINGS.items()
        if counted[heading]
    }
    target = open_storage(output)
    for heading, chart in charts.items():
        target.write(_picture(heading), chart.encode())
    target.write("report.md", _markdown(about, charts, counted).encode())
    target.write("report.html", _html(about, charts).encode())
    return [f"{output}/report.md", f"{output}/report.html"]


def shown(heading: str, counted: Statistics) -> dict[str, float]:
    """The rows of a chart: numbers in their order, anything else by frequency."""
    counts = counted[heading]
    if heading not in NUMBERS:
        by_frequency = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return {name: float(number) for name, number in by_frequency[:SHOWN]}
    rows: Counter[int] = Counter()
    for name, number in counts.items():
        rows[min(int(name) if name.isdigit() else 0, LONGEST)] += number
    return {
        f"{number} or more" if number == LONGEST else str(number): float(rows[number])
        for number in range(min(rows), max(rows) + 1)
    }


def _about(folder: str, model: str | None, summary: CorpusSummary) -> list[tuple[str, str]]:
    refused = summary.refused
    return [
        ("corpus", folder),
        ("tracked by", model if model is not None else "(not finished yet)"),
        ("recipes", f"{summary.recipes:,}"),
        ("steps", f"{summary.steps:,}"),
        ("ingredients", f"{summary.ingredients:,}"),
        ("recipes that do not look English", f"{summary.not_english:,}"),
        *((f"refused: {what}s", f"{number:,}") for what, number in refused.items()),
    ]


def _markdown(about: list[tuple[str, str]], charts: dict[str, str], counted: Statistics) -> str:
    lines = ["# Report of a tracked corpus", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {_cell(value)} |" for name, value in about]
    for heading in charts:
        lines += ["", f"## {HEADINGS[heading]}", "", f"![{HEADINGS[heading]}]({_picture(heading)})"]
        lines += ["", "| | count |", "|---|---|"]
        lines += [f"| {_cell(k)} | {v:,.0f} |" for k, v in shown(heading, counted).items()]
    return "\n".join(lines) + "\n"


def _html(about: list[tuple[str, str]], charts: dict[str, str]) -> str:
    rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in about)
    plots = "".join(f"<section>{chart}</section>" for chart in charts.values())
    style = "body{font-family:sans-serif;margin:2em}th{text-align:left;padding-right:1em}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>Report of a tracked corpus</title><style>{style}</style></head><body>"
        f"<h1>Report of a tracked corpus</h1><table>{rows}</table>{plots}</body></html>\n"
    )


def _picture(heading: str) -> str:
    return f"{heading.replace(' ', '-')}.svg"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


# -- Bar charts as SVG, drawn without any library: names on the left, bars, figures on the right.

ROW, LEFT, BARS, RIGHT, TOP = 20, 190, 360, 90, 34
COLOUR, INK = "#3d7ea6", "#333333"


def bar_chart(title: str, values: Mapping[str, float]) -> str:
    """A chart with a row for each name, in the order given."""
    most = max(values.values(), default=0) or 1
    width, height = LEFT + BARS + RIGHT, TOP + ROW * len(values) + 6
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="8" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for i, (name, value) in enumerate(values.items()):
        y = TOP + ROW * i
        length = BARS * value / most
        rows += [
            f'<text x="{LEFT - 6}" y="{y + 14}" text-anchor="end">{escape(_short(name))}</text>',
            f'<rect x="{LEFT}" y="{y + 3}" width="{length:.1f}" height="14" fill="{COLOUR}"/>',
            f'<text x="{LEFT + length + 5:.1f}" y="{y + 14}">{value:,.0f}</text>',
        ]
    return "\n".join([*rows, "</svg>"]) + "\n"


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:27]}…"
