"""The same work on a Ray cluster: one task reads pieces, a pool of actors makes shards of them, and
the program that was started writes them.

Ray Data holds back the reader when the actors are busy, starts an actor that died anew, and gives
its piece out again. A piece that was begun so often and never ended is given up, and named in the
shard that stands for it. Only the driver writes, and it knows every shard by its number, so that
nothing is written twice."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from npn.corpus.plan import TrackingJob, Work
from npn.corpus.sharding.engine import End, Event, Events, Kept
from npn.corpus.sharding.folder import MadeShard
from npn.corpus.sharding.pieces import FilePart, Piece, cut
from npn.corpus.sharding.pool import ONE_THREAD
from npn.errors import NpnError

TRIES = 4  # of a piece: the first, and three more
GIVEN_UP = (
    f"{TRIES} workers of the cluster were ended while they worked on it, perhaps for want of "
    "memory: run the same command again, with more memory a worker"
)
NEEDS_RAY = "this needs Ray: install it with pip install 'npn[cluster]'"

Row = dict[str, Any]


def run_ray(work: Work) -> Events:
    """On a cluster, or on a local one that is started for this run and ended with it."""
    try:
        import ray
        import ray.data
    except ModuleNotFoundError as error:
        raise NpnError(NEEDS_RAY) from error
    with _connected(ray, work):
        context = ray.data.DataContext.get_current()
        context.target_max_block_size = 1  # a block for each piece, whatever its size
        context.max_errored_blocks = -1  # what is lost is found missing, and named, by the driver
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        begun = ray.remote(num_cpus=0)(BegunPieces).remote()
        rows = (
            ray.data.read_datasource(_source(work), override_num_blocks=1)
            .map_batches(
                ShardActor,
                fn_constructor_args=(work.job, begun),
                batch_size=1,
                batch_format="pyarrow",
                zero_copy_batch=True,
                compute=ray.data.ActorPoolStrategy(
                    size=work.processes, max_tasks_in_flight_per_actor=2
                ),
            )
            .iter_rows()
        )
        yield from _events(rows)


def _events(rows: Iterable[Row]) -> Iterator[Event]:
    seen: set[int] = set()
    end: End | None = None
    for row in rows:
        number = row["number"]
        if row["kind"] == "end":
            end = End(number)
            continue
        if number in seen:
            continue
        if row["kind"] == "kept":
            yield Kept(number, row["progress"])
        else:
            files = {one["name"]: one["data"] for one in row["files"]}
            yield MadeShard(number, files, json.loads(row["record"]), row["progress"])
        seen.add(number)
    if end is not None:
        yield end


class BegunPieces:
    """One for the whole cluster: how often each piece was begun and not ended."""

    def __init__(self) -> None:
        self.tries: Counter[int] = Counter()

    def begin(self, piece: int) -> int:
        self.tries[piece] += 1
        return self.tries[piece]

    def end(self, piece: int) -> None:
        self.tries.pop(piece, None)


class ShardActor:
    """Loads the tracker once, and makes a shard of each piece that it is given. `begun` is the
    handle of BegunPieces."""

    def __init__(self, job: TrackingJob, begun: Any) -> None:
        self.job = job
        self.make = job.start()
        self.begun = begun

    def __call__(self, batch: Any) -> Any:
        return _table([self._made(row) for row in batch.to_pylist()])

    def _made(self, row: Row) -> Row:
        if row["kind"] != "piece":
            return _row(row["kind"], row["number"], row["progress"])
        parts = tuple(FilePart(**part) for part in row["parts"])
        shard = self._shard(Piece(row["number"], parts, row["progress"]))
        files = [{"name": name, "data": data} for name, data in shard.files.items()]
        made = _row("shard", shard.number, shard.progress)
        return made | {"files": files, "record": json.dumps(shard.record), "worker": os.getpid()}

    def _shard(self, piece: Piece) -> MadeShard:
        import ray

        if ray.get(self.begun.begin.remote(piece.number)) > TRIES:
            return self.job.lost(piece, GIVEN_UP)
        shard = self.make(piece)
        self.begun.end.remote(piece.number)
        return shard


def _read(work: Work) -> Iterator[Any]:
    """The pieces that are missing, each as a table of one row. It runs in a task of the cluster."""
    count = 0
    for piece in cut(work.inputs, work.recipes):
        count += 1
        if work.done.get(piece.number) == piece.hash:
            yield _table([_row("kept", piece.number, piece.progress)])
            continue
        parts = [
            {"path": part.path, "kind": part.kind, "data": part.data, "first": part.first}
            for part in piece.parts
        ]
        yield _table([_row("piece", piece.number, piece.progress) | {"parts": parts}])
    yield _table([_row("end", count, 1.0)])


def _row(kind: str, number: int, progress: float) -> Row:
    empty: Row = {"parts": [], "files": [], "record": "", "worker": 0}
    return {"kind": kind, "number": number, "progress": progress} | empty


def _table(rows: list[Row]) -> Any:
    import pyarrow as pa

    part = pa.struct(
        {"path": pa.string(), "kind": pa.string(), "data": pa.large_binary(), "first": pa.int64()}
    )
    file = pa.struct({"name": pa.string(), "data": pa.large_binary()})
    schema = pa.schema(
        {
            "kind": pa.string(),
            "number": pa.int64(),
            "progress": pa.float64(),
            "parts": pa.list_(part),
            "files": pa.list_(file),
            "record": pa.string(),
            "worker": pa.int64(),
        }
    )
    return pa.Table.from_pylist(rows, schema=schema)


def _source(work: Work) -> Any:
    """All pieces as one read task, which streams them in the order of the files."""
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata

    class Pieces(Datasource):
        def get_name(self) -> str:
            return "Pieces"

        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, parallelism: int, *_: Any, **__: Any) -> list[Any]:
            unknown = BlockMetadata(
                num_rows=None, size_bytes=None, input_files=None, exec_stats=None
            )
            return [ReadTask(lambda: _read(work), unknown)]

    source: Any = Pieces
    return source()


@contextmanager
def _connected(ray: Any, work: Work) -> Iterator[None]:
    """A connection to the cluster. One that is there already is used, and left as it was."""
    if ray.is_initialized():
        yield
        return
    processors = work.processes + 1  # and one for the reader
    resources = {"num_cpus": processors, "include_dashboard": False}
    try:
        ray.init(
            address=work.address,
            runtime_env={"env_vars": dict.fromkeys(ONE_THREAD, "1")},
            log_to_driver=False,
            logging_level="ERROR",
            **({} if work.address else resources),
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        where = work.address or "on this machine"
        raise NpnError(f"there is no Ray cluster {where}: {str(error).splitlines()[0]}") from error
    try:
        yield
    finally:
        ray.shutdown()
