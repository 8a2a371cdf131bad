"""Settings as frozen dataclasses, read from TOML and from the headers of model files. A key that
the dataclass does not have, a missing one, or a value of another type is an error that names it."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from npn.errors import NpnError

Settings = TypeVar("Settings")


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
    try:
        return kind(**values)
    except ValueError as error:
        raise NpnError(f"{where}: {error}") from error


def check_range(settings: object, **ranges: tuple[float, float]) -> None:
    """Refuse settings whose values are outside of the ranges given by name: for the __post_init__
    of their class. NaN is in no range."""
    for name, (least, most) in ranges.items():
        value = getattr(settings, name)
        if not least <= value <= most:
            raise ValueError(f'"{name}" must be from {least:g} to {most:g}, not {value!r}')


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
