"""What `npn prepare` and `npn prepare --next` have in common: a corpus is read, cut into pieces,
worked through in shards, and gone on with after a stop, as `npn corpus` does it.

In the folder that is filled every file is whole or not there, and the manifest, which vouches for
the others, comes last.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, Protocol

from npn.corpus.sharding.engine import make_shards, write_shards
from npn.corpus.sharding.folder import (
    MadeShard,
    Record,
    ShardFolder,
    UnfinishedError,
    file_hashes,
    writing_to,
)
from npn.corpus.sharding.inputs import find_inputs
from npn.corpus.sharding.pieces import Lost, Piece, cut, part_items
from npn.corpus.sharding.storage import LocalStorage
from npn.errors import NpnError
from npn.formats import Found, Note
from npn.partial_files import write_whole
from npn.recipe import Recipe
from npn.training.data.shards import Shard, pack_shard, read_shard

PACKAGE = Path(__file__).parents[2]
SOURCES = (".py", ".toml", ".safetensors")
FORMAT = 1  # of what is prepared
MANIFEST, VOCABULARY, EMBEDDINGS = "manifest.json", "vocabulary.json", "embeddings.safetensors"
SPLIT_FILES = ("train.safetensors", "development.safetensors", "test.safetensors")


class ShardMaker(Protocol):
    """Made once in each process."""

    def make(self, recipes: Sequence[Recipe]) -> tuple[Shard, list[str]]:
        """The shard of the recipes of a piece, and why some of them could not be used."""


@dataclass(frozen=True, slots=True)
class PieceJob:
    """What every process does: load its maker, and make a shard of each piece. `verb` says what
    becomes of the recipes ("labelled"), and `table` what the shards are called."""

    table: str
    verb: str
    load: Callable[[], ShardMaker]

    def start(self) -> Callable[[Piece], MadeShard]:
        return partial(self._make, self.load())

    def lost(self, piece: Piece, why: str) -> MadeShard:
        """Training data that lacks a part of its corpus would be of no use to anyone."""
        raise UnfinishedError(
            f"{piece.place} cannot be {self.verb}: {why}; what is done will be kept"
        )

    def _make(self, maker: ShardMaker, piece: Piece) -> MadeShard:
        """The record has `notes` for the user, and in `unreadable` why a file cannot be read to its
        end."""
        recipes: list[Recipe] = []
        notes, problems, unreadable = [], 0, []
        for part in piece.parts:
            for item in part_items(part):
                if isinstance(item, Found):
                    recipes.append(item.recipe)
                elif isinstance(item, Lost):
                    unreadable.append(item.message)
                elif isinstance(item, Note):
                    notes.append(item.message)
                else:
                    problems += 1
                    notes.append(f"{part.path}, {item.where}: {item.message}")
        shard, refused = maker.make(recipes)
        files = {self.table: pack_shard(shard)}
        record = {
            "input": piece.hash,
            "recipes": len(recipes),
            "refused": {"recipe": problems + len(refused), "file": len(unreadable), "shard": 0},
            "notes": [*notes, *(f"{piece.place}: {why}" for why in refused)],
            "unreadable": unreadable,
            "files": file_hashes(files),
        }
        return MadeShard(piece.number, files, record, piece.progress)


class Watcher(Protocol):
    """Who is told how far it is."""

    def begin_part(self, name: str) -> None: ...
    def advance(self, recipes: int, progress: float) -> None:
        """So many recipes more are done, and this share of the corpora has been read."""

    def note(self, message: str) -> None: ...


class PreparedFolder:
    """A folder that is filled from corpora. What is done so far lies in a hidden folder inside it
    that is gone in the end; it is thrown away where the format or a version is another, that of the
    files of the package that the work `depends_on`, or of whatever else it does."""

    def __init__(
        self,
        folder: Path,
        corpora: Sequence[Path],
        depends_on: Iterable[str],
        **versions: str,
    ) -> None:
        self.folder = folder
        self._inputs = find_inputs([str(path) for path in corpora], str(folder))
        files = [Path(one.path) for one in self._inputs]
        self._corpora = sorted([path.name, file_hash(path)] for path in files)
        code = hash_of(PACKAGE / name for name in depends_on)  # work of two versions never mixes
        known = {"npn": version("npn"), "code": code, **versions}
        self._plan: dict[str, Any] = {"format": FORMAT, "versions": known}
        self._work = folder / ".work"
        self._shards = ShardFolder(LocalStorage(self._work), str(folder), "safetensors")

    @contextmanager
    def filling(self) -> Iterator[None]:
        """The folder, ready to be filled, and nobody else's meanwhile. What a run that is stopped
        has done is kept; one that can come to nothing leaves no trace."""
        held = False
        created: list[Path] = []
        try:
            with writing_to(str(self.folder)):
                self._check()
                created = [p for p in (self.folder, *self.folder.parents) if not p.exists()]
                with self._shards.storage.in_use():
                    held = True
                    self._shards.open(self._plan, restart=not self._shards.has_plan(self._plan))
                    yield
                shutil.rmtree(self._work)
        except NpnError as error:
            goes_on = isinstance(error, UnfinishedError) and any(self._shards.records())
            if held and not goes_on:
                with suppress(OSError):
                    shutil.rmtree(self._work)
                    for folder in created:
                        folder.rmdir()
            raise

    def _check(self) -> None:
        """Refuse a folder that holds what is not ours."""
        if self.folder.exists() and not self.folder.is_dir():
            raise NpnError(f"{self.folder} is a file: name a folder with -o")
        ours = (self.folder / MANIFEST).is_file() or self._work.is_dir()
        if self.folder.is_dir() and any(self.folder.iterdir()) and not ours:
            raise NpnError(
                f"{self.folder} holds other files: name a new or an empty folder with -o"
            )

    def make_shards(
        self, job: PieceJob, watcher: Watcher, processes: int, recipes: int
    ) -> tuple[Shard, int]:
        """All shards, of so many `recipes` each, made now or before, as one; and how many recipes
        could not be used. A file that cannot be read to its end stops it: training data that lacks
        a part of its corpus would be of no use to anyone."""

        def tell(record: Record, progress: float, kept: bool) -> None:
            for why in record["unreadable"]:
                raise NpnError(why)
            watcher.advance(record["recipes"], progress)

        events = make_shards(cut(self._inputs, recipes), job, self._shards.done(), processes)
        count, shards, refused = write_shards(events, self._shards, tell), [], 0
        for number in range(count):
            record = self._shards.record(number)
            refused += record["refused"]["recipe"]
            for note in record["notes"]:
                watcher.note(note)
            shards.append(read_shard(self._work / self._shards.file(job.table, number)))
        return Shard.joined(shards), refused

    def finish(
        self, files: Mapping[str, bytes], packages: Sequence[str], **manifest: object
    ) -> None:
        """Put the files in place. Until all are on the disk the folder stays as it was. The
        manifest also says with which versions of `packages` they were made."""
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        made_with = {"python": python_version(), **{name: version(name) for name in packages}}
        versions = {"versions": self._plan["versions"] | made_with, "corpora": self._corpora}
        final = self._work / "final"
        final.mkdir(exist_ok=True)
        table = {**self._plan, **versions, **manifest, "hashes": hashes}
        whole = {**files, MANIFEST: to_json(table)}
        for name, data in whole.items():
            write_whole(final / name, data)
        for name in (MANIFEST, VOCABULARY, EMBEDDINGS, *SPLIT_FILES):
            (self.folder / name).unlink(missing_ok=True)
        for name in whole:
            (final / name).replace(self.folder / name)


def to_json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


def file_hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise NpnError(f"{path} does not exist: check the path") from None
    except OSError as error:
        raise NpnError(f"{path} cannot be read: {error.strerror or error}") from error


def hash_of(paths: Iterable[Path]) -> str:
    """Of files, and of the sources in folders."""
    files: list[Path] = []
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        files += [one for one in found if one.suffix in SOURCES]
    return hashlib.sha256("".join(map(file_hash, files)).encode()).hexdigest()
