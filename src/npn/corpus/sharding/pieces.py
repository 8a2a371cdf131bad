"""From files to pieces of work: bounded, numbered, and cut the same way every time.

A piece holds raw bytes: whoever tracks it also parses it, so that one reader keeps many workers
busy. What is known of a recipe is where it stands ("line 12" of a file)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from npn.corpus.sharding.inputs import Input
from npn.corpus.sharding.parts import FilePart, read_parts

RECIPES = 1_000  # in a piece, unless told
MOST_BYTES = 4 << 20  # of a piece; one line or file may go beyond it


@dataclass(frozen=True, slots=True)
class Piece:
    """`number` counts the pieces of a corpus from 0. `progress` is the share of all input bytes
    that has been read when the piece ends."""

    number: int
    parts: tuple[FilePart, ...]
    progress: float = field(default=0.0, compare=False)

    @property
    def place(self) -> str:
        """Where it stands, in words: "a.jsonl, lines 1 to 1000", and its other files if any."""
        return "; ".join(", ".join(filter(None, (p.path, p.lines))) for p in self.parts)

    @property
    def hash(self) -> str:
        """Of all that the result depends on, but for the tracker."""
        digest = hashlib.sha256()
        for part in self.parts:
            digest.update(f"{part.path}\0{part.kind}\0{part.first}\0{len(part.data)}\0".encode())
            digest.update(part.data)
        return digest.hexdigest()


def cut(inputs: Iterable[Input], recipes: int = RECIPES) -> Iterator[Piece]:
    """The pieces of all inputs. Only one is in memory at a time."""
    inputs = list(inputs)
    total = sum(one.size for one in inputs) or 1
    number = size = 0
    waiting: list[FilePart] = []
    before = 0
    progress = 0.0
    for one in inputs:
        for part, position in read_parts(one.path):
            progress = max(progress, min((before + position) / total, 1.0))
            waiting.append(part)
            size += len(part.data)
            if len(waiting) == recipes or size >= MOST_BYTES:
                yield Piece(number, _joined(waiting), progress)
                number, size, waiting = number + 1, 0, []
        before += one.size
    if waiting:
        yield Piece(number, _joined(waiting), 1.0)


def _joined(parts: list[FilePart]) -> tuple[FilePart, ...]:
    """The same parts, with lines that follow each other in a file put into one."""
    joined: list[FilePart] = []
    for (path, kind), group in groupby(parts, key=lambda part: (part.path, part.kind)):
        if kind == "lines":
            lines = list(group)
            joined.append(FilePart(path, kind, b"".join(x.data for x in lines), lines[0].first))
        else:
            joined.extend(group)
    return tuple(joined)
