"""The generation report in words and tables: the paper's numbers beside ours, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from npn.evaluation.bootstrap import Difference, SeedScore
from npn.evaluation.generation import HONEST, PAPERS
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table, compose
from npn.reproduction.generation.results import (
    Comparison,
    GenerationResultRow,
    GenerationResults,
    Shown,
)
from npn.reproduction.generation.table_6 import table_6_blocks
from npn.reproduction.rows import GENERATION_COLUMNS, GENERATOR_BASELINES, NPN, SURE, TABLE_5, WORLD

OUTLINE = Path(__file__).parent / "report.md"
SPEAKERS = {row.kind: row.label for row in TABLE_5}


def write(
    results: GenerationResults,
    to_text: Callable[[str], str],
    command: str,
    remarks: Sequence[Block] = (),
    *,
    local: bool = False,
) -> list[Block]:
    """The report; a `local` one prints what the recipes themselves say, too. `to_text` makes
    a sentence fit to print of tokens."""
    recipes = {part: f"{count:,}" for part, count in results.recipes.items()}
    chosen = ", ".join(f"{name} {bleu:.2f}" for name, bleu in results.development.items())
    values = {
        **recipes,
        "command": command,
        "steps": f"{results.steps:,}",
        "signatures": "; ".join(results.signatures),
        "decoding": _decoding(results, results.main),
        "development_bleu": chosen,
        "contexts": str(len(results.shown)),
        "whose_text": LOCAL if local else PUBLIC,
    }
    parts: dict[str, Iterable[Block]] = {
        "table 5": _table_5(results),
        "comparisons": _order(results),
        "remarks": remarks,
        "other metrics": _other_metrics(results),
        "rouge": _rouge(results),
        "other decodings": _other_decodings(results),
        "table 6": table_6_blocks(results.examples, SPEAKERS, to_text),
        "contexts": _shown(results.shown, to_text, local),
        "training": _training(results),
    }
    return compose(OUTLINE.read_text(encoding="utf-8"), values, parts, {})


LOCAL = "This is the local report: it prints what the recipes say."
PUBLIC = (
    "The recipes belong to their authors, so a context is named by the recipe's id in the corpus "
    "and the number of the step that comes; whoever has the corpus gets the contexts too, from the "
    "same command, in the local report beside the runs."
)


def _table_5(results: GenerationResults) -> Iterator[Block]:
    yield Table(
        (
            "",
            *(f"paper {name}" for name in GENERATION_COLUMNS.values()),
            *(f"our {name}" for name in GENERATION_COLUMNS.values()),
            "seeds",
        ),
        tuple(
            (
                row.label,
                *_printed(row),
                *(score(row.scores[results.main].get(metric)) for metric in PAPERS),
                str(len(row.seeds)),
            )
            for row in results.table
        ),
    )


def _printed(row: GenerationResultRow) -> list[str]:
    if row.printed is None:
        return [NOTHING] * len(PAPERS)
    return [f"{getattr(row.printed, metric):.2f}" for metric in PAPERS]


def _rouge(results: GenerationResults) -> Iterator[Block]:
    rows = [row for row in results.table if row.kind in results.rouge]
    if not rows:
        return
    first = results.rouge[rows[0].kind]
    yield Table(
        ("", *(row.label for row in rows)),
        tuple(
            (variant, *(f"{results.rouge[row.kind][variant]:.1f}" for row in rows))
            for variant in first
        ),
    )


def _order(results: GenerationResults) -> Iterator[Block]:
    found = [one for one in results.comparisons if one.decoding == results.main]
    if not found:
        return
    yield Table(
        ("", "less", *GENERATION_COLUMNS.values()),
        tuple(
            (one.row, one.other, *(difference(one.differences.get(m)) for m in PAPERS))
            for one in found
        ),
        words=2,
    )
    yield Paragraph(_verdicts(found))


def _verdicts(found: Sequence[Comparison]) -> str:
    sentences = []
    baselines = {row.label for row in GENERATOR_BASELINES}
    against = [one for one in found if one.row == NPN.label and one.other in baselines]
    if against:
        wins, draws, losses = _tally(against)
        sentences.append(
            f"The NPN generator against the three baselines on four metrics: {wins} won, {draws} "
            f"without a real difference (p of {SURE} or more), {losses} lost."
        )
    fifth = [one for one in found if one.row == WORLD.label and one.other == NPN.label]
    if fifth:
        wins, draws, losses = _tally(fifth)
        sentences.append(
            f"Ours against the NPN generator: {wins} won, {draws} without a real difference, "
            f"{losses} lost."
        )
    return " ".join(sentences)


def _tally(found: Sequence[Comparison]) -> tuple[int, int, int]:
    """How often the first row of a comparison wins on a metric, draws and loses."""
    differences = [one.differences.get(metric) for one in found for metric in PAPERS]
    real = [one for one in differences if one is not None and one.p < SURE]
    wins = sum(one.value > 0 for one in real)
    return wins, len(differences) - len(real), len(real) - wins


def _other_metrics(results: GenerationResults) -> Iterator[Block]:
    yield Table(
        ("", "foods that the recipe lists", "copies of a training sentence", "words a step"),
        (
            *(
                (
                    row.label,
                    *(score(row.scores[results.main].get(metric)) for metric in HONEST),
                    _mean(row.scores[results.main].get("words")),
                )
                for row in results.table
            ),
            (
                "the steps that came",
                *(score(results.reference.get(metric)) for metric in HONEST),
                _mean(results.reference.get("words")),
            ),
        ),
    )


def _other_decodings(results: GenerationResults) -> Iterator[Block]:
    others = [name for name in results.decodings if name != results.main]
    for name in others:
        rows = [row for row in results.table if name in row.scores]
        if not rows:
            continue
        yield ReportHeading(2, f"The same generators, decoded otherwise: {name}")
        yield Paragraph(f"Decoding: {_decoding(results, name)}.")
        metrics = (*PAPERS, *HONEST)
        yield Table(
            ("", *GENERATION_COLUMNS.values(), "listed foods", "copies"),
            tuple((row.label, *(score(row.scores[name].get(m)) for m in metrics)) for row in rows),
        )


def _decoding(results: GenerationResults, name: str) -> str:
    settings = results.decodings[name]
    beams = f", {settings['size']} sentences at a time" if settings["size"] > 1 else ""
    return f"{name}{beams}, at most {settings['longest']} words"


def _shown(shown: Sequence[Shown], to_text: Callable[[str], str], local: bool) -> Iterator[Block]:
    for one in shown:
        yield ReportHeading(3, f"{one.recipe}, step {one.step}")
        if local:
            yield Paragraph(f"Ingredients: {'; '.join(one.ingredients)}.")
            yield Paragraph(f"So far: {' '.join(to_text(step) for step in one.context)}")
            yield Paragraph(f"What came: {to_text(one.reference)}")
        yield Table(
            ("", "says"),
            tuple(
                (label, to_text(one.said[kind]))
                for kind, label in SPEAKERS.items()
                if kind in one.said
            ),
            words=2,
        )


def _training(results: GenerationResults) -> Iterator[Block]:
    rows = [(row, row.training) for row in results.table if row.training is not None]
    if not rows:
        return
    yield Table(
        ("", "epochs", "minutes", "loss at best", "tokens a second"),
        tuple(
            (
                row.label,
                f"{trained.epochs:.0f}",
                f"{trained.minutes:.1f}",
                f"{trained.development:.3f}",
                f"{trained.tokens_per_second:,.0f}",
            )
            for row, trained in rows
        ),
    )


def score(one: SeedScore | None) -> str:
    if one is None:
        return NOTHING
    spread = f" ± {one.spread:.2f}" if len(one.seeds) > 1 else ""
    return f"{one.value:.2f}{spread} [{one.low:.1f}, {one.high:.1f}]"


def difference(one: Difference | None) -> str:
    if one is None:
        return NOTHING
    return f"{one.value:+.2f} [{one.low:+.1f}, {one.high:+.1f}], p {one.p:.3f}"


def _mean(one: SeedScore | None) -> str:
    return NOTHING if one is None else f"{one.value:.1f}"
