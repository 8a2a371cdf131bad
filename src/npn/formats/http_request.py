"""Requests over HTTP and HTTPS, with limits of time and size. Whatever goes wrong on the way is one
sentence; certificates are checked; no other scheme is opened."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urljoin, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from npn.errors import NpnError
from npn.formats.http_deadline import Deadline, TimedHTTP, TimedHTTPS

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


def send(request: Request, *, follow: bool, limits: RequestLimits = RequestLimits()) -> HttpAnswer:  # noqa: B008
    """The answer to a request, whatever its status. Redirects are followed only with `follow`, and
    only to HTTP and HTTPS; a redirect that is the answer was one too many, or not followed."""
    with Deadline(limits.whole) as deadline:
        for _ in range(MOST_REDIRECTS):
            answer = _ask(request, limits, deadline)
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


def _ask(request: Request, limits: RequestLimits, deadline: Deadline) -> HttpAnswer:
    site = site_of(request.full_url)
    try:
        answer = _read(request, limits, deadline)
    except (HTTPException, OSError, ValueError) as error:
        if not deadline.over:
            raise NpnError(_trouble(site, error, limits)) from error
    if deadline.over:  # what was read until then looks like an answer at times
        raise NpnError(f"{site} takes more than {limits.whole:g} seconds for one answer")
    return answer


def _read(request: Request, limits: RequestLimits, deadline: Deadline) -> HttpAnswer:
    site = site_of(request.full_url)
    try:
        with _opener(deadline).open(request, timeout=limits.silence) as response:
            return _answer(response, site, limits)
    except HTTPError as error:
        with error:
            return _answer(error, site, limits)


def site_of(url: str) -> str:
    """The scheme and the host of an address, for messages: "https://example.org"."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _answer(response: HTTPResponse | HTTPError, site: str, limits: RequestLimits) -> HttpAnswer:
    pieces: list[bytes] = []
    size = 0
    while piece := _piece(response):
        size += len(piece)
        pieces.append(piece)
        if size > limits.size:
            raise NpnError(f"{site} sends more than {limits.size >> 20} MB, which is no recipe")
    location = response.headers.get("Location") or ""
    return HttpAnswer(
        response.status or 0,
        response.url,
        response.headers.get_content_type(),
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


def _opener(deadline: Deadline) -> OpenerDirector:
    """An opener for HTTP and HTTPS alone: Python's own would open files, too."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        TimedHTTP(deadline),
        TimedHTTPS(deadline),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


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
