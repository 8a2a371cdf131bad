"""Processes that make shards. Each talks to its parent over a pipe of its own, so that it ends
when the parent does, however that ends."""

from __future__ import annotations

import errno
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeAlias

from npn.errors import NpnError
from npn.recipe import Recipe
from npn.rules.lexicon.lexicon import Lexicon, load_lexicon, load_lexicon_folder
from npn.training.data.prepared_files import UnfinishedError
from npn.training.data.shards import ShardMaker, write_shard

Lines: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ShardBatch:
    """Recipes for one shard, and where to write it."""

    path: Path
    recipes: Sequence[Recipe]

    def lines(self) -> list[Lines]:
        """The plainest form, quick to send to another process."""
        return [(r.title, tuple(i.text for i in r.ingredients), r.steps) for r in self.recipes]


def make_shards(
    batches: Iterable[ShardBatch], lexicon: Path | None, processes: int
) -> Iterator[int]:
    """Make and write a shard of each batch; yields the number of recipes of each that is done.
    Nothing is read ahead beyond one batch a process."""
    if processes == 1:
        maker = ShardMaker(load_lexicon_at(lexicon))
        for batch in batches:
            write_shard(batch.path, maker.make(batch.recipes))
            yield len(batch.recipes)
        return
    with _started(lexicon, processes) as idle:
        busy: dict[Any, int] = {}
        for batch in batches:
            if not idle:
                yield from _finished(busy, idle)
            pipe = idle.pop()
            _send(pipe, batch)
            busy[pipe] = len(batch.recipes)
        while busy:
            yield from _finished(busy, idle)


def load_lexicon_at(folder: Path | None) -> Lexicon:
    return load_lexicon() if folder is None else load_lexicon_folder(folder)


def _send(pipe: Connection, batch: ShardBatch) -> None:
    try:
        pipe.send((str(batch.path), batch.lines()))
    except OSError as error:
        raise _ended() from error


def _finished(busy: dict[Any, int], idle: list[Connection]) -> Iterator[int]:
    """Waits for at least one of the busy ones."""
    for pipe in wait(list(busy)):
        assert isinstance(pipe, Connection)
        try:
            problem = pipe.recv()
        except (EOFError, OSError) as error:
            raise _ended() from error
        if problem is not None:
            number, message, name = problem
            raise OSError(number, message, name) if number else NpnError(message)
        idle.append(pipe)
        yield busy.pop(pipe)


def _ended() -> UnfinishedError:
    return UnfinishedError(
        "a process that labels recipes was ended from outside, perhaps for want of memory: run the "
        "same command again, with fewer --processes; what is done will be kept"
    )


@contextmanager
def _started(lexicon: Path | None, processes: int) -> Iterator[list[Connection]]:
    context = get_context("spawn")  # nothing of the parent, and not its end of another's pipe
    pipes: list[Connection] = []
    workers: list[BaseProcess] = []
    try:
        for _ in range(processes):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, lexicon), daemon=True)
            process.start()
            there.close()
            pipes.append(here)
            workers.append(process)
        yield list(pipes)
    except BaseException:
        for worker in workers:
            worker.terminate()
        raise
    finally:
        for pipe in pipes:
            pipe.close()
        for worker in workers:
            worker.join()


def _work(pipe: Connection, lexicon: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and ends us
    maker = ShardMaker(load_lexicon_at(lexicon))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            path, lines = pipe.recv()
            recipes = [Recipe.from_lists(*one) for one in lines]
            try:
                write_shard(Path(path), maker.make(recipes))
            except OSError as error:
                pipe.send((error.errno or errno.EIO, error.strerror or str(error), path))
            except NpnError as error:
                pipe.send((0, str(error), path))
            else:
                pipe.send(None)
