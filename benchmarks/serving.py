"""How `npn serve` holds up: many clients for a while beside one alone, and bodies of noise.

    python -m benchmarks.serving --seconds 60 --clients 50 --bodies 10000 RECIPE...

It starts a server of its own. RECIPE is any file that `npn track` reads; of JSON Lines every line
is a recipe.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.processes import with_children

FUZZERS = 4  # at the same time
JOBS = ("track", "view", "explain", "ask?question=where+is+the+butter", "write?to=json", "next",
        "correct", "labels", "compare")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipes", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--bodies", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    bodies = read_bodies(options.recipes)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    began = time.perf_counter()
    command = [sys.executable, "-m", "npn", "serve", "--port", "0", "--no-browser"]
    command += ["--workers", str(options.workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        host = urlsplit(server.stdout.readline().split()[3]).netloc
        post(http.client.HTTPConnection(host), "track", bodies[0])
        print(f"first trace {time.perf_counter() - began:.2f} s after the start")
        try:
            report("one client", *load(host, bodies, 1, options.seconds / 6))
            before = memory(server.pid)
            report(f"{options.clients} clients", *load(host, bodies, options.clients,
                                                       options.seconds))  # fmt: skip
            print(f"memory {before:.0f} MB before, {memory(server.pid):.0f} MB after")
            print("bodies of noise:", dict(noise(host, bodies, options.bodies)))
        finally:
            server.terminate()


def read_bodies(paths: Sequence[Path]) -> list[bytes]:
    bodies: list[bytes] = []
    for path in paths:
        data = path.read_bytes()
        bodies += data.splitlines() if path.suffix == ".jsonl" else [data]
    return bodies


def post(connection: http.client.HTTPConnection, job: str, body: bytes, kind: str = "") -> int:
    connection.request("POST", f"/api/{job}", body, {"Content-Type": kind} if kind else {})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def load(
    host: str, bodies: Sequence[bytes], clients: int, seconds: float
) -> tuple[list[float], Counter[int], float]:
    """Latencies in seconds, how often each status came, and how long it all took."""
    latencies: list[float] = []
    statuses: Counter[int] = Counter()
    end = time.perf_counter() + seconds

    def client(number: int) -> None:
        connection = http.client.HTTPConnection(host)
        chance = random.Random(number)
        while (began := time.perf_counter()) < end:
            statuses[post(connection, "track", chance.choice(bodies))] += 1
            latencies.append(time.perf_counter() - began)

    threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(latencies), statuses, time.perf_counter() - began


def report(who: str, latencies: list[float], statuses: Counter[int], seconds: float) -> None:
    middle, late = (latencies[int(len(latencies) * share)] * 1000 for share in (0.5, 0.95))
    print(f"{who}: {len(latencies) / seconds:.0f} recipes a second, half within {middle:.0f} ms, "
          f"95 % within {late:.0f} ms, {dict(statuses)}")  # fmt: skip


def noise(host: str, bodies: Sequence[bytes], count: int) -> Counter[int]:
    """Post recipes with pieces cut, doubled and replaced by anything to every address, and every
    fourth time a recipe with corrections of all kinds."""
    statuses: Counter[int] = Counter()

    def client(number: int) -> None:
        chance = random.Random(number)
        connection = http.client.HTTPConnection(host)
        for _ in range(number, count, FUZZERS):
            data = bytearray(chance.choice(bodies))
            if chance.random() < 0.25:
                given = [any_correction(chance) for _ in range(chance.randint(1, 3))]
                body = {"text": data.decode(errors="replace"), "corrections": given}
                job, kind = chance.choice(["track", "correct"]), "application/json"
                data = bytearray(json.dumps(body).encode())
            else:
                job = chance.choice(JOBS)
                kind = chance.choice(["application/json", "text/html", ""])
                spoil(data, chance)
            statuses[post(connection, job, bytes(data), kind)] += 1

    threads = [threading.Thread(target=client, args=(n,)) for n in range(FUZZERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def spoil(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(data) + 1)
        cut = data[at : at + chance.randint(0, 50)]
        data[at : at + len(cut)] = chance.choice(
            [b"", bytes(cut) * 2, chance.randbytes(5), b'{"trace":', b"\x00", b"1e999", b"]"]
        )


def any_correction(chance: random.Random) -> object:
    """A correction, or what is none."""

    def portion() -> list[int]:
        return [chance.randint(0, 12), chance.randint(0, 1)]

    kinds: list[object] = [
        {"use": chance.randint(0, 12), "fraction": chance.choice([0.5, 1, None, [0.5, 0.5], "x"])},
        {"unuse": chance.randint(0, 12)}, {"act": chance.randint(0, 12)},
        {"leave": chance.randint(-1, 12)}, {"pile": [portion(), portion()]},
        {"move": portion(), "with": chance.choice([None, portion()])}, {"gone": portion()},
        {"place": chance.choice(["pot", None, 3]), "of": portion()},
        {"name": "batter", "of": portion()},
        {"state": chance.choice(["temperature", "location", "mood"]), "end_state": "cold",
         "of": portion()},
        {}, None, [portion()],
    ]  # fmt: skip
    one = chance.choice(kinds)
    return {"step": chance.randint(0, 6), **one} if isinstance(one, dict) else one


def memory(pid: int) -> float:
    """Megabytes that a process and its children hold, as Linux counts them."""
    processes = with_children(pid)
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in processes)
    return pages * 4096 / 1e6


if __name__ == "__main__":
    main()
