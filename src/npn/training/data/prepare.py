"""From a corpus of recipes to training data: read, clean, label, choose, number, embed.

The corpus is read, cut and worked through in shards as `npn corpus` does it, so that a run that was
stopped goes on where it was. The rest is quick and is done anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, Protocol

from safetensors.numpy import save

from npn.corpus.sharding.engine import make_shards, write_shards
from npn.corpus.sharding.folder import Record, UnfinishedError, writing_to
from npn.corpus.sharding.inputs import Input, find_inputs
from npn.corpus.sharding.pieces import RECIPES, cut
from npn.errors import NpnError
from npn.trace import STATE_TYPES
from npn.training.data.assembly import (
    SPLITS,
    Cleaning,
    Corpus,
    Numbering,
    Shares,
    SplitCounts,
    count_split,
)
from npn.training.data.label_job import LABELS, LabelJob, load_lexicon_at
from npn.training.data.prepared_files import PreparedFolder, file_hash, to_json
from npn.training.data.shards import LabelIds, Shard, read_shard
from npn.training.data.skipgram import TrainingText, embed

PACKAGE = Path(__file__).parents[2]
FORMAT = 1
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


class Watcher(Protocol):
    """Who is told how far it is."""

    def begin_part(self, name: str) -> None: ...
    def advance(self, recipes: int, progress: float) -> None:
        """So many recipes more are labelled, and this share of the corpora has been read."""

    def note(self, message: str) -> None: ...


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

    ids = LabelIds.of(load_lexicon_at(lexicon))
    inputs = find_inputs([str(path) for path in corpora], str(folder))
    corpus_hashes = [[Path(one.path).name, file_hash(Path(one.path))] for one in inputs]
    versions = {"npn": version("npn"), "code": _code_hash(), "lexicon": _lexicon_hash(lexicon)}
    target = PreparedFolder(folder)
    try:
        with writing_to(str(folder)), target.in_use({"format": FORMAT, "versions": versions}):
            shards, problems = _make_shards(
                inputs, target, watcher, LabelJob(lexicon), processes, shard
            )
            files, summary = _assemble(shards, problems, ids, options, watcher, lexicon)
            manifest = {
                "format": FORMAT,
                "versions": versions | _versions("numpy", "safetensors", "gensim"),
                "options": asdict(options),
                "corpora": sorted(corpus_hashes),
                "counts": {
                    "cleaning": asdict(summary.cleaning),
                    **{name: asdict(counts) for name, counts in summary.splits.items()},
                },
                "vocabulary": hashlib.sha256(files["vocabulary.json"]).hexdigest(),
            }
            watcher.begin_part("Writing")
            target.finish(files, manifest)
    except UnfinishedError:
        if not any(target.shards.records()):
            target.abandon()
        raise
    except NpnError:
        target.abandon()
        raise
    return summary


def _make_shards(
    inputs: Sequence[Input],
    target: PreparedFolder,
    watcher: Watcher,
    job: LabelJob,
    processes: int,
    recipes: int,
) -> tuple[list[Shard], int]:
    """All shards, made or found, and the number of recipes that could not be read."""
    watcher.begin_part("Labelling")

    def tell(record: Record, progress: float, kept: bool) -> None:
        for why in record["unreadable"]:
            raise NpnError(why)
        watcher.advance(record["recipes"], progress)

    done = target.shards.done()
    events = make_shards(cut(inputs, recipes), job, done, processes)
    shards, problems = [], 0
    for number in range(write_shards(events, target.shards, tell)):
        record = target.shards.record(number)
        problems += record["refused"]["recipe"]
        for note in record["notes"]:
            watcher.note(note)
        shard = read_shard(target.shard(LABELS, number))
        if shard is None:
            raise UnfinishedError(
                f"{target.shard(LABELS, number)} was damaged: run the same command again"
            )
        shards.append(shard)
    return shards, problems


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
            files["embeddings.safetensors"] = save(embed(text, load_lexicon_at(lexicon)))
    sizes = len(numbering.words), len(numbering.entities), len(ids.actions)
    return files, Summary(cleaning, splits, *sizes)


def _vocabulary(numbering: Numbering, ids: LabelIds) -> dict[str, Any]:
    return {
        "words": list(numbering.words.words),
        "entities": list(numbering.entities.words),
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


def _versions(*packages: str) -> dict[str, str]:
    return {"python": python_version(), **{name: version(name) for name in packages}}


def _code_hash() -> str:
    """Of all that labels depend on, so that work by another version is never mixed with ours."""
    here = Path(__file__).parent
    files = [here / f"{name}.py" for name in ("cleaning", "label_job", "near_duplicates", "shards")]
    for part in ("corpus/sharding", "formats", "language", "rules"):
        files += sorted((PACKAGE / part).rglob("*.py"))
    return _hash_of(files)


def _lexicon_hash(folder: Path | None) -> str:
    folder = folder or PACKAGE / "rules" / "lexicon"
    return _hash_of([folder / "actions.toml", folder / "end_states.toml"])


def _hash_of(files: Sequence[Path]) -> str:
    return hashlib.sha256("".join(map(file_hash, files)).encode()).hexdigest()
