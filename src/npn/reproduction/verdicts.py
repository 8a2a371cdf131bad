"""One page with a verdict for each table, figure and claim of the paper, from the numbers that the
reports keep, each with the cell that says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from npn.reproduction.blocks import Table, to_markdown
from npn.reproduction.claims import CLAIMS, ENOUGH, FAILS, HOLDS, OPEN, SPARE, Numbers
from npn.reproduction.rows import GENERATION_COLUMNS, NPN, SURE

OUTLINE = Path(__file__).parent / "verdicts.md"


def verdict_page(tracking: Numbers, generation: Numbers) -> str:
    """In Markdown."""
    heading = ("where", "claim", "verdict", "evidence")
    judged = Table(heading, tuple(_generation(generation)), words=4)
    tables = {
        "tracking": to_markdown([claims_table(tracking)]).strip(),
        "generation": to_markdown([judged]).strip(),
    }
    page = OUTLINE.read_text(encoding="utf-8")
    return page.format(enough=ENOUGH, spare=f"{SPARE:.0f}", **tables)


def claims_table(tracking: Numbers) -> Table:
    """A line a claim, with the cell of the tracking report that it rests on."""
    rows = []
    for claim in CLAIMS:
        paper, ours = claim.judge(tracking, "paper-"), claim.judge(tracking, "")
        judged = (paper.verdict, paper.evidence, ours.verdict, ours.evidence)
        rows.append((claim.where, claim.text, claim.cell, *judged))
    heading = ("on the paper's labels", "evidence", "on our labels", "evidence")
    return Table(("where", "claim", "cell of the report", *heading), tuple(rows), words=7)


def _generation(numbers: Numbers) -> Iterator[tuple[str, ...]]:
    """The NPN generator against each baseline, on each metric."""
    for one in numbers.get("comparisons", ()):
        if one["row"] != NPN.label or one["decoding"] != numbers.get("main"):
            continue
        for metric, name in GENERATION_COLUMNS.items():
            found = one["differences"][metric]
            value, low, high, p = (found[key] for key in ("value", "low", "high", "p"))
            real = p < SURE
            verdict = OPEN if not real else HOLDS if value > 0 else FAILS
            text = f"{value:+.2f} [{low:+.2f}, {high:+.2f}], p {p:.3f}"
            claim = f"the NPN generator has more {name} than the {one['other']}"
            yield "5.2, table 5", claim, verdict, text
