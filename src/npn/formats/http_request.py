"""Requests over HTTP and HTTPS, with limits of time and size. Whatever goes wrong on the way is one
sentence; certificates are checked; no other scheme is opened."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urljoin, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from npn.errors import NpnError

SCHEMES = ("http", "https")
PIECE = 1 << 16  # bytes read at a time
KEPT_IN_ADDRESSES = "%/:=&?~#+!$,;'@()*[]"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the other side may be silent, how long all of its answer may take, how large it may
    be."""

    silence: float = 30.0  # seconds
    whole: float = 120.0  # seconds
    size: int = 32 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """`url` is the address that answered in the end, `location` where a redirect points to."""

    status: int
    url: str
    type: str
    body: bytes
    location: str = ""


def checked_address(address: str) -> str:
    """The address of a page, ready to be asked for; NpnError where it is none."""
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise NpnError(f"{address} is not the address of a page") from None
    if parts.scheme.lower() not in SCHEMES:
        raise NpnError(f"{address} is not read: an address begins with https:// or http://")
    if not host or any(ord(sign) <= 32 for sign in parts.netloc + parts.path):
        raise NpnError(f"{address} is not the address of a page")
    if parts.username or parts.password:
        raise NpnError(f"leave name and password out of the address of {host}: they would be shown")
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        raise NpnError(f"{address} is not the address of a page") from None
    place = f"[{name}]" if ":" in name else name
    netloc = f"{place}:{port}" if port is not None else place
    path, query = (quote(part, KEPT_IN_ADDRESSES) for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme.lower(), netloc, path, query, ""))


def send(
    request: Request,
    *,
    follow: bool,
    limits: Limits = Limits(),  # noqa: B008 (it is frozen)
    clock: Callable[[], float] = time.monotonic,
) -> Answer:
    """The answer to a request, whatever its status. Redirects are followed only with `follow`, and
    only to HTTP and HTTPS."""
    site = site_of(request.full_url)
    end = clock() + limits.whole
    try:
        with _opener(follow).open(request, timeout=limits.silence) as response:
            return _answer(response, site, limits, end, clock)
    except HTTPError as error:
        with error:
            return _answer(error, site, limits, end, clock)
    except ssl.SSLCertVerificationError as error:
        raise NpnError(_untrusted(site, error)) from None
    except TimeoutError:
        raise NpnError(_slow(site, limits)) from None
    except URLError as error:
        raise NpnError(_unreachable(site, error.reason, limits)) from None
    except (HTTPException, ConnectionError) as error:
        raise NpnError(f"{site} broke off in the middle of its answer") from error
    except (OSError, ValueError) as error:
        raise NpnError(f"{site} cannot be asked: {error}") from error


def site_of(url: str) -> str:
    """The scheme and the host of an address, for messages: "https://example.org"."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _answer(
    response: HTTPResponse | HTTPError,
    site: str,
    limits: Limits,
    end: float,
    clock: Callable[[], float],
) -> Answer:
    pieces: list[bytes] = []
    size = 0
    while piece := _piece(response):
        size += len(piece)
        pieces.append(piece)
        if size > limits.size:
            raise NpnError(f"{site} sends more than {limits.size >> 20} MB, which is no recipe")
        if clock() > end:
            raise NpnError(f"{site} takes more than {limits.whole:g} seconds for one answer")
    headers = response.headers
    location = headers.get("Location") or ""
    return Answer(
        response.status or 0,
        response.url,
        headers.get_content_type(),
        b"".join(pieces),
        urljoin(response.url, location) if location else "",
    )


def _piece(response: HTTPResponse | HTTPError) -> bytes:
    """What has come by now, so that a slow answer can be told from none."""
    stream = response.fp if isinstance(response, HTTPError) else response
    if isinstance(stream, HTTPResponse):
        piece = stream.read1(PIECE)
        if not piece and stream.length:  # less than was promised
            raise ConnectionError
        return piece
    return b""


class _Redirects(HTTPRedirectHandler):
    max_redirections = 8
    max_repeats = 2

    def __init__(self, follow: bool) -> None:
        self.follow = follow

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if not self.follow:
            return None
        return super().redirect_request(req, fp, code, msg, headers, checked_address(newurl))

    def http_error_302(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage
    ) -> object:
        target = urljoin(req.full_url, headers.get("Location") or "")
        if self.follow and urlsplit(target).scheme.lower() not in SCHEMES:
            scheme = urlsplit(target).scheme
            raise NpnError(f"{site_of(req.full_url)} redirects to {scheme}:, which is not followed")
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _opener(follow: bool) -> OpenerDirector:
    """An opener for HTTP and HTTPS alone: Python's own would open files, too."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(context=_certificates()),
        HTTPDefaultErrorHandler(),
        _Redirects(follow),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


@cache
def _certificates() -> ssl.SSLContext:
    """The certificates that this machine trusts: reading them takes longer than many a request."""
    return ssl.create_default_context()


def _slow(site: str, limits: Limits) -> str:
    return f"{site} did not answer within {limits.silence:g} seconds: try again later"


def _untrusted(site: str, error: ssl.SSLCertVerificationError) -> str:
    return f"the certificate of {site} is not to be trusted: {error.verify_message}"


def _unreachable(site: str, reason: object, limits: Limits) -> str:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return _untrusted(site, reason)
    if isinstance(reason, TimeoutError):
        return _slow(site, limits)
    told = reason.strerror if isinstance(reason, OSError) and reason.strerror else reason
    return f"{site} cannot be reached: {told}"
