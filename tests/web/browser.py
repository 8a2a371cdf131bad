"""Debian's Chromium, a server of its own, and a page in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = Path(os.environ.get("NPN_CHROMIUM", "/usr/bin/chromium"))
ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
QUIET = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run"
).split()


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`npn serve` on a free port, and its address."""
    command = [sys.executable, "-m", "npn", "serve", "--port", "0", "--no-browser", *options]
    listen = _listen_to_hang_ups if os.name == "posix" else None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=listen) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[3]
        try:
            yield process, address
        finally:
            process.terminate()
            process.wait(timeout=60)


def _listen_to_hang_ups() -> None:
    """Also where the tests were started with nohup, and so hear of none."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def put(page: Page, text: str) -> None:
    page.fill("#paste", text)
    page.click("#cook-it")
    page.wait_for_selector(".time-bar")


def view(page: Page, name: str) -> None:
    page.click(f"button[data-view={name}]")


def texts(page: Page, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_inner_texts()]
