"""One page with a verdict for each table, figure and claim of the paper, from the numbers that the
reports keep, each with the cell that says so."""

from __future__ import annotations

from collections.abc import Iterator

from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table, to_markdown
from npn.reproduction.claims import CLAIMS, ENOUGH, FAILS, HOLDS, NO_RUN, OPEN, SPARE, Numbers
from npn.reproduction.rows import GENERATION_COLUMNS, NPN, SURE

# Where in the paper, what, verdict, why.
OUTSIDE = (
    (
        *("3.1, tables 1 and 7", "the lexicon of actions, their types and end states"),
        *(HOLDS, "`npn lexicon show` prints the seven of table 1 (chill: refrigerator too)"),
    ),
    (
        *("5.1, table 3", "examples of good and bad selections"),
        *(OPEN, "examples prove nothing; ours stand in the tracking report"),
    ),
    (
        *("5.2, table 6", "examples of generated steps"),
        *(OPEN, "the same; ours for the same three contexts stand in the generation report"),
    ),
    (
        *("4.1, table 2", "the printed state change F1 and accuracy themselves"),
        *(OPEN, "its gold for end states is not public"),
    ),
    (
        *("4.2, table 5", "the printed ROUGE-L of 33 to 36"),
        OPEN,
        "no variant is named; marks and an end token explain the scale (docs/generation.md)",
    ),
    (
        *("abstract", "more interpretable internal representations"),
        *(OPEN, "table 4 and figure 3 are what can be measured of it"),
    ),
)


def verdict_page(tracking: Numbers, generation: Numbers, earlier: Numbers | None = None) -> str:
    """In Markdown. `earlier` are numbers of tracking from runs before those of `tracking`."""
    return to_markdown(list(_page(tracking, generation, earlier or {})))


def _page(tracking: Numbers, generation: Numbers, earlier: Numbers) -> Iterator[Block]:
    yield ReportHeading(1, "The paper's claims, one verdict each")
    yield Paragraph(
        "Made with `npn reproduce verdicts` from the numbers of the two reports, "
        "[tracking](results/tracking/report.md) and [generation](results/generation/report.md). A "
        "difference holds where chance over recipes would turn it in fewer than one case of twenty "
        "(p < .05) and no two seeds overlap. It does not hold where it is turned round, or where "
        "there is none and the paper's own lies outside of our interval. Otherwise it cannot be "
        "told, nor can it in tracking from one seed or from runs that the clock cut off, whose "
        "evidence says which way it leans. There is one exception: with at least "
        f"{ENOUGH} seeds, a side that leads may have been cut off if the side that trails came to "
        f"its own end and the whole interval of the lead is beyond {SPARE:.0f} points (of CR, that "
        "between the nearest two seeds). More training may lower a score, but of the runs that "
        "went on after the clock had stopped them none lost as much by it ([what more epochs "
        "changed](results/tracking/report.md#what-more-epochs-changed)). Where the side that "
        "trails was cut off it might have caught up, and nothing is told. "
        "All numbers are percent. Entity scores are on the paper's test labels, on text "
        "put together anew. State scores are raw and on gold of ours, since the paper's is not "
        "public; those of table 2 are scaled by the share of ingredients that are rightly "
        "selected, so that whom a model selects counts in them."
    )
    yield ReportHeading(2, "Tracking")
    yield claims_table(tracking)
    judged = tuple(_earlier(earlier))
    if judged:
        yield ReportHeading(2, "Tracking, earlier runs")
        yield Paragraph(
            "From [the earlier runs](results/tracking/report.md#earlier-runs), column F1 less full "
            "or CR, on our labels of that time; they are not to be compared with those above. A "
            "run that came to its last epoch allowed counts as ended."
        )
        yield Table(("where", "claim", "on our labels then", "evidence"), judged, words=4)
    yield ReportHeading(2, "Generation (table 5)")
    yield Table(("where", "claim", "verdict", "evidence"), tuple(_generation(generation)), words=4)
    yield ReportHeading(2, "What no number of ours can judge")
    yield Table(("where", "what", "verdict", "why"), OUTSIDE, words=4)


def claims_table(tracking: Numbers) -> Table:
    """A line a claim, with the cell of the tracking report that it rests on."""
    rows = []
    for claim in CLAIMS:
        paper, ours = claim.judge(tracking, "paper-"), claim.judge(tracking, "")
        judged = (paper.verdict, paper.evidence, ours.verdict, ours.evidence)
        rows.append((claim.where, claim.text, claim.cell, *judged))
    heading = ("on the paper's labels", "evidence", "on our labels", "evidence")
    return Table(("where", "claim", "cell of the report", *heading), tuple(rows), words=7)


def _earlier(earlier: Numbers) -> Iterator[tuple[str, ...]]:
    """Of the claims that earlier runs say anything of."""
    for claim in CLAIMS:
        found = claim.judge(earlier, "")
        if found.evidence != NO_RUN:
            yield claim.where, claim.text, found.verdict, found.evidence


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
