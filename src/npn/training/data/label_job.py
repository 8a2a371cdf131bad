"""What a worker of `npn prepare` does: read the recipes of a piece, clean and label them, and give
them back as a shard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from npn.corpus.sharding.folder import MadeShard, UnfinishedError
from npn.corpus.sharding.pieces import Piece
from npn.rules.lexicon.lexicon import Lexicon, load_lexicon, load_lexicon_folder
from npn.training.data.piecework import PieceItems, made_shard
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
    items = PieceItems.of(piece)
    return made_shard(piece, items, {LABELS: pack_shard(maker.make(items.recipes))})
