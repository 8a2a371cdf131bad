"""What a network is made of: the sizes its vocabulary gives it, and the switches of an experiment.

Read from TOML and from model files by `from_table`, which names every key it does not know.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from npn.errors import NpnError

Settings = TypeVar("Settings")


@dataclass(frozen=True, slots=True)
class VocabularySizes:
    """How many of each there are. `end_states` follows `npn.trace.STATE_TYPES`, and counts
    "no change", which is class 0 of each type."""

    words: int
    entities: int
    actions: int
    end_states: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """The paper's sizes, its architectural ablations, and our readings of what it leaves open.

    `action_weights` says which action weights the entity selector sees: w_p itself or its
    normalised form. `first_attention` is what stands for the previous attention at the first step.
    `epsilon` keeps the normalised attention finite where nothing is selected.
    """

    word_size: int = 100
    hidden_size: int = 100
    memory_size: int = 30
    dropout: float = 0.3
    recurrent_attention: bool = True
    action_connections: bool = True
    action_weights: Literal["raw", "normalised"] = "raw"
    first_attention: float = 0.0
    normalise_memory: bool = False
    epsilon: float = 1e-8


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    sizes: VocabularySizes
    options: NetworkOptions = field(default_factory=NetworkOptions)


def from_table(kind: type[Settings], table: Mapping[str, Any], where: str) -> Settings:
    """The frozen dataclass `kind` that `table` describes. `where` names the source in errors."""
    return _read(kind, table, where, "")


def _read(kind: type[Settings], table: Any, where: str, path: str) -> Settings:
    if not isinstance(table, Mapping):
        raise NpnError(f'{where}: "{path}" must be a table of settings')
    fields = {f.name: f for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    hints = typing.get_type_hints(kind)
    prefix = f"{path}." if path else ""
    for key in table:
        if key not in fields:
            raise NpnError(
                f'{where}: there is no setting "{prefix}{key}"; there are: {", ".join(fields)}'
            )
    values = {}
    for name, one in fields.items():
        if name in table:
            values[name] = _value(hints[name], table[name], where, prefix + name)
        elif one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
            raise NpnError(f'{where}: the setting "{prefix}{name}" is missing')
    return kind(**values)


def _value(hint: Any, value: Any, where: str, path: str) -> Any:
    origin = typing.get_origin(hint)
    if dataclasses.is_dataclass(hint):
        return _read(typing.cast(type, hint), value, where, path)
    if origin is Literal:
        choices = typing.get_args(hint)
        if value in choices:
            return value
        wanted = "one of " + ", ".join(map(repr, choices))
    elif origin is tuple and isinstance(value, list | tuple):
        inner = typing.get_args(hint)[0]
        return tuple(_value(inner, one, where, path) for one in value)
    elif hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        if type(value) is hint:
            return value
        wanted = {int: "a whole number", str: "a string", bool: "true or false"}.get(
            hint, hint.__name__
        )
    else:
        wanted = str(hint)
    raise NpnError(f'{where}: "{path}" must be {wanted}, not {value!r}')
