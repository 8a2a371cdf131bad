"""Model files that are broken or made to mislead: each ends in one sentence, and none answers
otherwise than what was written."""

from __future__ import annotations

import json
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from npn.errors import NpnError
from npn.models import SHIPPED, load_tracker
from npn.networks.common.files import content_hash, read_tensors, write_tensors
from npn.networks.generator.generator import SHIPPED as GENERATOR
from npn.networks.generator.generator import load_generator

Header = dict[str, Any]
Load = Callable[[str], object]
LOADED: list[tuple[Path, Load]] = [
    (SHIPPED["paper"], load_tracker),
    (GENERATOR, lambda path: load_generator(Path(path))),
]
files = pytest.mark.parametrize(("shipped", "load"), LOADED, ids=["paper", "next"])


def refusal(load: Load, path: Path) -> str:
    """The one sentence with which a file is refused, without a warning from inside."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(NpnError) as error:
            load(str(path))
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    return str(error.value)


def change_table(shipped: Path, path: Path, change: Callable[[Header], None]) -> None:
    """A copy of a file with another table of tensors, and the same bytes below it."""
    data = shipped.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    table = json.loads(data[8 : 8 + size])
    change(table)
    head = json.dumps(table).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + data[8 + size :])


def change_header(
    shipped: Path, path: Path, change: Callable[[Header], None], **tensors: Any
) -> None:
    """A copy of a file with another header, and the right hash for it."""
    file = read_tensors(shipped)
    change(file.header)
    file.header.pop("hash", None)
    weights = {**file.tensors, **tensors}
    file.header["hash"] = content_hash(file.header, weights)
    write_tensors(path, weights, file.header)


@files
@pytest.mark.parametrize("dtype", ["I16", "U16", "BF16"])
def test_another_type_of_the_same_bytes(
    shipped: Path, load: Load, dtype: str, tmp_path: Path
) -> None:
    def change(table: Header) -> None:
        for name, tensor in table.items():
            if name != "__metadata__" and tensor["dtype"] == "F16":
                tensor["dtype"] = dtype

    path = tmp_path / "model.safetensors"
    change_table(shipped, path, change)
    refusal(load, path)


@files
def test_another_shape_of_the_same_bytes(shipped: Path, load: Load, tmp_path: Path) -> None:
    def change(table: Header) -> None:
        tensor = table["words"]
        tensor["shape"] = tensor["shape"][::-1]

    path = tmp_path / "model.safetensors"
    change_table(shipped, path, change)
    assert "hash differs" in refusal(load, path)


def keys(shipped: Path) -> list[str]:
    return [key for key in read_tensors(shipped).header if key not in ("kind", "hash")]


@files
@pytest.mark.parametrize("value", [None, 3, "x", [], [1], {}, {"x": 1}, True, 1e308])
def test_part_of_the_header_missing_or_of_another_type(
    shipped: Path, load: Load, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    for key in keys(shipped):
        if (key == "name" and isinstance(value, str)) or (key == "decoding" and value == {}):
            continue  # these are in order

        def change(header: Header, key: str = key) -> None:
            if value is None:
                del header[key]
            else:
                header[key] = value

        change_header(shipped, path, change)
        refusal(load, path)


def leaves(table: Header, *above: str) -> list[tuple[str, ...]]:
    """Where the numbers of a table stand."""
    found = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += leaves(value, *above, key)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.append((*above, key))
    return found


@files
@pytest.mark.parametrize("value", [1e308, -1e308, float("inf"), float("nan"), 10**18, -1])
def test_settings_out_of_all_bounds(
    shipped: Path, load: Load, value: float, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    settings = {
        k: v for k, v in read_tensors(shipped).header.items() if k in ("config", "decoding")
    }
    for *above, last in leaves(settings):

        def change(header: Header, above: list[str] = above, last: str = last) -> None:
            for key in above:
                header = header[key]
            header[last] = value

        change_header(shipped, path, change)
        refusal(load, path)


@files
@pytest.mark.parametrize("value", [1e5, -3e38])
def test_weights_that_no_training_gives(
    shipped: Path, load: Load, value: float, tmp_path: Path
) -> None:
    words = read_tensors(shipped).tensors["words"].astype(np.float32)
    words[1, 1] = value
    path = tmp_path / "model.safetensors"
    change_header(shipped, path, lambda header: None, words=words)
    assert "too large for weights" in refusal(load, path)


def test_a_vocabulary_of_another_size_than_the_network(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    for key in ("words", "entities", "actions"):

        def change(header: Header, key: str = key) -> None:
            header["vocabulary"][key].append("one more")

        change_header(SHIPPED["paper"], path, change)
        assert "does not fit its own vocabulary" in refusal(load_tracker, path)
