"""Runs as a few archives that can be carried home from the machine that made them, what matters
most first. The counts of runs and their logs always go; the weights of some go in half precision,
as far as there is room."""

from __future__ import annotations

import json
import zlib
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import numpy as np
from safetensors.numpy import save

from npn.errors import NpnError
from npn.networks.common.files import HEADER, read_tensors, write_bytes
from npn.reproduction.rows import COMPARED, LABELS, TABLE_2, Wanted
from npn.reproduction.tracking.gold_counts import COUNTED
from npn.training.config import LOG, VOCABULARY, WEIGHTS
from npn.training.jobs import OUTPUT

FILES, LARGEST = 4, 14 * 2**20  # archives, and bytes of each
SMALL = (COUNTED, LOG, OUTPUT)


def pack(runs: Path, out: Path) -> list[str]:
    """Write archives of the runs in `runs` into `out`; the names of what had no room."""
    out.mkdir(parents=True, exist_ok=True)
    sizes = {out / f"runs-{number}.zip": 0 for number in range(FILES)}
    for path in sizes:
        path.unlink(missing_ok=True)
    left_out = []
    for name in _files(runs):
        data = _half(runs / name) if name.endswith(WEIGHTS) else (runs / name).read_bytes()
        roomy = next((path for path, size in sizes.items() if size + len(data) <= LARGEST), None)
        if roomy is None:
            left_out.append(name)
            continue
        with ZipFile(roomy, "a", ZIP_DEFLATED) as archive:
            archive.writestr(name, data)
        sizes[roomy] = roomy.stat().st_size
    return left_out


def _files(runs: Path) -> list[str]:
    """What is worth carrying, by worth: of weights, first those that other parts of the reports
    read, then one seed of every row."""
    folders = sorted(path.parent.name for path in runs.glob(f"*/{COUNTED}"))
    if not folders:
        raise NpnError(f"{runs} holds no run that has been counted")
    small = [f"{folder}/{name}" for folder in folders for name in SMALL]
    rows = (COMPARED, [row.experiment for row in TABLE_2])
    heavy = [Wanted(row, 1, labels).folder for each in rows for labels in LABELS for row in each]
    names = [f"{folders[0]}/{VOCABULARY}", *small, *(f"{folder}/{WEIGHTS}" for folder in heavy)]
    return [name for name in dict.fromkeys(names) if (runs / name).is_file()]


def _half(path: Path) -> bytes:
    """Weights in half precision; whoever loads them has them in single precision again."""
    file = read_tensors(path)
    halves = {name: one.astype(np.float16) for name, one in file.tensors.items()}
    packed: bytes = save(halves, {HEADER: json.dumps(file.header, sort_keys=True)})
    return packed


def unpack(archives: Path, runs: Path) -> None:
    """Put the runs that were packed into `archives` into the folder `runs`."""
    for path in sorted(archives.glob("runs-*.zip")):
        try:
            with ZipFile(path) as archive:
                for name in archive.namelist():
                    _check_name(PurePosixPath(name), path)
                    (runs / name).parent.mkdir(parents=True, exist_ok=True)
                    write_bytes(runs / name, archive.read(name))
        except (BadZipFile, zlib.error, EOFError) as error:
            raise NpnError(f"{path} is no whole archive of runs: {error}") from error
    vocabularies = sorted(runs.glob(f"*/{VOCABULARY}"))  # of one run, and the same for all
    for counted in runs.glob(f"*/{COUNTED}"):
        beside = counted.with_name(VOCABULARY)
        if vocabularies and not beside.exists():
            write_bytes(beside, vocabularies[0].read_bytes())


def _check_name(name: PurePosixPath, archive: Path) -> None:
    if name.name not in (*SMALL, WEIGHTS, VOCABULARY) or len(name.parts) != 2 or ".." in name.parts:
        raise NpnError(f'{archive} is no archive of runs: it holds "{name}"')
