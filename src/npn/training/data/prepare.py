"""From a corpus of recipes to training data: read, clean, label, choose, number, embed.

The corpus is read, cut and worked through in shards as `npn corpus` does it, so that a run that was
stopped goes on where it was. The rest is quick and is done anew.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from npn.corpus.sharding.pieces import RECIPES
from npn.errors import NpnError
from npn.language.vocabulary import UNKNOWN_ID
from npn.rules.lexicon import Lexicon, load_lexicon
from npn.trace import STATE_TYPES
from npn.training.data.piecework import (
    EMBEDDINGS,
    PACKAGE,
    VOCABULARY,
    PieceJob,
    PreparedFolder,
    Watcher,
    hash_of,
    to_json,
)
from npn.training.data.ragged import Array
from npn.training.data.shards import EVIDENCE, LabelIds, LabelMaker, Shard, Shares
from npn.training.data.skipgram import TrainingText, embed

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


def label_job(lexicon: Path | None) -> PieceJob:
    return PieceJob("labels", "labelled", partial(LabelMaker, lexicon))


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

    source = lexicon or PACKAGE / "rules" / "lexicon"
    lexicon_hash = hash_of([source / "actions.toml", source / "end_states.toml"])
    target = PreparedFolder(folder, corpora, LABELS_DEPEND_ON, lexicon=lexicon_hash)
    with target.filling():
        watcher.begin_part("Labelling")
        corpus, problems = target.make_shards(label_job(lexicon), watcher, processes, shard)
        files, summary = _assemble(corpus, problems, load_lexicon(lexicon), options, watcher)
        watcher.begin_part("Writing")
        target.finish(
            files,
            ("numpy", "safetensors", "gensim"),
            options=asdict(options),
            counts={
                "cleaning": asdict(summary.cleaning),
                **{name: asdict(counts) for name, counts in summary.splits.items()},
            },
            vocabulary=hashlib.sha256(files[VOCABULARY]).hexdigest(),
        )
    return summary


def _assemble(
    corpus: Shard, problems: int, lexicon: Lexicon, options: PrepareOptions, watcher: Watcher
) -> tuple[dict[str, bytes], Summary]:
    """The files but for the manifest, and what is in them."""
    if not corpus.arrays:
        raise NpnError(_nothing_left(Cleaning.of(corpus, problems, 0, 0)))
    watcher.begin_part("Dropping near-duplicates")
    chosen, duplicates = corpus.choose(options.shares)
    cleaning = Cleaning.of(corpus, problems, duplicates, sum(map(len, chosen.values())))
    if not len(chosen["train"]):
        raise NpnError(_nothing_left(cleaning))
    watcher.begin_part("Numbering")
    corpus = corpus.numbered(chosen["train"], options.words, options.entities)
    ids = LabelIds.of(lexicon)
    files = {VOCABULARY: to_json(_vocabulary(corpus, ids))}
    splits = {}
    for name, recipes in chosen.items():
        arrays = corpus.split(recipes)
        splits[name] = SplitCounts.of(arrays)
        files[f"{name}.safetensors"] = save(arrays)
        if name == "train" and options.embeddings:
            watcher.begin_part("Embedding")
            text = TrainingText(arrays, corpus.words, corpus.entities, list(ids.actions))
            files[EMBEDDINGS] = save(embed(text, lexicon))
    sizes = len(corpus.words), len(corpus.entities), len(ids.actions)
    return files, Summary(cleaning, splits, *sizes)


def _vocabulary(corpus: Shard, ids: LabelIds) -> dict[str, Any]:
    return {
        "words": corpus.words,
        "entities": corpus.entities,
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


# -- What was prepared, in numbers.


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Recipes read, and what became of them. `problems` could not be read; `dropped` counts whole
    recipes by reason; `removed` counts what was taken out of the others."""

    read: int
    problems: int
    dropped: dict[str, int]
    removed: dict[str, int]
    duplicates: int
    unused: int  # beyond --limit and --train

    @staticmethod
    def of(corpus: Shard, problems: int, duplicates: int, used: int) -> Cleaning:
        """Of these recipes, of which so many are `used`."""
        unused = corpus.read - corpus.dropped.total() - duplicates - used
        dropped, removed = _ranked(corpus.dropped), _ranked(corpus.removed)
        return Cleaning(corpus.read, problems, dropped, removed, duplicates, unused)


def _ranked(counts: Counter[str]) -> dict[str, int]:
    """The commonest first, and equally common ones by name."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """`sentences_by_evidence` says how their ingredients are known; `changes` are pairs of a
    sentence and an ingredient, by type."""

    recipes: int
    sentences: int
    words: int
    unknown_words: int
    ingredients: int
    unknown_ingredients: int
    actions: int
    sentences_without_action: int
    sentences_naming_no_ingredient: int
    sentences_by_evidence: dict[str, int]
    changes: dict[str, int]

    @staticmethod
    def of(arrays: dict[str, Array]) -> SplitCounts:
        """Of arrays numbered by the vocabulary."""
        evidence = np.bincount(arrays["evidence"], minlength=len(EVIDENCE)).tolist()
        changes = np.bincount(arrays["changes"][:, 0], minlength=len(STATE_TYPES)).tolist()
        return SplitCounts(
            recipes=len(arrays["recipe_sentences"]) - 1,
            sentences=len(arrays["evidence"]),
            words=len(arrays["tokens"]),
            unknown_words=int((arrays["tokens"] == UNKNOWN_ID).sum()),
            ingredients=len(arrays["ingredients"]),
            unknown_ingredients=int((arrays["ingredients"] == UNKNOWN_ID).sum()),
            actions=int((arrays["actions"] > 0).sum()),
            sentences_without_action=int((arrays["actions"] == 0).sum()),
            sentences_naming_no_ingredient=int((np.diff(arrays["sentence_mentioned"]) == 0).sum()),
            sentences_by_evidence={name: evidence[i] for name, i in EVIDENCE.items()},
            changes=dict(zip(STATE_TYPES, changes, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class Summary:
    cleaning: Cleaning
    splits: dict[str, SplitCounts]
    words: int
    entities: int
    actions: int
