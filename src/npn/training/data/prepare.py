"""From a corpus of recipes to training data: read, clean, label, choose, number, embed.

The corpus is read, cut and worked through in shards as `npn corpus` does it, so that a run that was
stopped goes on where it was. The rest is quick and is done anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from npn.corpus.sharding.folder import MadeShard, UnfinishedError
from npn.corpus.sharding.pieces import RECIPES, Piece
from npn.errors import NpnError
from npn.rules.lexicon import load_lexicon
from npn.trace import STATE_TYPES
from npn.training.data.assembly import (
    Cleaning,
    Corpus,
    Numbering,
    Shares,
    SplitCounts,
    count_split,
)
from npn.training.data.piecework import (
    PACKAGE,
    PieceItems,
    PreparedFolder,
    Watcher,
    hash_of,
    made_shard,
    to_json,
)
from npn.training.data.ragged import SPLITS
from npn.training.data.shards import LabelIds, Shard, ShardMaker, pack_shard
from npn.training.data.skipgram import TrainingText, embed

LABELS = "labels"  # the one table of a shard


@dataclass(frozen=True, slots=True)
class LabelJob:
    lexicon: Path | None

    def start(self) -> Callable[[Piece], MadeShard]:
        maker = ShardMaker(load_lexicon(self.lexicon))
        return lambda piece: label_piece(piece, maker)

    def lost(self, piece: Piece, why: str) -> MadeShard:
        """Training data that lacks a part of its corpus would be of no use to anyone."""
        raise UnfinishedError(f"{piece.place} cannot be labelled: {why}; what is done will be kept")


def label_piece(piece: Piece, maker: ShardMaker) -> MadeShard:
    items = PieceItems.of(piece)
    return made_shard(piece, items, {LABELS: pack_shard(maker.make(items.recipes))})


FORMAT = 1
LABELS_DEPEND_ON = (
    *(f"training/data/{name}.py" for name in ("cleaning", "near_duplicates", "piecework")),
    *(f"training/data/{name}.py" for name in ("prepare", "ragged", "shards")),
    *("corpus/sharding", "formats", "language", "rules"),
)
WORDS, ENTITIES = 7_358, 2_996  # as many as in the paper


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """`shares` says which recipes are used. `words` and `entities` are the most in the two
    vocabularies, not counting padding and unknown."""

    shares: Shares
    words: int = WORDS
    entities: int = ENTITIES
    embeddings: bool = True


@dataclass(frozen=True, slots=True)
class Summary:
    cleaning: Cleaning
    splits: dict[str, SplitCounts]
    words: int
    entities: int
    actions: int


def prepare(
    corpora: Sequence[Path],
    folder: Path,
    options: PrepareOptions,
    watcher: Watcher,
    *,
    lexicon: Path | None = None,
    processes: int = 1,
    shard: int = RECIPES,
) -> Summary:
    """Fill `folder`. The same corpora and options give the same bytes, whatever the order of the
    recipes, the number of processes and the recipes in a `shard`."""
    if options.embeddings:
        import gensim  # noqa: F401  # its absence is better known now than after the work

    ids = LabelIds.of(load_lexicon(lexicon))
    lexicon_hash = _lexicon_hash(lexicon)
    target = PreparedFolder(folder, corpora, FORMAT, LABELS_DEPEND_ON, lexicon=lexicon_hash)
    with target.filling():
        watcher.begin_part("Labelling")
        records = target.work_through(LabelJob(lexicon), watcher, processes, shard)
        problems = sum(record["refused"]["recipe"] for record in records)
        shards = list(target.read_shards(LABELS, len(records)))
        files, summary = _assemble(shards, problems, ids, options, watcher, lexicon)
        counts = {name: asdict(counts) for name, counts in summary.splits.items()}
        watcher.begin_part("Writing")
        target.finish(
            files,
            ("numpy", "safetensors", "gensim"),
            options=asdict(options),
            counts={"cleaning": asdict(summary.cleaning), **counts},
            vocabulary=hashlib.sha256(files["vocabulary.json"]).hexdigest(),
        )
    return summary


def _assemble(
    shards: list[Shard],
    problems: int,
    ids: LabelIds,
    options: PrepareOptions,
    watcher: Watcher,
    lexicon: Path | None,
) -> tuple[dict[str, bytes], Summary]:
    """The files but for the manifest, and what is in them. `shards` is emptied."""
    counts = [shard.counts for shard in shards]
    if not shards:
        raise NpnError(_nothing_left(Cleaning.of(counts, problems, 0, 0)))
    watcher.begin_part("Dropping near-duplicates")
    corpus = Corpus.of(shards)
    shards.clear()
    choice = corpus.choose(options.shares)
    cleaning = Cleaning.of(counts, problems, choice.duplicates, choice.size)
    if not len(choice.splits["train"]):
        raise NpnError(_nothing_left(cleaning))
    watcher.begin_part("Numbering")
    train = corpus.split(choice.splits["train"])
    numbering = Numbering.of(corpus, train, options.words, options.entities)
    files = {"vocabulary.json": to_json(_vocabulary(numbering, ids))}
    splits = {}
    for name in SPLITS:
        arrays = numbering.apply(train if name == "train" else corpus.split(choice.splits[name]))
        splits[name] = count_split(arrays)
        files[f"{name}.safetensors"] = save(arrays)
        if name == "train" and options.embeddings:
            watcher.begin_part("Embedding")
            text = TrainingText(arrays, numbering.words, numbering.entities, list(ids.actions))
            files["embeddings.safetensors"] = save(embed(text, load_lexicon(lexicon)))
    sizes = len(numbering.words), len(numbering.entities), len(ids.actions)
    return files, Summary(cleaning, splits, *sizes)


def _vocabulary(numbering: Numbering, ids: LabelIds) -> dict[str, Any]:
    return {
        "words": list(numbering.words),
        "entities": list(numbering.entities),
        "actions": list(ids.actions),
        "end_states": {
            type: list(names) for type, names in zip(STATE_TYPES, ids.end_states, strict=True)
        },
    }


def _nothing_left(cleaning: Cleaning) -> str:
    reasons = [f"{count:,} with {why}" for why, count in cleaning.dropped.items()]
    reasons += [f"{cleaning.problems:,} that could not be read"] if cleaning.problems else []
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return f"no recipe is left to train on, of {cleaning.read + cleaning.problems:,} read{why}"


def _lexicon_hash(folder: Path | None) -> str:
    folder = folder or PACKAGE / "rules" / "lexicon"
    return hash_of([folder / "actions.toml", folder / "end_states.toml"])
