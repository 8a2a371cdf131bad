"""Files of this machine and of object stores ("s3://bucket/recipes", "gs://bucket/recipes", through
pyarrow), and opening them: plain or packed, with a sentence for whatever is wrong."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from npn.errors import NpnError

NEEDS_PYARROW = "this needs pyarrow: install it with pip install 'npn[corpus]'"


def is_address(path: str) -> bool:
    return "://" in path


def pyarrow_module(name: str) -> Any:
    """A part of pyarrow ("parquet"), or one sentence that says how to get it."""
    from importlib import import_module

    try:
        return import_module(f"pyarrow.{name}" if name else "pyarrow")
    except ModuleNotFoundError as error:
        raise NpnError(NEEDS_PYARROW) from error


def remote_filesystem(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it. Credentials and region are taken from
    the environment, as the programs of each provider do, and so is the address of a server of one's
    own: AWS_ENDPOINT_URL for S3, STORAGE_EMULATOR_HOST for Google Cloud Storage."""
    fs = pyarrow_module("fs")
    try:
        files = _own_server(fs, address)
        if files is not None:
            return files, address.partition("://")[2].rstrip("/")
        found: tuple[Any, str] = fs.FileSystem.from_uri(address)
        return found
    except (OSError, ValueError) as error:  # pyarrow's own errors are of these kinds
        raise NpnError(f"{address} cannot be used as a folder or file: {error}") from error


def _own_server(fs: Any, address: str) -> Any:
    """The file system of a server that the environment names; None where it names none."""
    variables = {"s3": "AWS_ENDPOINT_URL", "gs": "STORAGE_EMULATOR_HOST"}
    kind = address.partition("://")[0]
    server = os.environ.get(variables.get(kind, ""))
    if not server:
        return None
    scheme, _, host = server.rpartition("://")
    if kind == "s3":
        return fs.S3FileSystem(endpoint_override=host, scheme=scheme or "https")
    return fs.GcsFileSystem(endpoint_override=host, scheme=scheme or "http", anonymous=True)


# -- Opening an input.


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
