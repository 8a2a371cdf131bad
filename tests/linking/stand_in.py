"""A server of our own that stands in for Mealie and Tandoor: it keeps recipes, writes down every
request, and fails where it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

TOKEN = "a-secret-token"
PER_PAGE = 2  # less than is asked for, so that there are several pages


class Asked(NamedTuple):
    method: str
    path: str
    body: Any


Fault = Callable[["Handler"], None]


@dataclass
class StandIn:
    """`faults` has what happens instead of an answer, by method and path; a fault stays until it is
    taken out."""

    kind: str  # "mealie" or "tandoor"
    recipes: dict[str, dict[str, Any]]
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)
    released: threading.Event = field(default_factory=threading.Event)
    alter: Callable[[dict[str, Any]], None] | None = None  # of what a PATCH brings

    @property
    def base(self) -> str:
        return "/api/recipes" if self.kind == "mealie" else "/api/recipe/"

    def path(self, key: str) -> str:
        return f"{self.base}/{key}" if self.kind == "mealie" else f"{self.base}{key}/"

    def patches(self) -> list[Asked]:
        return [one for one in self.asked if one.method == "PATCH"]

    def listing(self, page: int) -> dict[str, Any]:
        every = list(self.recipes.items())
        shown = every[(page - 1) * PER_PAGE : page * PER_PAGE]
        pages = -(-len(every) // PER_PAGE)
        more = "more" if page < pages else None
        if self.kind == "mealie":
            items = [{"slug": key, "name": data["name"]} for key, data in shown]
            return {"page": page, "total_pages": pages, "items": items, "next": more}
        results = [{"id": int(key), "name": data["name"]} for key, data in shown]
        return {"count": len(every), "next": more, "results": results}

    def change(self, key: str, body: dict[str, Any]) -> dict[str, Any]:
        if self.alter:
            self.alter(body)
        self.recipes[key].update(deepcopy(body))
        return self.recipes[key]


class Handler(BaseHTTPRequestHandler):
    stand_in: StandIn

    def do_GET(self) -> None:
        self.answer("GET")

    def do_PATCH(self) -> None:
        self.answer("PATCH")

    def answer(self, method: str) -> None:
        parts = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(data) if data else None
        stand_in = self.stand_in
        stand_in.asked.append(Asked(method, self.path, body))
        fault = stand_in.faults.get((method, parts.path))
        if fault is not None:
            fault(self)
        elif self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.send(401, {"detail": "no"})
        elif parts.path == stand_in.base:
            page = int(parse_qs(parts.query).get("page", ["1"])[0])
            self.send(200, stand_in.listing(page))
        else:
            self.one_recipe(method, parts.path, body)

    def one_recipe(self, method: str, path: str, body: Any) -> None:
        key = path.removeprefix(self.stand_in.base).strip("/")
        if key not in self.stand_in.recipes:
            self.send(404, {"detail": "not found"})
        elif method == "PATCH":
            self.send(200, self.stand_in.change(key, body))
        else:
            self.send(200, self.stand_in.recipes[key])

    def send(self, status: int, value: object, type: str = "application/json", **more: str) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(data)))
        for name, text in more.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def running(stand_in: StandIn) -> Iterator[StandIn]:
    handler = type("OwnHandler", (Handler,), {"stand_in": stand_in})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    stand_in.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield stand_in
    finally:
        stand_in.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


# What can go wrong with a server.


def fails(handler: Handler) -> None:
    handler.send(500, {"detail": "Internal Server Error"})


def forbids(handler: Handler) -> None:
    handler.send(403, {"detail": "forbidden"})


def answers_a_page(handler: Handler) -> None:
    handler.send(200, b"<html><title>Log in</title></html>", "text/html")


def answers_broken_json(handler: Handler) -> None:
    handler.send(200, b'{"items": [', "application/json")


def answers_other_json(handler: Handler) -> None:
    handler.send(200, {"hello": "world"})


def redirects(handler: Handler) -> None:
    handler.send(302, b"", "text/html", Location="https://login.example.org/?token=abc")


def hangs(handler: Handler) -> None:
    handler.stand_in.released.wait(60)
    handler.close_connection = True


def vanishes(handler: Handler) -> None:
    """Closes the connection in the middle of its answer."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"name"')
    handler.close_connection = True


def hangs_up(handler: Handler) -> None:
    handler.close_connection = True
