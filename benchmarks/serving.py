"""How `npn serve` holds up: many clients for a while beside one alone, and bodies of noise.

    python -m benchmarks.serving --seconds 60 --clients 50 --bodies 10000 RECIPE...

It starts a server of its own. RECIPE is any file that `npn track` reads; of JSON Lines every line
is a recipe.
"""

from __future__ import annotations

import argparse
import http.client
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

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
    """Post recipes with pieces cut, doubled and replaced by anything to every address."""
    chance = random.Random(0)
    statuses: Counter[int] = Counter()
    connection = http.client.HTTPConnection(host)
    for _ in range(count):
        data = bytearray(chance.choice(bodies))
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(data) + 1)
            cut = data[at : at + chance.randint(0, 50)]
            data[at : at + len(cut)] = chance.choice(
                [b"", bytes(cut) * 2, chance.randbytes(5), b'{"trace":', b"\x00", b"1e999", b"]"]
            )
        kind = chance.choice(["application/json", "text/html", ""])
        statuses[post(connection, chance.choice(JOBS), bytes(data), kind)] += 1
    return statuses


def memory(pid: int) -> float:
    """Megabytes that a process and its children hold, as Linux counts them."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in [pid, *children])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    main()
