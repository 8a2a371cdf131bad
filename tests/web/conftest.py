"""One server with one worker for all the tests of the API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the server needs pip install 'npn[web]'")
pytest.importorskip("httpx", reason="FastAPI's test client needs httpx")

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LASAGNE = Path(__file__).parent / "lasagne.txt"


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    from fastapi.testclient import TestClient

    from npn.web.app import create_app
    from npn.web.limits import ServerLimits

    app = create_app(
        ServerLimits(workers=1), model="weak-labels", origins=["https://friend.example"]
    )
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="session")
def pancakes() -> str:
    return (EXAMPLES / "pancakes.txt").read_text(encoding="utf-8")
