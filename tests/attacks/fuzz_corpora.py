"""Files of a corpus in their packings, gold files, and journals of `npn link`."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz_files import draw_file
from mutations import alter, mutate

from npn.corpus.sharding.inputs import find_inputs
from npn.corpus.sharding.pieces import Lost, cut, part_items
from npn.errors import NpnError
from npn.evaluation.gold import read_gold
from npn.formats import Found, Problem
from npn.linking.journal import Journal
from npn.linking.mealie import Mealie

RECIPE: dict[str, Any] = {
    "title": "Toast",
    "ingredients": ["2 slices bread", "1 tbsp butter"],
    "steps": ["Toast the bread.", "Spread with half of the butter."],
}
STATES = {"entities": [0], "combined": [], "labelled": True, "actions": ["toast"]}
USES = [{"i": 0, "fraction": 0.5}, {"i": 1, "fraction": None}]
WORLD = {"uses": USES, "acts_on": [0], "piles": [{"of": ["0a", "1"], "where": "plate"}]}
PACKINGS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "tar", "tgz", "zip", "txt", "json", "html")
LIBRARY = {"journal": "npn link", "manager": "mealie", "url": "http://kitchen"}


def draw_corpus(chance: Random) -> bytes:
    """The extension of a file, a line's end, and what is in the file."""
    kind = chance.choice(PACKINGS)
    inside = _lines(chance) if chance.random() < 0.7 else draw_file(chance)
    data = _packed(kind, inside, chance)
    if chance.random() < 0.3:
        data = mutate(data, chance, [data, inside])
    return f"{kind}\n".encode() + data


def _lines(chance: Random) -> bytes:
    altered = (alter(RECIPE, chance) if chance.random() < 0.5 else RECIPE for _ in range(3))
    return b"".join(json.dumps(one).encode() + b"\n" for one in altered)


def _packed(kind: str, data: bytes, chance: Random) -> bytes:
    if kind in ("jsonl.gz", "tgz"):
        return gzip.compress(data if kind != "tgz" else _packed("tar", data, chance), 1)
    if kind == "jsonl.zst":
        import pyarrow

        return bytes(pyarrow.compress(data, "zstd", asbytes=True))
    if kind == "parquet":
        return _parquet(alter(RECIPE, chance))
    name = chance.choice(["a.jsonl", "a.txt", "../a.json", "a/b.jsonl.gz", ".hidden", "a.html"])
    out = io.BytesIO()
    if kind == "tar":
        with tarfile.open(fileobj=out, mode="w") as archive:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    elif kind == "zip":
        method = chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
        with zipfile.ZipFile(out, "w", method) as bundle:
            bundle.writestr(name, data)
    else:
        return data
    return out.getvalue()


def _parquet(row: object) -> bytes:
    import pyarrow
    from pyarrow import parquet

    rows = [row, RECIPE] if isinstance(row, dict) else [RECIPE]
    try:
        table = pyarrow.Table.from_pylist(rows)
    except (pyarrow.ArrowException, OverflowError, UnicodeEncodeError):  # no column could hold it
        table = pyarrow.Table.from_pylist([RECIPE])
    out = io.BytesIO()
    try:
        parquet.write_table(table, out)
    except pyarrow.ArrowException:
        return b"PAR1"
    return out.getvalue()


def check_corpus(data: bytes) -> None:
    kind, _, inside = data.partition(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{kind.decode()}"
        path.write_bytes(inside)
        for piece in cut(find_inputs([str(path)])):
            for part in piece.parts:
                for item in part_items(part):
                    if isinstance(item, Lost | Problem):
                        assert "\n" not in item.message, "a sentence is one line"
                    elif isinstance(item, Found):
                        assert item.recipe.ingredients or item.recipe.steps


@cache
def gold_lines() -> list[dict[str, Any]]:
    changes = [{"type": "temperature", "end_state": "hot", "entities": [0]}]
    return [
        {**RECIPE, "id": "toast", "gold": [STATES, {**STATES, "changes": changes}]},
        {**RECIPE, "id": "toast", "world": [WORLD, WORLD]},
    ]


def draw_gold(chance: Random) -> bytes:
    lines = [chance.choice(gold_lines()) for _ in range(2)]
    data = "\n".join(json.dumps(alter(one, chance)) for one in lines).encode()
    return mutate(data, chance, [data]) if chance.random() < 0.2 else data


def check_gold(data: bytes) -> None:
    _check_file(data, read_gold)


def draw_journal(chance: Random) -> bytes:
    steps = [{"id": "a", "text": "Toast the bread.", "ingredientReferences": []}]
    begun = {"begun": "toast", "title": "Toast", "before": steps, "after": steps}
    lines: list[Any] = [LIBRARY, begun, {"done": "toast"}, begun, {"undone": "toast"}]
    at = chance.randrange(len(lines))
    lines[at] = alter(lines[at], chance)
    data = b"".join(json.dumps(one).encode() + b"\n" for one in lines)
    return mutate(data, chance, [data]) if chance.random() < 0.3 else data


def check_journal(data: bytes) -> None:
    _check_file(data, _read_journal)


def _read_journal(path: Path) -> None:
    manager = Mealie("http://kitchen", {"MEALIE_TOKEN": "secret"})
    for entry in Journal(path, manager).entries:
        assert isinstance(entry.key + entry.title, str)
        assert manager.signature(entry.before) is not manager.signature(entry.after)


def _check_file(data: bytes, read: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.jsonl"
        path.write_bytes(data)
        try:
            read(path)
        except NpnError as error:
            assert "\n" not in str(error), "a sentence is one line"
