"""Opening an input: local or remote, plain or packed, and a sentence for whatever is wrong."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from npn.corpus.sharding.filesystem import is_address, pyarrow_module, remote_filesystem
from npn.errors import NpnError


class Opened:
    """An input that is being read: `file` gives its bytes, unpacked; `position` says how many
    bytes of the file itself have been read."""

    def __init__(self, raw: Any, file: IO[bytes]) -> None:
        self.raw = raw
        self.file = file

    @property
    def position(self) -> int:
        return int(self.raw.tell())


@contextmanager
def open_input(path: str) -> Iterator[Opened]:
    """An input, to be read once from beginning to end."""
    with describing(path), _raw(path) as raw:
        yield Opened(raw, unpacked(path, raw))


def unpacked(path: str, raw: IO[bytes]) -> IO[bytes]:
    """A file that gives what is in `raw`, unpacked by the extension of its name."""
    name = path.lower()
    if name.endswith((".gz", ".tgz")):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if name.endswith(".zst"):
        arrow = pyarrow_module("")
        stream = arrow.CompressedInputStream(arrow.PythonFile(raw, mode="r"), "zstd")
        return cast(IO[bytes], io.BufferedReader(stream))
    return raw


@contextmanager
def describing(path: str) -> Iterator[None]:
    """Whatever keeps a file from being read becomes an NpnError that names it."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise NpnError(f"{path} does not exist: check the path") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise NpnError(f"{path} is not a whole gzip file: get it again") from None
    except tarfile.TarError:
        raise NpnError(f"{path} is not a whole tar archive: get it again") from None
    except NpnError:
        raise
    except (OSError, ValueError) as error:  # what pyarrow raises is one of the two
        if path.lower().endswith(".zst"):
            raise NpnError(f"{path} is not a whole Zstandard file: get it again") from error
        if path.lower().endswith(".parquet"):
            raise NpnError(f"{path} is not a whole Parquet file: get it again") from error
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise NpnError(f"{path} cannot be read: {reason}") from error


@contextmanager
def _raw(path: str) -> Iterator[IO[bytes]]:
    if is_address(path):
        files, inside = remote_filesystem(path)
        with files.open_input_file(inside) as remote:
            yield cast(IO[bytes], io.BufferedReader(remote))
    else:
        with open(path, "rb") as file:
            yield file
