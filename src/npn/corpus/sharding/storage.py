"""Where a corpus is written: a folder of this machine, or one in a cloud's object store. A file is
whole or not there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from npn.corpus.sharding.filesystem import is_address, pyarrow_module, remote_filesystem
from npn.errors import NpnError
from npn.partial_files import write_whole

LOCK = ".lock"


class Storage(Protocol):
    """Files by their names relative to the folder, with "/" between the parts."""

    def read(self, name: str) -> bytes | None:
        """What is in a file, or None where there is none."""

    def write(self, name: str, data: bytes) -> None: ...
    def delete(self, name: str) -> None: ...
    def names(self, folder: str = "") -> list[str]:
        """The names in a folder, sorted; of files and folders alike, without hidden ones."""

    def holds(self, name: str, size: int, sha256: str) -> bool:
        """Whether a file is there as it was written."""

    def in_use(self) -> Any:
        """A context in which nobody else writes here."""


def open_storage(folder: str) -> Storage:
    return RemoteStorage(folder) if is_address(folder) else LocalStorage(Path(folder))


class LocalStorage:
    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, name: str) -> bytes | None:
        try:
            return (self.root / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)

    def delete(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    def names(self, folder: str = "") -> list[str]:
        path = self.root / folder
        if not path.is_dir():
            return []
        return sorted(one.name for one in path.iterdir() if not one.name.startswith("."))

    def holds(self, name: str, size: int, sha256: str) -> bool:
        path = self.root / name
        if not path.is_file() or path.stat().st_size != size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256

    @contextmanager
    def in_use(self) -> Iterator[None]:
        if self.root.exists() and not self.root.is_dir():
            raise NpnError(f"{self.root} is a file: name a folder with -o")
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / LOCK).open("ab") as file:
            if not _lock(file):
                raise NpnError(
                    f"{self.root} is in use by another run of npn: wait for it, or name another "
                    "folder with -o"
                )
            yield  # the lock goes with the file, also when we are killed


class RemoteStorage:
    """An object store has no locks: two runs at a time in one folder are for the user to avoid."""

    def __init__(self, address: str) -> None:
        self._files, path = remote_filesystem(address)
        self._root = path.rstrip("/")

    def read(self, name: str) -> bytes | None:
        try:
            with self._files.open_input_stream(f"{self._root}/{name}") as file:
                data: bytes = file.read()
                return data
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        with self._files.open_output_stream(f"{self._root}/{name}") as file:
            file.write(data)  # it appears when the stream is closed

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self._files.delete_file(f"{self._root}/{name}")

    def names(self, folder: str = "") -> list[str]:
        fs = pyarrow_module("fs")
        path = f"{self._root}/{folder}".rstrip("/")
        found = self._files.get_file_info(fs.FileSelector(path, allow_not_found=True))
        return sorted(one.base_name for one in found if not one.base_name.startswith("."))

    def holds(self, name: str, size: int, sha256: str) -> bool:
        info = self._files.get_file_info(f"{self._root}/{name}")
        return bool(info.is_file and info.size == size)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        yield


def _lock(file: IO[bytes]) -> bool:
    """Take an open file for this process alone, or say that another has it."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return _lock_on_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_on_windows(file: IO[bytes]) -> bool:
    from importlib import import_module

    windows = import_module("msvcrt")
    try:
        windows.locking(file.fileno(), windows.LK_NBLCK, 1)
    except OSError:
        return False
    return True
