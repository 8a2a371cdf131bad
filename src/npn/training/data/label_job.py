"""What a worker of `npn prepare` does: read the recipes of a piece, clean and label them, and give
them back as a shard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from npn.corpus.sharding.folder import MadeShard, UnfinishedError, file_hashes
from npn.corpus.sharding.parts import Lost, part_items
from npn.corpus.sharding.pieces import Piece
from npn.formats import Found, Note
from npn.recipe import Recipe
from npn.rules.lexicon.lexicon import Lexicon, load_lexicon, load_lexicon_folder
from npn.training.data.shards import ShardMaker, pack_shard

LABELS = "labels"  # the one table of a shard


@dataclass(frozen=True, slots=True)
class LabelJob:
    lexicon: Path | None

    def start(self) -> Callable[[Piece], MadeShard]:
        maker = ShardMaker(load_lexicon_at(self.lexicon))
        return lambda piece: label_piece(piece, maker)

    def lost(self, piece: Piece, why: str) -> MadeShard:
        """Training data that lacks a part of its corpus would be of no use to anyone."""
        raise UnfinishedError(f"{piece.place} cannot be labelled: {why}; what is done will be kept")


def load_lexicon_at(folder: Path | None) -> Lexicon:
    return load_lexicon() if folder is None else load_lexicon_folder(folder)


def label_piece(piece: Piece, maker: ShardMaker) -> MadeShard:
    """Its record has the `notes` for the user, and in `unreadable` why a file cannot be read to
    its end."""
    read = _PieceItems.of(piece)
    files = {LABELS: pack_shard(maker.make(read.recipes))}
    record = {
        "input": piece.hash,
        "recipes": len(read.recipes),
        "refused": {"recipe": read.problems, "file": len(read.unreadable), "shard": 0},
        "notes": read.notes,
        "unreadable": read.unreadable,
        "files": file_hashes(files),
    }
    return MadeShard(piece.number, files, record, piece.progress)


@dataclass(slots=True)
class _PieceItems:
    """What is in a piece, by what becomes of it."""

    recipes: list[Recipe] = field(default_factory=list)
    problems: int = 0
    notes: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    @staticmethod
    def of(piece: Piece) -> _PieceItems:
        items = _PieceItems()
        for part in piece.parts:
            for item in part_items(part):
                if isinstance(item, Found):
                    items.recipes.append(item.recipe)
                elif isinstance(item, Lost):
                    items.unreadable.append(item.message)
                elif isinstance(item, Note):
                    items.notes.append(item.message)
                else:
                    items.problems += 1
                    items.notes.append(f"{part.path}, {item.where}: {item.message}")
        return items
