"""Requests over HTTP and HTTPS, with limits of time and size. Whatever goes wrong on the way is one
sentence; certificates are checked; no other scheme is opened."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import Any
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit, urlunsplit
from urllib.request import AbstractHTTPHandler, OpenerDirector, ProxyHandler, Request

from npn.errors import NpnError
from npn.formats.archive import gunzip
from npn.formats.reading import GZIP_SIGNATURE

SCHEMES = ("http", "https")
REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 8
PIECE = 1 << 16  # bytes read at a time
KEPT_IN_ADDRESSES = "%/:=&?~#+!$,;'@()*[]"


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How long the other side may be silent, how long all of its answer may take, how large it may
    be."""

    silence: float = 30.0  # seconds
    whole: float = 120.0  # seconds
    size: int = 32 << 20  # bytes


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """`location` is where a redirect points to."""

    status: int
    type: str
    body: bytes
    location: str = ""


def checked_address(address: str) -> str:
    """The address of a page, ready to be asked for; NpnError where it is none."""
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname or "", parts.port
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError:
        raise NpnError(f"{address} is not the address of a page") from None
    if parts.scheme.lower() not in SCHEMES:
        raise NpnError(f"{address} is not read: an address begins with https:// or http://")
    if not host or any(ord(sign) <= 32 for sign in parts.netloc + parts.path):
        raise NpnError(f"{address} is not the address of a page")
    if parts.username or parts.password:
        raise NpnError(f"leave name and password out of the address of {host}: they would be shown")
    place = f"[{host}]" if ":" in host else host
    netloc = f"{place}:{port}" if port is not None else place
    path, query = (quote(part, KEPT_IN_ADDRESSES) for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme.lower(), netloc, path, query, ""))


def send(request: Request, *, follow: bool, limits: RequestLimits) -> HttpAnswer:
    """The answer to a request, whatever its status. Redirects are followed only with `follow`, and
    only to HTTP and HTTPS; a redirect that is the answer was one too many, or not followed."""
    with _Connections(limits.whole) as connections:
        for _ in range(MOST_REDIRECTS):
            answer = _ask(request, limits, connections)
            if not follow or not answer.location or answer.status not in REDIRECTS:
                break
            request = _redirected(request, answer.location)
    return answer


def _redirected(request: Request, location: str) -> Request:
    scheme = urlsplit(location).scheme
    if scheme.lower() not in SCHEMES:
        site = site_of(request.full_url)
        raise NpnError(f"{site} redirects to {scheme}:, which is not followed")
    headers = {name: text for name, text in request.headers.items() if name != "Authorization"}
    return Request(checked_address(location), headers=headers)


def _ask(request: Request, limits: RequestLimits, connections: _Connections) -> HttpAnswer:
    site = site_of(request.full_url)
    opener = OpenerDirector()  # Python's own would open files, too
    opener.add_handler(ProxyHandler())
    opener.add_handler(connections)
    try:
        with opener.open(request, timeout=limits.silence) as response:
            answer = _answer(response, site, limits)
    except (HTTPException, OSError, ValueError) as error:
        if not connections.over:
            raise NpnError(_trouble(site, error, limits)) from error
    if connections.over:  # what was read until then looks like an answer at times
        raise NpnError(f"{site} takes more than {limits.whole:g} seconds for one answer")
    return answer


def site_of(url: str) -> str:
    """The scheme and the host of an address, for messages: "https://example.org"."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _answer(response: HTTPResponse, site: str, limits: RequestLimits) -> HttpAnswer:
    body = bytearray()
    while piece := response.read1(PIECE):  # what has come by now: a slow answer is not none
        body += piece
        if len(body) > limits.size:
            raise NpnError(f"{site} sends more than {limits.size >> 20} MB, which is no recipe")
    if response.length:  # less than was promised
        raise ConnectionError
    location = response.headers.get("Location") or ""
    return HttpAnswer(
        response.status,
        response.headers.get_content_type(),
        bytes(body),
        urljoin(response.url, location) if location else "",
    )


def _trouble(site: str, error: Exception, limits: RequestLimits) -> str:
    """What went wrong on the way, as a sentence."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, ssl.SSLCertVerificationError):
        return f"the certificate of {site} is not to be trusted: {reason.verify_message}"
    if isinstance(reason, TimeoutError):
        return f"{site} did not answer within {limits.silence:g} seconds: try again later"
    if isinstance(error, URLError):
        cause = reason.strerror if isinstance(reason, OSError) and reason.strerror else reason
        return f"{site} cannot be reached: {cause}"
    if isinstance(error, HTTPException | ConnectionError):
        return f"{site} broke off in the middle of its answer"
    return f"{site} cannot be asked: {error}"


class _Connections(AbstractHTTPHandler):
    """Opens connections over HTTP and HTTPS alone, and cuts them once the time is over: a socket's
    own limit begins anew with every byte, so that a slow server could keep it for ever."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.over = False
        self._sockets: list[socket.socket] = []
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> _Connections:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _cut(self) -> None:
        self.over = True
        for one in self._sockets:
            with suppress(OSError):  # it is closed already
                one.shutdown(socket.SHUT_RDWR)

    http_request = https_request = AbstractHTTPHandler.do_request_

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_Connection, opened=self._sockets), req)

    def https_open(self, req: Request) -> HTTPResponse:
        secure = partial(_SecureConnection, opened=self._sockets, context=_certificates())
        return self.do_open(secure, req)


class _Connection(HTTPConnection):
    """A connection whose socket is added to those that were opened."""

    def __init__(self, host: str, *, opened: list[socket.socket], **options: Any) -> None:
        super().__init__(host, **options)
        self.opened = opened

    def connect(self) -> None:
        super().connect()
        self.opened.append(self.sock)


class _SecureConnection(_Connection, HTTPSConnection):
    """The same with certificates that are checked."""


@cache
def _certificates() -> ssl.SSLContext:
    """The certificates that this machine trusts: reading them takes longer than many a request."""
    return ssl.create_default_context()


# -- A recipe's page from the web.

PAGE_LIMITS = RequestLimits(silence=20.0, whole=60.0, size=16 << 20)
AGENT = "Mozilla/5.0 (compatible; npn)"


def fetch_page(address: str) -> bytes:
    """What lies at an address. Redirects are followed, to HTTP and HTTPS alone."""
    url = checked_address(address)
    headers = {"User-Agent": AGENT, "Accept": "text/html,application/json,*/*;q=0.5"}
    answer = send(Request(url, headers=headers), follow=True, limits=PAGE_LIMITS)
    if 300 <= answer.status < 400:
        raise NpnError(f"{address} redirects in a circle")
    if answer.status != 200:
        raise NpnError(f"{address} cannot be read: the server answers {answer.status}")
    if not answer.body.strip():
        raise NpnError(f"{address} is empty: there is no recipe in it")
    if answer.body.startswith(GZIP_SIGNATURE):
        return gunzip(answer.body)
    return answer.body
