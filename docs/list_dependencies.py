"""Print the table of docs/dependencies.md: what the base install brings, and under which licences.

    python docs/list_dependencies.py

Everything is read from the metadata of what is installed."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

NAME = re.compile(r"[A-Za-z0-9._-]+")
LONGEST = 60  # characters: some packages give the text of their licence for its name


def base_install() -> dict[str, Distribution]:
    """npn's own requirements and theirs, without extras."""
    found: dict[str, Distribution] = {}
    waiting = ["npn"]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # for another system or another Python
        required = [one for one in found[name].requires or () if "extra ==" not in one]
        waiting += [match[0] for one in required if (match := NAME.match(one))]
    del found["npn"]
    return dict(sorted(found.items()))


def licence(package: Distribution) -> str:
    fields = package.metadata
    said = next((fields[key] for key in ("License-Expression", "License") if key in fields), "")
    if said and len(said) < LONGEST and "\n" not in said:
        return said
    classified = [
        one.rpartition(" :: ")[2]
        for one in fields.get_all("Classifier") or ()
        if one.startswith("License ::")
    ]
    return ", ".join(classified) or "see its files"


def main() -> None:
    print("| package | version | licence |")
    print("|---|---|---|")
    for name, package in base_install().items():
        print(f"| {name} | {package.version} | {licence(package)} |")


if __name__ == "__main__":
    main()
