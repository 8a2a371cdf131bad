"""The report in words and tables: the paper's numbers beside ours, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from npn.reproduction.blocks import Block, Paragraph, ReportHeading
from npn.reproduction.chapters.embeddings import action_neighbours, compositions
from npn.reproduction.chapters.examples import selections
from npn.reproduction.chapters.selection import curd, keys, table_2
from npn.reproduction.chapters.states import label_curve, state_changes
from npn.reproduction.chapters.training import training
from npn.reproduction.results import Results

TITLE = "Tracking: the paper's numbers beside ours"


def write(
    results: Results, figures: Mapping[str, str], command: str, remarks: Sequence[Block] = ()
) -> list[Block]:
    return [
        ReportHeading(1, TITLE),
        Paragraph(
            "Every tracking result of the paper, run anew. A score is the mean over seeds, with "
            "the standard deviation over seeds after ± and the 95 % bootstrap interval over "
            "recipes in brackets; a difference is from the full model, on the same resamples of "
            "recipes, with its interval and its two-sided p. All scores are in percent."
        ),
        Paragraph(f"Made with: {command}"),
        Paragraph(_made_from(results)),
        *remarks,
        *table_2(results, figures),
        *keys(results),
        *curd(results),
        *state_changes(results),
        *label_curve(results, figures),
        *action_neighbours(results, figures),
        *compositions(results, figures),
        *selections(results),
        *training(results),
    ]


def _made_from(results: Results) -> str:
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in results.recipes.items())
    return (
        f"Gold: {gold}. The test sets (npn_entities_test, curd_dev, states_dev) are measured here "
        "and nowhere tuned on. The paper's test labels are those of its authors, on text that was "
        "put together anew; its own text and its gold for end states are not public."
    )
