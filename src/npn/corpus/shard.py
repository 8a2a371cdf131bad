"""From a piece to a shard: parse, track, and encode. This is all that a worker does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from npn.corpus.sharding.folder import MadeShard, file_hashes
from npn.corpus.sharding.pieces import FilePart, Lost, Piece, part_items
from npn.corpus.statistics import count
from npn.corpus.tables import KINDS, Refused, Tracked, parquet_files
from npn.errors import NpnError
from npn.formats import Found, Note
from npn.language.words import looks_english
from npn.models import load_tracker
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import Tracker

FORMATS = ("parquet", "jsonl")
LISTED = 100  # refusals and notes that a record lists; the table `refused` has them all


@dataclass(frozen=True, slots=True)
class TrackerChoice:
    """Which tracker to load, in whatever process."""

    model: str
    lexicon: str | None = None

    def load(self) -> Tracker:
        lexicon = Path(self.lexicon) if self.lexicon else None
        return load_tracker(self.model, lexicon)


class ShardTracker:
    """Holds a tracker, which is loaded once, and makes shards of pieces."""

    def __init__(self, choice: TrackerChoice, format: str) -> None:
        self.tracker = choice.load()
        self.format = format

    def make(self, piece: Piece) -> MadeShard:
        found, refused, notes = _read(piece.parts)
        tracked: list[Tracked] = []
        for path, one in found:
            outcome = _track(self.tracker, one.recipe)
            if isinstance(outcome, str):
                refused.append(Refused("recipe", path, one.where, outcome))
            else:
                tracked.append(Tracked(path, one.where, outcome, looks_english(one.recipe)))
        return encode(piece, self.format, tracked, refused, notes)


def encode(
    piece: Piece,
    format: str,
    tracked: Sequence[Tracked] = (),
    refused: Sequence[Refused] = (),
    notes: Sequence[str] = (),
) -> MadeShard:
    """The shard that holds what was tracked and what was refused."""
    if format == "parquet":
        files = parquet_files(piece.number, tracked, refused)
    else:
        files = _json_lines(tracked, refused)
    record = {
        "shard": piece.number,
        "input": piece.hash,
        "recipes": len(tracked),
        "steps": sum(len(one.trace.steps) for one in tracked),
        "ingredients": sum(len(one.trace.ingredients) for one in tracked),
        "not_english": sum(not one.english for one in tracked),
        "refused": {what: sum(one.what == what for one in refused) for what in KINDS},
        "refusals": [[one.what, one.path, one.where, one.why] for one in refused[:LISTED]],
        "notes": list(notes[:LISTED]),
        "files": file_hashes(files),
        "statistics": {
            heading: dict(sorted(counts.items()))
            for heading, counts in count(tracked, refused).items()
        },
    }
    return MadeShard(piece.number, files, record, piece.progress)


def lost_shard(piece: Piece, format: str, why: str) -> MadeShard:
    """A shard that holds nothing but word of what was lost."""
    refused = [Refused("shard", part.path, part.lines, why) for part in piece.parts]
    return encode(piece, format, refused=refused)


def _read(parts: Sequence[FilePart]) -> tuple[list[tuple[str, Found]], list[Refused], list[str]]:
    found: list[tuple[str, Found]] = []
    refused: list[Refused] = []
    notes: list[str] = []
    for part in parts:
        for item in part_items(part):
            if isinstance(item, Found):
                found.append((part.path, item))
            elif isinstance(item, Note):
                named = part.path in item.message
                notes.append(item.message if named else f"{part.path}: {item.message}")
            else:
                what = "file" if isinstance(item, Lost) else "recipe"
                refused.append(Refused(what, part.path, item.where, item.message))
    return found, refused, notes


def _track(tracker: Tracker, recipe: Recipe) -> Trace | str:
    try:
        return tracker.track(recipe)
    except NpnError as error:
        return str(error)
    except Exception as error:  # a fault of ours: no reason to lose the others
        return f"the tracker fails on this recipe ({type(error).__name__}: {error})"


def _json_lines(tracked: Sequence[Tracked], refused: Sequence[Refused]) -> dict[str, bytes]:
    """Traces one a line; beside them, line for line, where each recipe stands."""
    places = [{"path": one.path, "place": one.where} for one in tracked]
    problems = [
        {"what": one.what, "path": one.path, "place": one.where, "why": one.why} for one in refused
    ]
    texts = {
        "traces": [one.trace.to_json() for one in tracked],
        "recipes": [json.dumps(place, ensure_ascii=False) for place in places],
        "refused": [json.dumps(problem, ensure_ascii=False) for problem in problems],
    }
    return {
        name: "".join(line + "\n" for line in lines).encode(errors="backslashreplace")
        for name, lines in texts.items()
    }
