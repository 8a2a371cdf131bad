"""The report in words and tables: the paper's numbers beside ours, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.analysis.examples import Example
from npn.evaluation.bootstrap import Difference
from npn.evaluation.seeds import SeedScore
from npn.reproduction.blocks import Block, Figure, Heading, Paragraph, Table
from npn.reproduction.figures import SETS
from npn.reproduction.results import NEAREST, ResultRow, Results
from npn.reproduction.rows import BASELINES, FULL

TITLE = "Tracking: the paper's numbers beside ours"
NOTHING = "–"
SURE = 0.05  # below this p a difference is called real


def write(
    results: Results, figures: Mapping[str, str], command: str, remarks: Sequence[Block] = ()
) -> list[Block]:
    return [
        Heading(1, TITLE),
        Paragraph(
            "Every tracking result of the paper, run anew. A score is the mean over seeds, with "
            "the standard deviation over seeds after ± and the 95 % bootstrap interval over "
            "recipes in brackets; a difference is from the full model, on the same resamples of "
            "recipes, with its two-sided p. All scores are in percent."
        ),
        Paragraph(f"Made with: {command}"),
        Paragraph(_made_from(results)),
        *_table_2(results, figures),
        *_order(results),
        *remarks,
        *_other_gold(results),
        *_curve(results, figures),
        *_neighbours(results, figures),
        *_compositions(results, figures),
        *_examples(results),
        *_training(results),
    ]


def _made_from(results: Results) -> str:
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in results.recipes.items())
    return (
        f"Gold: {gold}. The test sets (npn_entities_test, curd_dev, states_dev) are measured here "
        "and nowhere tuned on. The paper's test labels are those of its authors, on text that was "
        "put together anew; its own text and its gold for end states are not public."
    )


def _table_2(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    gold = "npn_entities_test"
    if gold not in results.recipes:
        return
    yield Heading(2, "Table 2: entity selection on the paper's test recipes")
    metrics = ("entity_f1", "uncombined_recall", "combined_recall")
    yield Table(
        ("", "paper F1", "UR", "CR", "our F1", "UR", "CR", "F1 less full", "p"),
        tuple(
            (
                row.label,
                *_printed(row, metrics),
                _score(row.scores[gold].get("entity_f1"), interval=True),
                _score(row.scores[gold].get("uncombined_recall")),
                _score(row.scores[gold].get("combined_recall")),
                *_difference(row.differences.get(gold, {}).get("entity_f1")),
            )
            for row in (*results.table, *results.shipped)
        ),
    )
    yield Paragraph(
        "UR and CR are the recall of ingredients that are still on their own and of those already "
        "part of a mixture."
    )
    yield from _figure(
        figures,
        "table2.svg",
        "Entity selection on the paper's test recipes. Look at the right panel: what tells the "
        "models apart is how many ingredients of a mixture they find. Filled dots are ours, with "
        "their seeds as ticks and the interval over recipes as a bar; diamonds are the paper's.",
    )


def _order(results: Results) -> Iterator[Block]:
    gold = "npn_entities_test"
    rows = {row.key: row for row in results.table}
    if FULL.experiment not in rows or gold not in results.recipes or len(rows) < 2:
        return
    yield Heading(3, "Does the paper's order hold?")
    baselines = {row.experiment for row in BASELINES}
    said = []
    for row in results.table:
        if row.key == FULL.experiment:
            continue
        one = row.differences[gold].get("entity_f1")
        if one is None:
            continue
        kind = "baseline" if row.key in baselines else "ablation"
        said.append((row.label, kind, f"{100 * one.value:+.1f}", f"{one.p:.3f}", _verdict(one)))
    yield Table(("below the full model?", "", "entity F1", "p", "verdict"), tuple(said), words=2)
    yield Paragraph(_ladder(results, baselines))


def _verdict(difference: Difference) -> str:
    if difference.p >= SURE:
        return "no real difference"
    return "holds" if difference.value < 0 else "turned round"


def _ladder(results: Results, baselines: set[str]) -> str:
    gold = "npn_entities_test"
    means = {row.key: row.scores[gold]["entity_f1"].value for row in results.table}
    below = [mean for key, mean in means.items() if key in baselines]
    between = [m for key, m in means.items() if key not in baselines and key != FULL.experiment]
    if not below or not between:
        return ""
    return (
        f"Full model {100 * means[FULL.experiment]:.1f}; ablations from "
        f"{100 * min(between):.1f} to {100 * max(between):.1f}; baselines from "
        f"{100 * min(below):.1f} to {100 * max(below):.1f}."
    )


def _other_gold(results: Results) -> Iterator[Block]:
    rows = (*results.table, *results.shipped)
    if "curd_dev" in results.recipes:
        yield Heading(2, "The same models on CURD")
        yield _scores_table(
            rows,
            "curd_dev",
            {
                "entity F1": "entity_f1",
                "UR": "uncombined_recall",
                "CR": "combined_recall",
                "action F1": "action_f1",
            },
        )
    if "states_dev" in results.recipes:
        yield Heading(2, "Table 2: state changes")
        yield Paragraph(
            "The paper's two columns stand here for the record only: its gold for end states is "
            "not public, so they are measured on other labels and cannot be compared with ours. "
            "The scaled columns are our reading of its metric."
        )
        yield _state_table(rows)


def _scores_table(rows: Sequence[ResultRow], gold: str, metrics: Mapping[str, str]) -> Table:
    return Table(
        ("", *metrics),
        tuple(
            (row.label, *(_score(row.scores[gold].get(metric)) for metric in metrics.values()))
            for row in rows
        ),
    )


def _state_table(rows: Sequence[ResultRow]) -> Table:
    ours = {
        "F1": "state_f1/six",
        "acc.": "state_accuracy/six",
        "scaled F1": "state_scaled_f1/six",
        "scaled acc.": "state_scaled_accuracy/six",
        "per ingredient F1": "ingredient_f1/five",
        "entity F1": "entity_f1",
    }
    return Table(
        ("", "paper F1", "paper acc.", *ours, "scaled F1 less full", "p"),
        tuple(
            (
                row.label,
                *_printed(row, ("state_f1", "state_accuracy")),
                *(_score(_said(row, metric)) for metric in ours.values()),
                *_difference(
                    row.differences.get("states_dev", {}).get("state_scaled_f1/six")
                    if _speaks_of_states(row)
                    else None
                ),
            )
            for row in rows
        ),
    )


def _said(row: ResultRow, metric: str) -> SeedScore | None:
    if metric.startswith(("state_", "ingredient_")) and not _speaks_of_states(row):
        return None
    return row.scores["states_dev"].get(metric)


def _speaks_of_states(row: ResultRow) -> bool:
    """Some say nothing of state changes; no change at all is not a prediction of theirs."""
    score = row.scores["states_dev"].get("state_f1/six")
    return score is not None and score.value > 0


def _curve(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if len(results.curve) < 2:
        return
    yield Heading(2, "Table 8: training with part of the labels")
    yield Paragraph(
        "Each entity label, state change and action of the training set is kept with the "
        "probability given. A step that loses its entity label counts as unlabelled, so entity "
        "selection hardly notices; a state change that is dropped reads as no change, so a "
        "predictor that sees fewer than half of them learns to say nothing. One seed a point. The "
        "paper measured on its development set: entities are measured here on npn_entities_dev, "
        "state changes on states_train, which the networks have not seen."
    )
    rows = []
    for row in results.curve.values():
        dev, states = row.scores.get("npn_entities_dev", {}), row.scores.get("states_train", {})
        rows.append(
            (
                row.label,
                *_printed(row, ("entity_f1", "state_f1", "state_accuracy")),
                _score(dev.get("entity_f1"), interval=True),
                _score(states.get("state_f1/six"), interval=True),
                _score(states.get("state_accuracy/six"), interval=True),
            )
        )
    heading = ("", "paper F1", "state F1", "state acc.", "our F1", "state F1", "state acc.")
    yield Table(heading, tuple(rows))
    yield from _figure(
        figures,
        "labels.svg",
        "What labels are worth. State change F1 climbs steeply between a quarter and three "
        "quarters of the labels, in the paper and here; entity selection stays nearly level.",
    )


def _neighbours(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if not results.neighbours:
        return
    yield Heading(2, "Table 4: neighbours of action embeddings")
    yield Paragraph(
        "For the paper's eleven example actions: where do the neighbours that it lists stand among "
        "all actions, nearest first? The median rank is a share of all actions. Embeddings that "
        "know only the state change types of the lexicon put whole classes of actions at the same "
        "place; the second column says what is sure of them, with equals put first. The third is "
        f"the share of listed neighbours among the nearest {NEAREST}, equals in any order."
    )
    yield Table(
        ("", "median rank", "median, equals first", f"among the nearest {NEAREST}"),
        tuple(
            (one.label, _percent(one.median), _percent(one.last), _percent(one.nearest_ten))
            for one in results.neighbours
        ),
    )
    yield from _figure(
        figures,
        "neighbours.svg",
        "How soon the paper's neighbours come up. A line that rises steeply at the left has them "
        "among the nearest; the grey line marks the nearest tenth of all actions.",
    )
    first = results.neighbours[0]
    yield Paragraph(f"Nearest actions, {first.label[0].lower()}{first.label[1:]}:")
    yield Table(
        ("action", "nearest here", "listed in the paper, with its rank here"),
        tuple(
            (
                one.action,
                ", ".join(one.nearest),
                ", ".join(f"{name} {rank.first}" for name, rank in one.ranks.items()),
            )
            for one in first.actions
        ),
        words=3,
    )


def _compositions(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if not results.compositions:
        return
    yield Heading(2, "Figure 3: states of ingredients that are put together")
    yield Paragraph(
        "For each pair of ingredients and each step, how much the cosine of their states rises: "
        "pairs that the step puts together, pairs of which it acts on one or both without putting "
        "them together, and pairs that it leaves alone. Pairs that were together before are left "
        "out. Mean over seeds and pairs, with 95 % intervals over recipes; the last columns say "
        "how far the rise of those put together lies above the others'."
    )
    rows = []
    for model, sets in results.compositions.items():
        for gold, one in sets.items():
            rows.append(
                (
                    f"{model}, {SETS.get(gold, gold)}",
                    *(
                        f"{one.rise[group].value:+.3f} [{one.rise[group].low:+.3f}, "
                        f"{one.rise[group].high:+.3f}]"
                        if group in one.rise
                        else NOTHING
                        for group in ("combined", "touched", "apart")
                    ),
                    *(
                        f"{one.above[group].value:+.3f} (p {one.above[group].p:.3f})"
                        if group in one.above
                        else NOTHING
                        for group in ("touched", "apart")
                    ),
                )
            )
    heading = ("", "put together", "acted on", "apart", "above acted on", "above apart")
    yield Table(heading, tuple(rows))
    yield from _figure(
        figures,
        "compositions.svg",
        "States of ingredients grow alike when they are put together. Compare the dark bars with "
        "the hatched ones beside them: soft attention leaks some likeness to others that the step "
        "acts on; bars near zero are pairs that the step leaves alone.",
    )


def _examples(results: Results) -> Iterator[Block]:
    if not results.good and not results.bad:
        return
    yield Heading(2, "Table 3: good and bad selections")
    yield Paragraph(
        "Steps on ingredients that are already part of a mixture, from recipes written for this "
        "page, read by the full model (first seed)."
    )
    rows = [("good", *_example(one)) for one in results.good]
    rows += [("bad", *_example(one)) for one in results.bad]
    yield Table(("", "before", "step", "selected", "correct"), tuple(rows), words=5)


def _example(one: Example) -> tuple[str, ...]:
    return (
        " ".join(one.context),
        one.step,
        ", ".join(one.selected) or "nothing",
        ", ".join(one.correct),
    )


def _training(results: Results) -> Iterator[Block]:
    rows = [*results.table, *(r for share, r in results.curve.items() if share != 100)]
    if not rows:
        return
    yield Heading(2, "The runs")
    yield Table(
        ("", "seeds", "epochs, mean", "minutes, mean", ""),
        tuple(
            (
                row.label,
                ", ".join(map(str, row.seeds)),
                f"{row.epochs:.1f}" if row.epochs is not None else NOTHING,
                f"{row.minutes:.1f}" if row.minutes is not None else NOTHING,
                "" if row.finished else "stopped before its end",
            )
            for row in rows
        ),
    )
    settings = results.data.get("training", {})
    if settings:
        yield Paragraph(
            "Epochs count pretraining. At most "
            f"{settings.get('epochs')} epochs of training and {settings.get('pretrain_epochs')} of "
            "pretraining were allowed (the entity network has its own schedule)."
        )


def _figure(figures: Mapping[str, str], file: str, caption: str) -> Iterator[Block]:
    if file in figures:
        yield Figure(file, figures[file], caption)


def _printed(row: ResultRow, metrics: Sequence[str]) -> tuple[str, ...]:
    values = [getattr(row.printed, metric) if row.printed else None for metric in metrics]
    return tuple(NOTHING if value is None else f"{value:.1f}" for value in values)


def _score(score: SeedScore | None, *, interval: bool = False) -> str:
    if score is None:
        return NOTHING
    text = f"{100 * score.value:.1f}"
    if len(score.seeds) > 1:
        text += f" ± {100 * score.spread:.1f}"
    return f"{text} [{100 * score.low:.1f}, {100 * score.high:.1f}]" if interval else text


def _difference(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return NOTHING, NOTHING
    return f"{100 * difference.value:+.1f}", f"{difference.p:.3f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
