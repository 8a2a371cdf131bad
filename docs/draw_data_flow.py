"""Draw docs/data-flow.svg: python docs/draw_data_flow.py"""

from __future__ import annotations

from pathlib import Path

# column, row, title, what stands below it
BOXES = (
    (0, 0, "a recipe", "text, JSON, HTML, .mmf, .cook"),
    (1, 0, "formats/", "reads it: Recipe"),
    (2, 0, "language/", "sentences, words, names, amounts"),
    (3, 0, "rules/grammar", "clauses, places, references"),
    (4, 0, "rules/simulation", "what a clause does"),
    (4, 1, "networks/", "features, equations, decoding"),
    (3, 1, "tracker.py", "sentences united to steps"),
    (2, 1, "trace.py", "uses, piles, changes: Trace"),
    (1, 1, "formats/writing", "table, Markdown, JSON"),
    (0, 1, "what people get", "npn track, next, explain"),
    (4, 2, "training/", "weights, by experiments/*.toml"),
    (3, 2, "training/data", "a corpus, labelled by the rules"),
    (2, 2, "evaluation/", "traces beside gold"),
    (1, 2, "reproduction/", "the paper's tables as reports"),
)
ARROWS = (
    ((0, 0), (1, 0)),
    ((1, 0), (2, 0)),
    ((2, 0), (3, 0)),
    ((3, 0), (4, 0)),
    ((4, 0), (4, 1)),
    ((4, 1), (3, 1)),
    ((3, 1), (2, 1)),
    ((2, 1), (1, 1)),
    ((1, 1), (0, 1)),
    ((4, 2), (4, 1)),
    ((3, 2), (4, 2)),
    ((2, 1), (2, 2)),
    ((2, 2), (1, 2)),
)
WIDTH, HEIGHT, ACROSS, DOWN = 168, 56, 204, 104


def corner(column: int, row: int) -> tuple[int, int]:
    return 12 + column * ACROSS, 12 + row * DOWN


def draw() -> str:
    parts = []
    for column, row, title, below in BOXES:
        x, y = corner(column, row)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
            f'<text class="title" x="{x + WIDTH // 2}" y="{y + 23}">{title}</text>'
            f'<text x="{x + WIDTH // 2}" y="{y + 42}">{below}</text>'
        )
    for (c1, r1), (c2, r2) in ARROWS:
        (x1, y1), (x2, y2) = corner(c1, r1), corner(c2, r2)
        if r1 == r2:
            ends = (x1 + WIDTH if c1 < c2 else x1, y1 + HEIGHT // 2)
            ends += (x2 - 4 if c1 < c2 else x2 + WIDTH + 4, y2 + HEIGHT // 2)
        else:
            ends = (x1 + WIDTH // 2, y1 + HEIGHT if r1 < r2 else y1)
            ends += (x2 + WIDTH // 2, y2 - 4 if r1 < r2 else y2 + HEIGHT + 4)
        parts.append('<line x1="{}" y1="{}" x2="{}" y2="{}"/>'.format(*ends))
    width, height = corner(4, 2)[0] + WIDTH + 12, corner(4, 2)[1] + HEIGHT + 12
    style = (
        "rect{fill:#f6f4ef;stroke:#8a7f6a}text{font:11px sans-serif;text-anchor:middle;fill:#555}"
        ".title{font:bold 14px sans-serif;fill:#222}line{stroke:#8a7f6a;stroke-width:1.5;"
        "marker-end:url(#tip)}svg{background:#fff}"
    )
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0 8 4 0 8z" fill="#8a7f6a"/></marker>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>From a recipe to a trace</title><style>{style}</style><defs>{tip}</defs>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_name("data-flow.svg").write_text(draw(), encoding="utf-8")
