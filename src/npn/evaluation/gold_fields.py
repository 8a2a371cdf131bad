"""What stands under the keys of a line of gold, or a sentence that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npn.errors import NpnError


def list_field(fields: Mapping[str, Any], key: str) -> list[Any]:
    value = fields.get(key)
    if not isinstance(value, list):
        raise NpnError(f'"{key}" must be a list')
    return value


def object_fields(value: object, what: str) -> Mapping[str, Any]:
    """`value` with its keys; `what` names it in the sentence, such as 'an entry of "piles"'."""
    if not isinstance(value, dict):
        raise NpnError(f"{what} must be an object with keys")
    return value
