"""The runs of the tracking report, on a machine that has no more than PyTorch, NumPy and
safetensors:

    python -m npn.reproduction --data prepared --gold gold --work runs/table2 --out OUT \\
        --device cuda --jobs 30 --seconds 520

trains what is missing of the rows × labels × seeds asked for, as many at a time as `--jobs` says,
each to its own stopping rule; a run that the time cuts off keeps its best epoch, and is marked. The
same command again goes on with what was cut off or has not begun. OUT gets five files at most:
`scores.json` with the settings, epochs, reason of stopping and scores of each run, which grows with
every run that ends, and archives of the runs. At home,

    python -m npn.reproduction --unpack OUT --work runs/tracking/runs \\
        --logs docs/results/tracking/runs

puts them where `npn reproduce tracking --no-train` looks for them, and writes a file for each log.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.files import write_bytes
from npn.reproduction.rows import KEYS, LABEL_CURVE, TABLE_2, Wanted, wanted_runs
from npn.reproduction.tracking.archives import pack, unpack
from npn.reproduction.tracking.gold_counts import COUNTED, read_golds, read_run
from npn.reproduction.tracking.run_logs import with_first_stop
from npn.reproduction.tracking.runs import RunPlan, make
from npn.training.config import CHECKPOINT, WEIGHTS
from npn.training.jobs import sharing

ROWS = tuple(row.experiment for row in (*TABLE_2, *KEYS, *LABEL_CURVE.values()))
LABEL_NAMES = {"paper": "paper", "ours": ""}
LOGS, SCORES = "logs", "scores.json"  # a file for each run, and one for all


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        if given.unpack is not None:
            unpack(given.unpack, given.work)
            split_logs(given.unpack / SCORES, given.logs or given.work / LOGS)
            return 0
        return _make(given)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def choose(rows: Sequence[str], labels: Sequence[str], seeds: int) -> list[Wanted]:
    """The runs of these rows and labels, what matters most first."""
    kinds = {LABEL_NAMES[name] for name in labels}
    return [run for run in wanted_runs(seeds) if run.experiment in rows and run.labels in kinds]


def forget_cut_off(run: Path) -> None:
    """Let a run that the time cut off go on from its checkpoint, as if it had not been counted."""
    if not (run / COUNTED).is_file() or not (run / CHECKPOINT).is_file():
        return
    if not read_run(run).header["finished"]:
        (run / COUNTED).unlink()
        (run / WEIGHTS).unlink(missing_ok=True)
        (run.parent / LOGS / f"{run.name}.json").unlink(missing_ok=True)


def _make(given: argparse.Namespace) -> int:
    began = time.monotonic()
    if None in (given.data, given.gold, given.out):
        raise NpnError("--data, --gold and --out are needed to make runs")
    wanted = choose(given.rows, given.labels, given.seeds)
    given.work.mkdir(parents=True, exist_ok=True)
    read_golds(given.gold)  # what is wrong there is better known now than after the training
    logs = given.work / LOGS
    plan = RunPlan(given.data, given.gold, given.work, logs, given.device, tuple(given.set))
    for run in wanted:
        forget_cut_off(plan.folder(run))

    def tell(line: str) -> None:
        print(line, flush=True)
        join_logs(logs, given.out / SCORES)

    with sharing(given.device) as environment:
        os.environ.update(environment)
        left = None if given.seconds is None else given.seconds - (time.monotonic() - began)
        failed = make(wanted, plan, given.jobs, tell, left)
    join_logs(logs, given.out / SCORES)
    for name in pack(given.work, given.out):
        print(f"no room for {name}", flush=True)
    print(f"{failed} failed; all in {time.monotonic() - began:.0f} s", flush=True)
    return 1 if failed else 0


def join_logs(logs: Path, out: Path) -> None:
    """All logs in one file, one a line, so that what is done is home whatever comes."""
    out.parent.mkdir(parents=True, exist_ok=True)
    texts = [path.read_text().strip() for path in sorted(logs.glob("*.json"))]
    write_bytes(out, ("[\n" + ",\n".join(texts) + "\n]\n").encode())


def split_logs(scores: Path, logs: Path) -> None:
    """Each log in a file of its own again. Where that of a run that went on since is there, its
    scores at that first stop are kept in the new one."""
    logs.mkdir(parents=True, exist_ok=True)
    for log in json.loads(scores.read_bytes()):
        path = logs / f"{log['run']}.json"
        kept = with_first_stop(log, json.loads(path.read_bytes())) if path.is_file() else log
        write_bytes(path, (json.dumps(kept) + "\n").encode())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m npn.reproduction", description="Make the runs of the tracking report."
    )
    parser.add_argument("--data", type=Path, help="the folder that npn prepare wrote")
    parser.add_argument("--gold", type=Path, help="the folder with the gold files")
    parser.add_argument("--work", type=Path, required=True, help="the folder of all runs")
    parser.add_argument("--out", type=Path, help="for what comes home")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=ROWS, metavar="ROW")
    parser.add_argument("--labels", nargs="+", choices=LABEL_NAMES, default=list(LABEL_NAMES))
    parser.add_argument("--seeds", type=int, default=3, help="runs of each row")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--seconds", type=float, help="when to stop training")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--unpack", type=Path, metavar="OUT", help="put archives back into --work")
    parser.add_argument("--logs", type=Path, help="with --unpack: the folder for the logs of runs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
