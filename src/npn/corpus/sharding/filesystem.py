"""Paths that are addresses: "s3://bucket/recipes" and "gs://bucket/recipes", through pyarrow."""

from __future__ import annotations

import os
from typing import Any

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
