"""The paper's own kind of entity labels, from data prepared with ours.

The paper labels a step with the ingredients that it names and with no others; our weak labels add
those that are part of what it names ("the dough"). Everything else of the data stays as it is.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from npn.errors import NpnError
from npn.networks.common.tensor_file import write_bytes
from npn.training.data.prepared import SPLITS, read_prepared
from npn.training.data.prepared_files import MANIFEST, file_hash
from npn.training.dataset import MENTION


def relabel(data: Path, out: Path) -> Path:
    """Copy the folder that `npn prepare` wrote to `out`, with string matches for entity labels. One
    that is there already is left alone."""
    if (out / MANIFEST).is_file():
        return out
    prepared = read_prepared(data)
    out.mkdir(parents=True, exist_ok=True)
    for name in prepared.hashes:
        if name.removesuffix(".safetensors") in SPLITS:
            arrays = {key: tensor.numpy() for key, tensor in prepared.read(name).items()}
            write_bytes(out / name, save(named_only(arrays, data / name)))
        else:
            shutil.copyfile(data / name, out / name)
    manifest = json.loads((data / MANIFEST).read_bytes())
    manifest["hashes"] = {name: file_hash(out / name) for name in prepared.hashes}
    manifest["entity_labels"] = "string matches"
    write_bytes(out / MANIFEST, json.dumps(manifest, indent=1).encode())
    return out


def named_only(arrays: dict[str, NDArray[Any]], path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a split in which a step selects what it names; one that names nothing has no
    label."""
    if "mentioned" not in arrays or "sentence_mentioned" not in arrays:
        raise NpnError(f"{path} does not say what its steps name: prepare the data again")
    ends = arrays["sentence_mentioned"]
    return {
        **arrays,
        "selected": arrays["mentioned"],
        "sentence_selected": ends,
        "evidence": np.where(np.diff(ends) > 0, MENTION, 0).astype(arrays["evidence"].dtype),
    }
