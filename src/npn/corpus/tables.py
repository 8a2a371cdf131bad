"""Traces as tables: flat rows of plain types, which DuckDB, pandas and Spark read as they are.

`recipe` is the key of every table: the number of the shard times a million, plus the place in the
shard. Steps, ingredients, uses and piles are counted from 0 within their recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from npn.corpus.sharding.filesystem import pyarrow_module
from npn.recipe import Amount, Ingredient
from npn.trace import STATE_TYPES, Trace

IN_A_SHARD = 1_000_000  # recipes at most, so that keys are never the same

Columns = dict[str, str]
Row = tuple[Any, ...]

TABLES: dict[str, Columns] = {
    "recipes": {
        "recipe": "int64",
        "path": "string",
        "place": "string",
        "title": "string",
        "model": "string",
        "ingredients": "int32",
        "steps": "int32",
        "english": "bool",
    },
    "ingredients": {
        "recipe": "int64",
        "ingredient": "int32",
        "text": "string",
        "name": "string",
        "food": "string",
        "section": "string",
        "quantity": "double",
        "most": "double",
        "unit": "string",
        "note": "string",
        "package_quantity": "double",
        "package_unit": "string",
        "plus_quantity": "double",
        "plus_unit": "string",
        "optional": "bool",
        "first_use": "int32",
        **{f"end_{type}": "string" for type in STATE_TYPES},
    },
    "steps": {"recipe": "int64", "step": "int32", "text": "string", "section": "string"},
    "actions": {"recipe": "int64", "step": "int32", "action": "string", "weight": "double"},
    "acts": {"recipe": "int64", "step": "int32", "ingredient": "int32", "attention": "double"},
    "uses": {
        "recipe": "int64",
        "step": "int32",
        "ingredient": "int32",
        "fraction": "double",
        "quantity": "double",
        "most": "double",
        "unit": "string",
        "words": "string",
    },
    "piles": {
        "recipe": "int64",
        "step": "int32",
        "pile": "int32",
        "ingredient": "int32",
        "portion": "int32",
        "place": "string",
        "name": "string",
    },
    "changes": {
        "recipe": "int64",
        "step": "int32",
        "ingredient": "int32",
        "type": "string",
        "end_state": "string",
        "probability": "double",
    },
    "unlisted": {"recipe": "int64", "name": "string"},
    "refused": {
        "shard": "int32",
        "what": "string",
        "path": "string",
        "place": "string",
        "why": "string",
    },
}


@dataclass(frozen=True, slots=True)
class Tracked:
    """A trace, where its recipe stands, and whether that looks English."""

    path: str
    where: str
    trace: Trace
    english: bool


KINDS = ("recipe", "file", "shard")  # of what is refused


@dataclass(frozen=True, slots=True)
class Refused:
    """`what` is "recipe" for one among others, "file" for one that cannot be read, or not to its
    end, and "shard" for what no process survived."""

    what: str
    path: str
    where: str
    why: str


def parquet_files(
    shard: int, tracked: Iterable[Tracked], refused: Iterable[Refused]
) -> dict[str, bytes]:
    """The Parquet file of every table, by its name. The same traces give the same bytes."""
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for place, one in enumerate(tracked):
        key = shard * IN_A_SHARD + place
        rows["recipes"].append(_recipe_row(key, one))
        for name, table_rows in _ROWS.items():
            rows[name] += [(key, *row) for row in table_rows(one.trace)]
    rows["refused"] = [(shard, one.what, one.path, one.where, one.why) for one in refused]
    return {name: _parquet(TABLES[name], rows[name]) for name in TABLES}


def _parquet(columns: Columns, rows: list[Row]) -> bytes:
    arrow, parquet = pyarrow_module(""), pyarrow_module("parquet")
    arrays = []
    for i, type in enumerate(columns.values()):
        values = [row[i] for row in rows]
        try:
            arrays.append(arrow.array(values, type))
        except UnicodeEncodeError:  # half a surrogate pair, which JSON input may hold
            arrays.append(arrow.array([_encodable(value) for value in values], type))
    out = arrow.BufferOutputStream()
    table = arrow.Table.from_arrays(arrays, names=list(columns))
    parquet.write_table(table, out, compression="zstd")
    data: bytes = out.getvalue().to_pybytes()
    return data


def _encodable(text: str | None) -> str | None:
    return None if text is None else text.encode(errors="backslashreplace").decode()


def _recipe_row(key: int, one: Tracked) -> Row:
    trace = one.trace
    counts = len(trace.ingredients), len(trace.steps)
    return (key, one.path, one.where, trace.title, trace.model, *counts, one.english)


def _ingredient_rows(trace: Trace) -> Iterator[Row]:
    first_use: dict[int, int] = {}
    for number, step in enumerate(trace.steps):
        for use in step.uses:
            first_use.setdefault(use.ingredient, number)
    for i, (one, state) in enumerate(zip(trace.ingredients, trace.states, strict=True)):
        ends = [state.get(type) for type in STATE_TYPES]
        yield (i, *_line(one), one.optional, first_use.get(i), *ends)


def _line(one: Ingredient) -> Row:
    amount = one.amount or Amount()
    package, plus = amount.package or Amount(), amount.plus or Amount()
    return (
        *(one.text, one.name, one.food or None, one.section),
        *(amount.quantity, amount.most, amount.unit, amount.note),
        *(package.quantity, package.unit, plus.quantity, plus.unit),
    )


def _step_rows(trace: Trace) -> Iterator[Row]:
    for number, step in enumerate(trace.steps):
        yield number, step.text, step.section


def _action_rows(trace: Trace) -> Iterator[Row]:
    for number, step in enumerate(trace.steps):
        for action in step.actions:
            yield number, action.name, float(action.weight)


def _act_rows(trace: Trace) -> Iterator[Row]:
    for number, step in enumerate(trace.steps):
        for i in step.entities:
            yield number, i, float(step.attention[i]) if i < len(step.attention) else None


def _use_rows(trace: Trace) -> Iterator[Row]:
    for number, step in enumerate(trace.steps):
        for use in step.uses:
            amount = use.amount or Amount()
            parts = use.ingredient, use.fraction, amount.quantity, amount.most, amount.unit
            yield (number, *parts, use.words)


def _pile_rows(trace: Trace) -> Iterator[Row]:
    for number, step in enumerate(trace.steps):
        for which, pile in enumerate(step.piles):
            for portion in pile.of:
                yield number, which, portion.ingredient, portion.portion, pile.place, pile.name


def _change_rows(trace: Trace) -> Iterator[Row]:
    for number, step in enumerate(trace.steps):
        for change in step.changes:
            for i in change.ingredients:
                yield number, i, change.type, change.end_state, float(change.probability)


def _unlisted_rows(trace: Trace) -> Iterator[Row]:
    for name in trace.unlisted:
        yield (name,)


_ROWS: dict[str, Callable[[Trace], Iterator[Row]]] = {
    "ingredients": _ingredient_rows,
    "steps": _step_rows,
    "actions": _action_rows,
    "acts": _act_rows,
    "uses": _use_rows,
    "piles": _pile_rows,
    "changes": _change_rows,
    "unlisted": _unlisted_rows,
}
