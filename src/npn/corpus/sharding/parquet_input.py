"""Recipes from Parquet: a row each, with the columns `title`, `ingredients` and `steps` (lists of
strings), and `ingredient_sections` and `step_sections` where there are headings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from npn.corpus.sharding.filesystem import is_address, pyarrow_module, remote_filesystem
from npn.errors import NpnError
from npn.formats import Found, Item, Problem
from npn.recipe import Recipe

ROWS = 1_000  # in memory at a time
NEEDED = ("ingredients", "steps")
USED = ("title", *NEEDED, "ingredient_sections", "step_sections")


def read_parquet_rows(path: str) -> Iterator[tuple[Item, int]]:
    """The recipes of a Parquet file, each with the bytes of the file that lie behind it, as far as
    its row groups tell."""
    parquet = pyarrow_module("parquet")
    with _open(path) as opened, parquet.ParquetFile(opened) as file:
        names = set(file.schema_arrow.names)
        if not names.issuperset(NEEDED):
            raise NpnError(
                f"{path} holds no recipes: it needs the columns ingredients and steps, two lists "
                f"of strings, and has {', '.join(sorted(names))}"
            )
        sizes = _sizes(file.metadata)
        total = max(file.metadata.num_rows, 1)
        number = 0
        for batch in file.iter_batches(ROWS, columns=[name for name in USED if name in names]):
            for row in batch.to_pylist():
                number += 1
                yield _item(row, number), int(sizes * number / total)


def _item(row: dict[str, Any], number: int) -> Item:
    where = f"row {number}"
    data = {key: value for key, value in row.items() if value is not None}
    try:
        return Found(Recipe.from_dict(data).check(), where)
    except NpnError as error:
        return Problem(where, str(error))


def _sizes(metadata: Any) -> int:
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    return sum(g.column(c).total_compressed_size for g in groups for c in range(g.num_columns))


def _open(path: str) -> Any:
    if not is_address(path):
        return open(path, "rb")
    files, inside = remote_filesystem(path)
    return files.open_input_file(inside)
