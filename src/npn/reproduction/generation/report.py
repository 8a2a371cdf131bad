"""The generation report in words and tables: the paper's numbers beside ours, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from npn.evaluation.generation import HONEST, PAPERS
from npn.networks.generator.decoding import to_text
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table, compose
from npn.reproduction.generation.collect import ShownRecipe
from npn.reproduction.generation.table_6 import TABLE_6
from npn.reproduction.numbers import (
    Comparison,
    DifferenceNumbers,
    GenerationNumbers,
    ScoreNumbers,
    Scores,
)
from npn.reproduction.rows import GENERATION_COLUMNS, GENERATOR_BASELINES, NPN, SURE, WORLD

OUTLINE = Path(__file__).parent / "report.md"
LOCAL = "This is the local report: it prints what the recipes say."
PUBLIC = (
    "The recipes belong to their authors, so a context is named by the recipe's id in the corpus "
    "and the number of the step that comes; whoever has the corpus gets the contexts too, from the "
    "same command, in the local report beside the runs."
)


def write(
    numbers: GenerationNumbers,
    command: str,
    remarks: Sequence[Block] = (),
    recipes: Sequence[ShownRecipe] = (),
) -> list[Block]:
    """The report; with the `recipes` of the steps that it shows, the local one."""
    speakers = {row["kind"]: row["label"] for row in numbers["table"]}
    values = {
        **{part: f"{count:,}" for part, count in numbers["recipes"].items()},
        "command": command,
        "steps": f"{numbers['steps']:,}",
        "signatures": "; ".join(numbers["signatures"]),
        "decoding": _decoding(numbers, numbers["main"]),
        "development_bleu": ", ".join(f"{k} {v:.2f}" for k, v in numbers["development"].items()),
        "contexts": str(len(numbers["shown"])),
        "whose_text": LOCAL if recipes else PUBLIC,
    }
    parts: dict[str, Iterable[Block]] = {
        "table 5": [_table_5(numbers)],
        "comparisons": _comparisons(numbers),
        "remarks": remarks,
        "other metrics": [_other_metrics(numbers)],
        "rouge": _rouge(numbers),
        "other decodings": _other_decodings(numbers),
        "table 6": _table_6(numbers, speakers),
        "contexts": _shown(numbers, speakers, recipes),
        "training": [_training(numbers)],
    }
    return compose(OUTLINE.read_text(encoding="utf-8"), values, parts, {})


def _table_5(numbers: GenerationNumbers) -> Table:
    names = GENERATION_COLUMNS.values()
    return Table(
        ("", *(f"paper {name}" for name in names), *(f"our {name}" for name in names), "seeds"),
        [
            (
                row["label"],
                *(f"{row['printed'][m]:.2f}" if row["printed"] else NOTHING for m in PAPERS),
                *_cells(row["scores"][numbers["main"]]),
                str(len(row["seeds"])),
            )
            for row in numbers["table"]
        ],
    )


def _comparisons(numbers: GenerationNumbers) -> Iterator[Block]:
    found = [one for one in numbers["comparisons"] if one["decoding"] == numbers["main"]]
    if not found:
        return
    yield Table(
        ("", "less", *GENERATION_COLUMNS.values()),
        [
            (one["row"], one["other"], *(_difference(one["differences"].get(m)) for m in PAPERS))
            for one in found
        ],
        words=2,
    )
    yield Paragraph(_verdicts(found))


def _verdicts(found: Sequence[Comparison]) -> str:
    sentences = []
    baselines = {row.label for row in GENERATOR_BASELINES}
    against = [one for one in found if one["row"] == NPN.label and one["other"] in baselines]
    if against:
        wins, draws, losses = _tally(against)
        sentences.append(
            f"The NPN generator against the three baselines on four metrics: {wins} won, {draws} "
            f"without a real difference (p of {SURE} or more), {losses} lost."
        )
    fifth = [one for one in found if one["row"] == WORLD.label and one["other"] == NPN.label]
    if fifth:
        wins, draws, losses = _tally(fifth)
        sentences.append(
            f"Ours against the NPN generator: {wins} won, {draws} without a real difference, "
            f"{losses} lost."
        )
    return " ".join(sentences)


def _tally(found: Sequence[Comparison]) -> tuple[int, int, int]:
    """How often the first row of a comparison wins on a metric, draws and loses."""
    differences = [one["differences"].get(metric) for one in found for metric in PAPERS]
    real = [one for one in differences if one is not None and one["p"] < SURE]
    wins = sum(one["value"] > 0 for one in real)
    return wins, len(differences) - len(real), len(real) - wins


def _other_metrics(numbers: GenerationNumbers) -> Table:
    rows = [(row["label"], row["scores"][numbers["main"]]) for row in numbers["table"]]
    rows.append(("the steps that came", numbers["reference"]))
    return Table(
        ("", "foods that the recipe lists", "copies of a training sentence", "words a step"),
        [
            (
                label,
                *_cells(scores, HONEST),
                f"{scores['words']['value']:.1f}" if "words" in scores else NOTHING,
            )
            for label, scores in rows
        ],
    )


def _rouge(numbers: GenerationNumbers) -> Iterator[Block]:
    variants = numbers.get("rouge", {})  # earlier numbers have none
    rows = [row for row in numbers["table"] if row["kind"] in variants]
    if rows:
        scores = [variants[row["kind"]] for row in rows]
        yield Table(
            ("", *(row["label"] for row in rows)),
            [(variant, *(f"{one[variant]:.1f}" for one in scores)) for variant in scores[0]],
        )


def _other_decodings(numbers: GenerationNumbers) -> Iterator[Block]:
    for decoding in numbers["decodings"]:
        rows = [row for row in numbers["table"] if decoding in row["scores"]]
        if decoding == numbers["main"] or not rows:
            continue
        yield ReportHeading(2, f"The same generators, decoded otherwise: {decoding}")
        yield Paragraph(f"Decoding: {_decoding(numbers, decoding)}.")
        yield Table(
            ("", *GENERATION_COLUMNS.values(), "listed foods", "copies"),
            [(row["label"], *_cells(row["scores"][decoding], (*PAPERS, *HONEST))) for row in rows],
        )


def _decoding(numbers: GenerationNumbers, name: str) -> str:
    settings = numbers["decodings"][name]
    beams = f", {settings['size']} sentences at a time" if settings["size"] > 1 else ""
    return f"{name}{beams}, at most {settings['longest']} words"


def _table_6(numbers: GenerationNumbers, speakers: Mapping[str, str]) -> Iterator[Block]:
    examples = numbers["examples"]
    if not examples:
        return
    for number, example in enumerate(TABLE_6):
        yield ReportHeading(3, " ".join(example.context))
        yield Paragraph(f"Ingredients (ours): {'; '.join(example.ingredients)}.")
        yield Paragraph(f"What came: {example.reference}")
        yield Table(
            ("", "says here", "said in the paper"),
            [
                (label, _sentence(examples[kind][number]), example.printed.get(kind, NOTHING))
                for kind, label in speakers.items()
                if kind in examples
            ],
            words=3,
        )


def _shown(
    numbers: GenerationNumbers, speakers: Mapping[str, str], recipes: Sequence[ShownRecipe]
) -> Iterator[Block]:
    for number, step in enumerate(numbers["shown"]):
        yield ReportHeading(3, f"{step['recipe']}, step {step['step']}")
        if recipes:
            recipe = recipes[number]
            yield Paragraph(f"Ingredients: {'; '.join(recipe.ingredients)}.")
            yield Paragraph(f"So far: {' '.join(map(_sentence, recipe.context))}")
            yield Paragraph(f"What came: {_sentence(recipe.reference)}")
        suggestions = step["suggestions"]
        yield Table(
            ("", "says"),
            [
                (label, _sentence(suggestions[kind]))
                for kind, label in speakers.items()
                if kind in suggestions
            ],
            words=2,
        )


def _training(numbers: GenerationNumbers) -> Table:
    return Table(
        ("", "epochs", "minutes", "loss at best", "tokens a second"),
        [
            (
                row["label"],
                f"{row['training']['epochs']:.0f}",
                f"{row['training']['minutes']:.1f}",
                f"{row['training']['development']:.3f}",
                f"{row['training']['tokens_per_second']:,.0f}",
            )
            for row in numbers["table"]
        ],
    )


def _sentence(tokens: str) -> str:
    return to_text(tokens.split(" "))


def _cells(scores: Scores, metrics: Sequence[str] = PAPERS) -> list[str]:
    return [_score(scores.get(metric)) for metric in metrics]


def _score(one: ScoreNumbers | None) -> str:
    if one is None:
        return NOTHING
    spread = f" ± {one['spread']:.2f}" if len(one["seeds"]) > 1 else ""
    return f"{one['value']:.2f}{spread} [{one['low']:.1f}, {one['high']:.1f}]"


def _difference(one: DifferenceNumbers | None) -> str:
    if one is None:
        return NOTHING
    return f"{one['value']:+.2f} [{one['low']:+.1f}, {one['high']:+.1f}], p {one['p']:.3f}"
