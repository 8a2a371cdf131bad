"""A recipe's page from the web."""

from __future__ import annotations

import re
from urllib.request import Request

from npn.errors import NpnError
from npn.formats.archive import GZIP_SIGNATURE, gunzip
from npn.formats.http_request import RequestLimits, checked_address, send

ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{0,30}://")
LIMITS = RequestLimits(silence=20.0, whole=60.0, size=16 << 20)
AGENT = "Mozilla/5.0 (compatible; npn)"


def is_address(path: str) -> bool:
    """Whether this names a page and not a file: it begins with a scheme, "https://"."""
    return ADDRESS.match(path) is not None


def fetch_page(address: str) -> bytes:
    """What lies at an address. Redirects are followed, to HTTP and HTTPS alone."""
    url = checked_address(address)
    headers = {"User-Agent": AGENT, "Accept": "text/html,application/json,*/*;q=0.5"}
    answer = send(Request(url, headers=headers), follow=True, limits=LIMITS)
    if 300 <= answer.status < 400:
        raise NpnError(f"{address} redirects in a circle")
    if answer.status != 200:
        raise NpnError(f"{address} cannot be read: the server answers {answer.status}")
    if not answer.body.strip():
        raise NpnError(f"{address} is empty: there is no recipe in it")
    if answer.body.startswith(GZIP_SIGNATURE):
        return gunzip(answer.body)
    return answer.body
