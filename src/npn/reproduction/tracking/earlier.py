"""Runs of an earlier report, kept as history in a table of their own: they were trained on other
data and for other epochs, so that they cannot stand beside newer ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.judgement import kept_p

EARLIER = "earlier.json"  # in the folder of the report; rows as in numbers.json
GOLD = "npn_entities_test"
METRICS = ("entity_f1", "uncombined_recall", "combined_recall")


def read_earlier(folder: Path) -> dict[str, Any]:
    """The numbers of earlier runs beside a report; nothing where none are kept."""
    path = folder / EARLIER
    if not path.is_file():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
    except ValueError as error:
        raise NpnError(f"{path} holds no numbers of earlier runs: remove it") from error
    return found


def earlier_runs(earlier: Mapping[str, Any], files: Mapping[str, str]) -> Iterator[Block]:
    """`files` are the hashes of the data that the newer runs were trained on."""
    if not earlier:
        return
    training = earlier["data"]["training"]
    other = [name for name, sha in earlier["data"]["files"].items() if files.get(name) != sha]
    yield ReportHeading(2, "Earlier runs")
    yield Paragraph(
        "History, not to be compared with the tables above: entity selection on the same "
        f"{earlier['recipes'][GOLD]} test recipes by runs of an earlier report, on our labels of "
        f"that time, with at most {training['pretrain_epochs']} epochs of pretraining and "
        f"{training['epochs']} of training (the entity network has its own schedule). Files of the "
        f"training data that are not those of the newer runs: {', '.join(other) or 'none'}. "
        "Columns are those of table 2; epochs, pretraining included, and the best after it are "
        "means over seeds. A run that came to its last epoch allowed counts as ended, however near "
        "to the last its best was."
    )
    yield Table(
        ("", "F1", "UR", "CR", "F1 less full", "p", "seeds", "epochs", "best epoch", ""),
        tuple(_cells(row) for row in earlier["table"]),
    )


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    scores = [row["scores"][GOLD][metric] for metric in METRICS]
    less = row["less_full"].get(GOLD, {}).get("entity_f1")
    value, low, high = (100 * less[key] for key in ("value", "low", "high")) if less else (0, 0, 0)
    return (
        row["label"],
        *(f"{100 * one['value']:.1f} ± {100 * one['spread']:.1f}" for one in scores),
        f"{value:+.1f} [{low:+.1f}, {high:+.1f}]" if less else NOTHING,
        kept_p(less["p"]).removeprefix("p ") if less else NOTHING,
        str(len(row["seeds"])),
        f"{row['epochs']:.1f}",
        f"{row['best_epoch']:.1f}",
        "" if row["finished"] else "cut off",
    )
