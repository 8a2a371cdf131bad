"""Who may come in, and what every answer carries.

A page elsewhere on the web could send requests to a server on this machine, under a name of its
own that it makes point here. So the name asked for (`Host`) must be this machine's, and a request
that a page sends (`Origin`) must come from ours."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from npn.web.message import json_bytes

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Door:
    """Around the whole application. `hosts` are names of this machine besides localhost and its
    addresses; `origins` are the pages elsewhere that may use the API."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], origins: Iterable[str]) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin", "")
        allowed = origin if origin in self._origins else ""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, allowed)
            await send(message)

        if not self._is_here(host):
            await _refuse(send_with_headers, 403, "this server does not go by that name")
        elif origin and not allowed and not _is_same(origin, host):
            await _refuse(send_with_headers, 403, "pages from elsewhere may not use this server")
        elif allowed and scope["method"] == "OPTIONS":
            await _respond(send_with_headers, 204, b"")
        else:
            await self._app(scope, receive, send_with_headers)

    def _is_here(self, host: str) -> bool:
        """An address as such cannot be made to point elsewhere, so any will do."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        return name in self._hosts or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_same(origin: str, host: str) -> bool:
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == host.lower()


def _add_headers(message: MutableMapping[str, Any], allowed: str) -> None:
    have = {name.lower() for name, _ in message["headers"]}
    message["headers"] = [
        *message["headers"],
        *(header for header in HEADERS if header[0] not in have),
    ]
    if allowed:
        message["headers"] += [
            (b"access-control-allow-origin", allowed.encode("latin-1")),
            (b"access-control-allow-methods", b"GET, POST"),
            (b"access-control-allow-headers", b"content-type"),
            (b"vary", b"origin"),
        ]


async def _refuse(send: Send, status: int, sentence: str) -> None:
    await _respond(send, status, json_bytes({"error": sentence}))


async def _respond(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
