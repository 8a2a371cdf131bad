"""The licences of everything that `pip install npn` installs, as a table.

python -m benchmarks.licences
"""

from __future__ import annotations

import re
import sys
from email.message import Message
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import cast

NAME = re.compile(r"[A-Za-z0-9._-]+")
ROOT = Path(__file__).parent.parent


def main() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, Distribution] = {}
    waiting = [_name(line) for line in project["dependencies"]]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            print(f"{name} is not installed here", file=sys.stderr)
            continue
        waiting += [_name(line) for line in found[name].requires or () if _is_needed(line)]
    print("| package | version | licence |")
    print("|---|---|---|")
    for name, one in sorted(found.items()):
        print(f"| {name} | {one.version} | {licence(one)} |")


def _name(requirement: str) -> str:
    match = NAME.match(requirement)
    return match[0].lower().replace("_", "-") if match else ""


def _is_needed(requirement: str) -> bool:
    """Whether a requirement is one of every installation on this machine: no extra, and no other
    system or Python."""
    from packaging.requirements import Requirement

    marker = Requirement(requirement).marker
    return marker is None or marker.evaluate({"extra": ""})


def licence(one: Distribution) -> str:
    """As the package says it: its expression, its classifiers, or its field."""
    metadata = cast(Message, one.metadata)
    expression = metadata.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = [
        value.rpartition(" :: ")[2]
        for value in metadata.get_all("Classifier") or ()
        if value.startswith("License ::")
    ]
    return ", ".join(classifiers) or str(metadata.get("License", "unknown")).split("\n")[0]


if __name__ == "__main__":
    main()
