"""The settings of a run as a TOML file that a person can read, and that `npn train` takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def to_toml(settings: Mapping[str, Any], comment: str) -> str:
    """Values, then a table for each group of them. A setting is a string, a number or true or
    false, which JSON writes as TOML does."""
    lines = [f"# {comment}", ""]
    groups = {name: value for name, value in settings.items() if isinstance(value, Mapping)}
    lines += [f"{name} = {json.dumps(v)}" for name, v in settings.items() if name not in groups]
    for name, group in groups.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(v)}" for key, v in group.items())]
    return "\n".join(lines) + "\n"
