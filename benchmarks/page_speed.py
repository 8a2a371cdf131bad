"""How fast the page of `npn serve` is, in Chromium: up, a recipe shown, moving through time.

    python -m benchmarks.page_speed tests/web/lasagne.txt

It starts a server of its own, with its default tracker. Frames are read from Chromium's own trace.
Beside each duration stands how much of it a processor worked on it, which other programs on the
machine do not change.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.processes import processor_seconds, with_children

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("NPN_CHROMIUM", "/usr/bin/chromium")
QUIET = "--no-sandbox --disable-gpu --disable-background-networking --disable-sync --no-first-run"
MOVES, PAUSE = 50, 120  # keys, and milliseconds between them
MOVING = 0.25  # seconds after a key in which things glide
LONG = 0.05  # seconds
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel",
              "disabled-by-default-devtools.timeline.frame"]  # fmt: skip
SHOWN = """(text) => new Promise((done) => {
  const box = document.getElementById("paste");
  box.value = text;
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".time-bar")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  }).observe(document.body, { childList: true, subtree: true });
  box.dispatchEvent(new ClipboardEvent("paste", { bubbles: true }));
})"""


@dataclass(frozen=True, slots=True)
class Durations:
    """In seconds: the tasks of the page's main thread as they took and as a processor worked on
    them, and the frames that were drawn while things moved."""

    tasks: list[float]
    work: list[float]
    frames: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("recipe", type=Path)
    text = parser.parse_args().recipe.read_text(encoding="utf-8")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    began = time.perf_counter()
    command = [sys.executable, "-m", "npn", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[3]
        urllib.request.urlopen(address).read()
        worked = processor_seconds(with_children(server.pid))
        print(f"up {time.perf_counter() - began:.2f} s after the start ({worked:.2f} s of work)")
        try:
            measure(address, text, server.pid)
        finally:
            server.terminate()


def measure(address: str, text: str, server: int) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        for turn in ("first", "second", "third", "fourth", "fifth"):
            before = processor_seconds(with_children(server))
            shown = page.evaluate(SHOWN, text)
            worked = 1000 * (processor_seconds(with_children(server)) - before)
            print(f"pasted, {turn} time: shown after {shown:.0f} ms ({worked:.0f} ms of work)")
            if turn != "fifth":
                page.click("#open-another")
        report(move(browser, page))
        browser.close()


def move(browser: Browser, page: Page) -> Durations:
    """Go on and back through time by key, and read Chromium's trace of it."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    for n in range(MOVES):
        page.keyboard.press("ArrowRight" if n % 24 < 12 else "ArrowLeft")
        page.wait_for_timeout(PAUSE)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main_thread = {
        (e["pid"], e["tid"])
        for e in events
        if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    keys = sorted(e["ts"] / 1e6 for e in events if is_key(e))
    mine = {(e["pid"], e["tid"]) for e in events if is_key(e)} & main_thread
    tasks = [e for e in events if e["name"] == "RunTask" and (e["pid"], e["tid"]) in mine]
    drawn = sorted(e["ts"] / 1e6 for e in events if e["name"] == "DrawFrame")
    return Durations(
        [e.get("dur", 0) / 1e6 for e in tasks],
        [e.get("tdur", 0) / 1e6 for e in tasks],
        list(frames(keys, drawn)),
    )


def is_key(event: dict[str, Any]) -> bool:
    data = event.get("args", {}).get("data", {})
    return bool(event["name"] == "EventDispatch" and data.get("type") == "keydown")


def frames(keys: list[float], drawn: list[float]) -> Iterator[float]:
    """How long each frame stood until the next was drawn, while things moved."""
    for key in keys:
        moving = [one for one in drawn if key <= one <= key + MOVING]
        yield from (after - before for before, after in zip([key, *moving], moving, strict=False))


def report(found: Durations) -> None:
    print(
        f"{MOVES} moves through time: the longest task of the page took "
        f"{1000 * max(found.tasks):.0f} ms ({1000 * max(found.work):.0f} ms of work), "
        f"{sum(one > LONG for one in found.tasks)} took more than 50 ms "
        f"({sum(one > LONG for one in found.work)} by work); of {len(found.frames):,} frames while "
        f"things moved the longest stood {1000 * max(found.frames, default=0):.0f} ms, "
        f"{sum(one > LONG for one in found.frames)} more than 50 ms"
    )


if __name__ == "__main__":
    main()
