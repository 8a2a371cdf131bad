"""A folder of files, one for each recipe, named after its title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from npn.commands.output import open_output
from npn.errors import NpnError
from npn.formats.writing import Writer
from npn.trace import Trace

UNNAMED = "recipe"
LONGEST = 80
APART = re.compile(r"[^\w]+")


def is_folder(path: str | None) -> bool:
    """Whether a path is meant as a folder: it ends with a slash, or is one."""
    return bool(path) and path != "-" and (str(path).endswith("/") or Path(str(path)).is_dir())


def write_each(
    writer: Writer, traces: Iterable[Trace], path: str, options: Mapping[str, bool]
) -> None:
    """Write each trace into a file of its own in a folder, which is made if it is not there. A file
    of the same name is replaced; two recipes of one title get two names."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NpnError(f"cannot make the folder {path}: {error.strerror or error}") from error
    taken: set[str] = set()
    for trace in traces:
        name = file_name(trace.title, taken) + writer.extension
        with open_output(str(folder / name)) as out:
            writer.write([trace], out, **options)


def file_name(title: str, taken: set[str]) -> str:
    """A name for a file, from a title, that is not in `taken`, and is from then on."""
    name = first = APART.sub("-", title.casefold()).strip("-_")[:LONGEST].strip("-_") or UNNAMED
    number = 1
    while name in taken:
        number += 1
        name = f"{first}-{number}"
    taken.add(name)
    return name
