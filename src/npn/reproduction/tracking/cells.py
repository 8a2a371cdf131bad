"""What stands in the cells of the report's tables. Scores are in percent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.bootstrap import Difference, Score, SeedScore
from npn.reproduction.blocks import NOTHING, Block, Figure
from npn.reproduction.rows import LABEL_TITLES, PAPER_LABELS
from npn.reproduction.tracking.results import ResultRow


def figure(figures: Mapping[str, str], file: str, caption: str) -> Iterator[Block]:
    if file in figures:
        yield Figure(file, figures[file], caption)


def label(row: ResultRow) -> str:
    """A row's name where rows of both kinds of labels stand in one table."""
    on_paper = row.seeds and row.key.startswith(f"{PAPER_LABELS}-")
    return f"{row.label}, {LABEL_TITLES[PAPER_LABELS]}" if on_paper else row.label


def printed(row: ResultRow, metrics: Sequence[str]) -> tuple[str, ...]:
    values = [getattr(row.printed, metric) if row.printed else None for metric in metrics]
    return tuple(NOTHING if value is None else f"{value:.1f}" for value in values)


def seeds(score: SeedScore | None, *, interval: bool = False) -> str:
    if score is None:
        return NOTHING
    text = f"{100 * score.value:.1f}"
    if len(score.seeds) > 1:
        text += f" ± {100 * score.spread:.1f}"
    return f"{text} [{100 * score.low:.1f}, {100 * score.high:.1f}]" if interval else text


def difference(found: Difference | None) -> tuple[str, str]:
    """How much, and its p."""
    if found is None:
        return NOTHING, NOTHING
    return f"{100 * found.value:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]", p(found.p)


def p(value: float) -> str:
    return "< .001" if value < 0.001 else f"{value:.3f}"


def less(row: ResultRow, found: Difference | None) -> tuple[str, str]:
    """The same of a row; nothing for what is not trained here, which the full model is unlike."""
    return difference(found if row.seeds else None)


def runs(row: ResultRow) -> str:
    """How many seeds stand behind a row, and how many of them the clock cut off."""
    if not row.seeds:
        return NOTHING
    cut = len(row.cut_off)
    if not cut:
        return str(len(row.seeds))
    which = "cut off" if cut == len(row.seeds) else f"{cut} cut off"
    return f"{len(row.seeds)}, {which}"


def epochs(row: ResultRow) -> str:
    """Of pretraining and of training, in the mean over seeds."""
    if row.epochs is None or row.pretraining is None:
        return NOTHING
    return f"{row.pretraining:.0f} + {row.epochs - row.pretraining:.0f}"


def percent(share: float | None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share:.1f} %"


def percent_interval(score: Score) -> str:
    return f"{100 * score.value:.1f} % [{100 * score.low:.1f}, {100 * score.high:.1f}]"
