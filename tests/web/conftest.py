"""One server with one worker for all the tests of the API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import CHROMIUM, QUIET, serving

pytest.importorskip("fastapi", reason="the server needs pip install 'npn[web]'")
pytest.importorskip("httpx", reason="FastAPI's test client needs httpx")

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser, Page

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    from fastapi.testclient import TestClient

    from npn.web.app import create_app
    from npn.web.worker_pool import ServerLimits

    app = create_app(
        ServerLimits(workers=1), model="weak-labels", origins=["https://friend.example"]
    )
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="session")
def pancakes() -> str:
    return (EXAMPLES / "pancakes.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("--model", "weak-labels", "--workers", "1") as (_, address):
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """An empty page. Whatever it asks for elsewhere, and whatever goes wrong in it, is a
    failure."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if "Content Security" in m.text else None)
    page.on(
        "request",
        lambda one: None if one.url.startswith((address, "blob:")) else wrong.append(one.url),
    )
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield page
    assert not wrong
    assert not context.cookies()
    context.close()
