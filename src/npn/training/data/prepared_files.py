"""The folder that `npn prepare` fills: every file in it is whole or not there, and the manifest,
which vouches for the others, comes last."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from npn.corpus.sharding.folder import ShardFolder
from npn.corpus.sharding.storage import LocalStorage
from npn.errors import NpnError
from npn.partial_files import write_whole

MANIFEST = "manifest.json"
OUTPUTS = (
    "vocabulary.json",
    "embeddings.safetensors",
    "train.safetensors",
    "development.safetensors",
    "test.safetensors",
)


class PreparedFolder:
    """`shards` holds what is done so far, in a hidden folder that is gone in the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / ".work"
        self.shards = ShardFolder(LocalStorage(self.work), str(folder), "safetensors")
        self._created: list[Path] = []
        self._held = self._finished = False

    @contextmanager
    def in_use(self, plan: Mapping[str, Any]) -> Iterator[None]:
        """The folder, made ready, and nobody else's meanwhile. Shards of another plan are thrown
        away."""
        if self.folder.exists() and not self.folder.is_dir():
            raise NpnError(f"{self.folder} is a file: name a folder with -o")
        if self.folder.is_dir() and any(self.folder.iterdir()) and not self._is_ours():
            raise NpnError(
                f"{self.folder} holds other files: name a new or an empty folder with -o"
            )
        created = [p for p in (self.folder, *self.folder.parents) if not p.exists()]
        with self.shards.storage.in_use():
            self._created, self._held = created, True
            self.shards.open(plan, restart=not self.shards.has_plan(plan))
            yield
        if self._finished:
            self._clear()

    def shard(self, table: str, number: int) -> Path:
        return self.work / self.shards.file(table, number)

    def finish(self, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> None:
        """Put the files in place. Until all are on the disk the folder stays as it was."""
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        final = self.work / "final"
        final.mkdir(exist_ok=True)
        for name, data in files.items():
            write_whole(final / name, data)
        write_whole(final / MANIFEST, to_json({**manifest, "hashes": hashes}))
        (self.folder / MANIFEST).unlink(missing_ok=True)
        for name in OUTPUTS:
            (self.folder / name).unlink(missing_ok=True)
        for name in (*files, MANIFEST):
            (final / name).replace(self.folder / name)
        self._finished = True

    def abandon(self) -> None:
        """Leave no trace of a run that can come to nothing. What another run is at work on stays
        as it is."""
        if not self._held:
            return
        with suppress(OSError):
            self._clear()
            for folder in self._created:
                folder.rmdir()

    def _is_ours(self) -> bool:
        return (self.folder / MANIFEST).is_file() or self.work.is_dir()

    def _clear(self) -> None:
        if self.work.is_dir():
            shutil.rmtree(self.work)


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
