"""Runs as a few archives that can be carried home from the machine that made them, what matters
most first. What runs said of the gold and their logs always go; the weights of some go in half
precision, as far as there is room."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from safetensors.numpy import save

from npn.errors import NpnError
from npn.networks.common.tensor_file import HEADER, read_tensors, write_bytes
from npn.reproduction.rows import COMPARED, LABELS, TABLE_2, Wanted
from npn.reproduction.tracking.predictions import PREDICTIONS
from npn.training.config import LOG, VOCABULARY, WEIGHTS
from npn.training.jobs import OUTPUT

FILES, LARGEST, ALL = 6, 15 * 2**20, 56 * 2**20  # archives, bytes of each, bytes together
SMALL = (PREDICTIONS, LOG, OUTPUT)
NAMES = {*SMALL, WEIGHTS, VOCABULARY}


@dataclass(frozen=True, slots=True)
class Packed:
    name: str
    data: bytes


def pack(runs: Path, out: Path) -> list[str]:
    """Write archives of the runs in `runs` into `out`; the names of what had no room."""
    out.mkdir(parents=True, exist_ok=True)
    archives: list[list[Packed]] = [[] for _ in range(FILES)]
    sizes = [0] * FILES
    left_out = []
    with ThreadPoolExecutor() as pool:  # lzma lets others run while it works
        for one in pool.map(lambda name: _compress(name, runs), _files(runs)):
            size = len(one.data) + 2 * tarfile.BLOCKSIZE
            emptiest = sizes.index(min(sizes))
            if sizes[emptiest] + size > LARGEST or sum(sizes) + size > ALL:
                left_out.append(one.name)
                continue
            archives[emptiest].append(one)
            sizes[emptiest] += size
    for number, members in enumerate(archives):
        if members:
            write_bytes(out / f"runs-{number}.tar", _tar(members))
    return left_out


def unpack(archives: Path, runs: Path) -> None:
    """Put the runs that were packed into `archives` into the folder `runs`."""
    for path in sorted(archives.glob("runs-*.tar")):
        try:
            with tarfile.open(path) as tar:
                for name, data in _members(tar, path):
                    (runs / name).parent.mkdir(parents=True, exist_ok=True)
                    write_bytes(runs / name, data)
        except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
            raise NpnError(f"{path} is no whole archive of runs: {error}") from error
    shared = runs / VOCABULARY
    for predictions in runs.glob(f"*/{PREDICTIONS}"):
        beside = predictions.with_name(VOCABULARY)
        if not beside.exists() and shared.is_file():
            write_bytes(beside, shared.read_bytes())


def _members(tar: tarfile.TarFile, path: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    for member in tar:
        name = PurePosixPath(member.name.removesuffix(".xz"))
        content = tar.extractfile(member)
        if content is None or name.name not in NAMES or len(name.parts) > 2 or ".." in name.parts:
            raise NpnError(f'{path} is no archive of runs: it holds "{member.name}"')
        yield name, lzma.decompress(content.read())


def _files(runs: Path) -> list[str]:
    """What is worth carrying, by worth: of weights, first those that other parts of the reports
    read, then one seed of every row."""
    folders = sorted(path.parent.name for path in runs.glob(f"*/{PREDICTIONS}"))
    if not folders:
        raise NpnError(f"{runs} holds no run that has said anything")
    first = [f"{folders[0]}/{VOCABULARY}"]
    small = [f"{folder}/{name}" for folder in folders for name in SMALL]
    heavy = [Wanted(key, 1, labels).folder for labels in LABELS for key in COMPARED]
    heavy += [Wanted(row.experiment, 1, labels).folder for labels in LABELS for row in TABLE_2]
    weights = [f"{folder}/{WEIGHTS}" for folder in dict.fromkeys(heavy)]
    return [name for name in (*first, *small, *weights) if (runs / name).is_file()]


def _compress(name: str, runs: Path) -> Packed:
    path = runs / name
    data = _half(path) if path.name == WEIGHTS else path.read_bytes()
    if path.name == VOCABULARY:  # the same for all
        name = VOCABULARY
    return Packed(f"{name}.xz", lzma.compress(data, preset=1))


def _half(path: Path) -> bytes:
    """Weights in half precision; whoever loads them has them in single precision again."""
    file = read_tensors(path)
    halves = {name: one.astype(np.float16) for name, one in file.tensors.items()}
    packed: bytes = save(halves, {HEADER: json.dumps(file.header, sort_keys=True)})
    return packed


def _tar(members: Sequence[Packed]) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for member in members:
            entry = tarfile.TarInfo(member.name)
            entry.size = len(member.data)
            tar.addfile(entry, io.BytesIO(member.data))
    return archive.getvalue()
