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

from npn.errors import NpnError
from npn.networks.common.tensor_file import write_whole

MANIFEST = "manifest.json"
OUTPUTS = (
    "vocabulary.json",
    "embeddings.safetensors",
    "train.safetensors",
    "development.safetensors",
    "test.safetensors",
)


class UnfinishedError(NpnError):
    """A run that can go on where it stopped."""


class PreparedFolder:
    """`work` holds what is done so far, as long as it fits `plan`: what a run is made from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / ".work"
        self._created: list[Path] = []

    def open(self, plan: Mapping[str, Any]) -> None:
        """Make the folder ready. Work of another plan is thrown away."""
        if self.folder.exists() and not self.folder.is_dir():
            raise NpnError(f"{self.folder} is a file: name a folder with -o")
        if self.folder.is_dir() and any(self.folder.iterdir()) and not self._is_ours():
            raise NpnError(
                f"{self.folder} holds other files: name a new or an empty folder with -o"
            )
        self._created = [p for p in (self.folder, *self.folder.parents) if not p.exists()]
        self.folder.mkdir(parents=True, exist_ok=True)
        text = to_json(plan)
        known = self.work / "plan.json"
        if not known.is_file() or known.read_bytes() != text:
            self._clear()
            self.work.mkdir()
            write_whole(known, text)
        for part in self.work.glob("*.part"):  # of a run that was killed while it wrote
            part.unlink(missing_ok=True)

    def shard(self, number: int) -> Path:
        return self.work / f"{number:05}.safetensors"

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
        self._clear()

    def abandon(self) -> None:
        """Leave no trace of a run that can come to nothing."""
        with suppress(OSError):
            self._clear()
            for folder in self._created:
                folder.rmdir()

    def _is_ours(self) -> bool:
        return (self.folder / MANIFEST).is_file() or self.work.is_dir()

    def _clear(self) -> None:
        if self.work.is_dir():
            shutil.rmtree(self.work)


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """What the system says against writing becomes a sentence for the user."""
    try:
        yield
    except OSError as error:
        raise UnfinishedError(
            f"cannot write to {folder}: {error.strerror or error}; mend that and run the same "
            "command again, which goes on with what is done"
        ) from error


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
