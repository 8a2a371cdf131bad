"""A folder of shards, here that of a tracked corpus:

manifest.json           what it was made from, by what, and what is in it; written last
plan.json               what shards must have been made by to be kept
shards/000000.json      the record of a shard, written when its files are there
recipes/000000.parquet  and so on, a folder for each table
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from npn.corpus.sharding.storage import Storage
from npn.errors import NpnError

FORMAT = 1
MANIFEST, PLAN, SHARDS = "manifest.json", "plan.json", "shards"
EXTENSIONS = ("parquet", "jsonl", "safetensors")
Record = Mapping[str, Any]


class UnfinishedError(NpnError):
    """A run that goes on where it stopped when it is started again."""


@dataclass(frozen=True, slots=True)
class MadeShard:
    """What was made of a piece: `files` by the names of their tables, and a `record` that says
    what is in them. A record has at least these: `input`, the hash of the piece; `files`, the
    `bytes` and `sha256` of each; `refused`, where `shard` counts what was lost with its worker."""

    number: int
    files: Mapping[str, bytes]
    record: Record
    progress: float = 0.0


class ShardFolder:
    def __init__(self, storage: Storage, name: str, extension: str = "parquet") -> None:
        self.storage = storage
        self.name = name
        self.extension = extension

    def has_plan(self, plan: Mapping[str, Any]) -> bool:
        """Whether it was begun with this plan."""
        return self.storage.read(PLAN) == to_json(plan)

    def open(self, plan: Mapping[str, Any], *, restart: bool = False) -> None:
        """Make the folder ready for this plan, or say why it cannot be used."""
        known = self.storage.read(PLAN)
        if known is None and any(self.storage.names()):
            raise NpnError(f"{self.name} holds other files: name a new or an empty folder with -o")
        if known is not None and not restart:
            difference = _difference(known, plan)
            if difference:
                raise NpnError(
                    f"{self.name} was begun with {difference}: name another folder with -o, or "
                    "start anew with --restart"
                )
        if known is not None and restart:
            self._clear()
        self.storage.write(PLAN, to_json(plan))

    def done(self) -> dict[int, str]:
        """The hash of the input of each shard that is whole, by its number."""
        found = {}
        for number, record in self.records():
            whole = all(
                self.storage.holds(self.file(name, number), one["bytes"], one["sha256"])
                for name, one in record["files"].items()
            )
            if whole and not record["refused"]["shard"]:
                found[number] = str(record["input"])
        return found

    def records(self) -> Iterator[tuple[int, Record]]:
        """The records of all shards that can be read, by number."""
        for name in self.storage.names(SHARDS):
            try:
                record = json.loads(self.storage.read(f"{SHARDS}/{name}") or b"")
                yield int(name.removesuffix(".json")), record
            except (ValueError, RecursionError):  # damaged: the shard is made again
                continue

    def record(self, number: int) -> Record:
        found: Record = json.loads(self.storage.read(_record(number)) or b"{}")
        return found

    def put(self, shard: MadeShard) -> None:
        """Write a shard: its files first, then the record that vouches for them."""
        self.storage.delete(_record(shard.number))
        for name, data in shard.files.items():
            self.storage.write(self.file(name, shard.number), data)
        self.storage.write(_record(shard.number), to_json(shard.record))

    def finish(self, shards: int, manifest: Mapping[str, Any]) -> None:
        """Throw away what an earlier run made beyond the last shard, and write the manifest."""
        for number, record in list(self.records()):
            if number >= shards:
                self.storage.delete(_record(number))
                for name in record["files"]:
                    self.storage.delete(self.file(name, number))
        self.storage.write(MANIFEST, to_json(manifest))

    def manifest(self) -> Record | None:
        data = self.storage.read(MANIFEST)
        if data is None:
            return None
        try:
            found: Record = json.loads(data)
        except (ValueError, RecursionError):
            raise NpnError(
                f"{self.name}/{MANIFEST} is damaged: run npn corpus track again"
            ) from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise NpnError(
                f"{self.name}/{MANIFEST} is of another version of npn: track the corpus anew"
            )
        return found

    def _clear(self) -> None:
        self.storage.delete(MANIFEST)
        for number, record in list(self.records()):
            self.storage.delete(_record(number))
            for name in record["files"]:
                for extension in EXTENSIONS:
                    self.storage.delete(f"{name}/{number:06}.{extension}")

    def file(self, table: str, number: int) -> str:
        return f"{table}/{number:06}.{self.extension}"


@contextmanager
def writing_to(folder: str) -> Iterator[None]:
    """What the system says against writing becomes a sentence for the user."""
    try:
        yield
    except OSError as error:
        raise UnfinishedError(
            f"cannot write to {folder}: {error.strerror or error}; mend that and run the same "
            "command again, which goes on with what is done"
        ) from error


def file_hashes(files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """What a record says of its files, by which they are known to be whole."""
    return {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
    }


def to_json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, indent=1).encode() + b"\n"


def _record(number: int) -> str:
    return f"{SHARDS}/{number:06}.json"


def _difference(known: bytes, plan: Mapping[str, Any]) -> str:
    """What of another plan differs from this one, in words; nothing if they are the same."""
    try:
        other = json.loads(known)
    except (ValueError, RecursionError):
        return "a plan that is damaged"
    if not isinstance(other, dict):
        return "a plan that is damaged"
    differences = [
        f"{key} {other.get(key)}, not {plan.get(key)}"
        for key in {**plan, **other}
        if other.get(key) != plan.get(key)
    ]
    return "; ".join(differences)
