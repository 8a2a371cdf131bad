"""Bar charts as SVG, drawn without any library: names on the left, bars, figures on the right."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

ROW, LEFT, BARS, RIGHT, TOP = 20, 190, 360, 90, 34
COLOUR, INK = "#3d7ea6", "#333333"


def bar_chart(title: str, values: Mapping[str, float], figure: str = "{:,.0f}") -> str:
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
            f'<text x="{LEFT + length + 5:.1f}" y="{y + 14}">{figure.format(value)}</text>',
        ]
    return "\n".join([*rows, "</svg>"]) + "\n"


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:27]}…"
