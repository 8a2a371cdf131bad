"""How quick the page of `npn serve` is in Chromium: until a recipe is shown, and through time.

    python -m benchmarks.page_speed tests/web/lasagne.txt

It starts a server of its own, with its default tracker.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
QUIET = "--no-sandbox --disable-gpu --disable-background-networking --disable-sync --no-first-run"
SHOWN = """() => new Promise((done) => {
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".time-bar")) return;
    observer.disconnect();
    done(performance.now() - began);
  }).observe(document.body, { childList: true, subtree: true });
  document.getElementById("cook-it").click();
})"""
MOVES = """async () => {
  const long = [], frames = [], keys = [];
  new PerformanceObserver((list) => long.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask" });
  let last = performance.now();
  const frame = (now) => { frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  for (let n = 0; n < 50; n++) {
    const key = n % 24 < 12 ? "ArrowRight" : "ArrowLeft";
    const began = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    document.body.offsetHeight;
    keys.push(performance.now() - began);
    await new Promise((done) => setTimeout(done, 120));
  }
  const middle = keys.slice().sort((a, b) => a - b)[25];
  return { long, frame: Math.max(...frames), key: Math.max(...keys), middle };
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("recipe", type=Path)
    text = parser.parse_args().recipe.read_text(encoding="utf-8")
    began = time.perf_counter()
    command = [sys.executable, "-m", "npn", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[3]
        urllib.request.urlopen(address).read()
        print(f"the page is up {time.perf_counter() - began:.2f} s after the start")
        try:
            measure(address, text)
        finally:
            server.terminate()


def measure(address: str, text: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        for turn in ("first", "second", "third"):
            page.fill("#paste", text)
            print(f"{turn} time: shown within {page.evaluate(SHOWN):.0f} ms")
            if turn != "third":
                page.click("#open-another")
        found = page.evaluate(MOVES)
        print(
            f"50 moves through time: half of the keys take {found['middle']:.1f} ms or less, all "
            f"{found['key']:.0f} ms or less; a frame "
            f"{found['frame']:.0f} ms at most, {len(found['long'])} tasks over 50 ms"
        )
        browser.close()


if __name__ == "__main__":
    main()
