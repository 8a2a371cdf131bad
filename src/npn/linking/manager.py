"""What linking needs to know of a recipe manager, and how to talk to its server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode
from urllib.request import Request

from npn.errors import NpnError
from npn.formats.http_request import HttpAnswer, RequestLimits, checked_address, send, site_of
from npn.formats.writing.portions import TakenPart
from npn.recipe import Recipe

PAGE = 100  # recipes that are asked for at a time
MOST_PAGES = 10_000

Data = Mapping[str, Any]
Steps = list[dict[str, Any]]
Parts = Sequence[Sequence[TakenPart]]  # for each step of a recipe what it takes


class Listed(NamedTuple):
    """A recipe of a library: the key by which its server knows it, and its title."""

    key: str
    title: str


def all_listed(
    server: Server, path: str, entries: str, key: str, **query: str | int
) -> Iterator[Listed]:
    """Every recipe of a server's list, once, page by page. `entries` is where a page has its
    recipes, and `key` what a recipe is known by there. `query` must name an order that changes do
    not change, or pages would overlap. The last page says so (no "next"), or brings nothing new."""
    seen: set[str] = set()
    for page in range(1, MOST_PAGES):
        answer = server.get(path, page=page, **query)
        found = _listed_in(answer, entries, key)
        if found is None:
            raise server.strange()
        new = [one for one in found if one.key not in seen]
        seen.update(one.key for one in new)
        yield from new
        if not new or (isinstance(answer, dict) and not answer.get("next")):
            return


def _listed_in(answer: object, entries: str, key: str) -> list[Listed] | None:
    """The recipes on a page, None where it is none."""
    found = answer.get(entries) if isinstance(answer, dict) else None
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and isinstance(one.get(key), str | int) for one in found
    ):
        return None
    return [Listed(str(one[key]), str(one.get("name") or one[key])) for one in found]


class Manager(Protocol):
    title: str  # "Mealie"
    variable: str  # the environment variable with the token
    profile: str  # where a token is made

    def listed(self, server: Server) -> Iterator[Listed]:
        """Every recipe of the library, once."""

    def fetch(self, server: Server, key: str) -> Data:
        """A recipe as the server has it."""

    def recipe(self, data: Data) -> Recipe:
        """The same for trackers. Raises NpnError where it cannot be read."""

    def steps(self, data: Data) -> Steps:
        """Its steps as the server has them: what is changed, and what a journal keeps."""

    def is_steps(self, value: object) -> bool:
        """Whether a value, from a server or a journal, may be the steps of a recipe."""

    def obstacle(self, data: Data) -> str:
        """Why a recipe cannot be linked, whoever asks; empty where it can."""

    def is_linked(self, data: Data) -> bool:
        """Whether somebody has linked it."""

    def linked(self, data: Data, recipe: Recipe, parts: Parts) -> Steps:
        """Its steps, linked to what they take."""

    def signature(self, steps: Steps) -> object:
        """What linking changes of steps, so that two states of a recipe can be compared."""

    def replace_steps(self, server: Server, key: str, steps: Steps) -> Steps | None:
        """Give a recipe other steps, and nothing else; the steps that the server answers with."""


# -- Talking to a server in JSON. The token goes to this server alone, and into no message; no
# redirect is followed.

REFUSALS = (400, 403, 409, 413, 422)  # of a change, while the token is good for reading
LIMITS = RequestLimits(silence=30.0, whole=120.0, size=64 << 20)


class MissingError(NpnError):
    """What was asked for is not there."""


class RefusedError(NpnError):
    """A recipe may not be changed, or not so: it is locked, say, or somebody else's."""


@dataclass(frozen=True, slots=True)
class Server:
    """`manager` is the name of the program ("Mealie"), `variable` the environment variable with the
    token ("MEALIE_TOKEN"): both are for messages."""

    url: str
    token: str = field(repr=False)
    manager: str
    variable: str
    limits: RequestLimits

    def get(self, path: str, **query: str | int) -> object:
        """The value at a path."""
        return self._ask("GET", f"{path}?{urlencode(query)}" if query else path, None)

    def patch(self, path: str, value: object) -> object:
        """The answer to a change. Raises RefusedError where it is refused for this recipe."""
        return self._ask("PATCH", path, json.dumps(value).encode())

    def _ask(self, method: str, path: str, body: bytes | None) -> object:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = Request(self.url + path, body, headers, method=method)
        answer = send(request, follow=False, limits=self.limits)
        path = path.partition("?")[0]
        if answer.status == 404:
            raise MissingError(
                f"{self.url} has nothing at {path}: is it the address of {self.manager}?"
            )
        if method == "PATCH" and answer.status in REFUSALS:
            raise RefusedError(f"{self.manager} refuses the change ({answer.status})")
        if not 200 <= answer.status < 300:
            raise NpnError(self._refusal(answer, f"{method} {path}"))
        try:
            if answer.type.endswith("json"):
                return json.loads(answer.body)
        except (ValueError, RecursionError):
            pass
        raise NpnError(
            f"{self.url} answers with a page instead of data: is it the address of {self.manager}?"
        )

    def _refusal(self, answer: HttpAnswer, what: str) -> str:
        if answer.status in (401, 403):
            return (
                f"{self.url} refuses the token ({answer.status} at {what}): make a new one in "
                f"{self.manager} and set {self.variable} to it"
            )
        if 300 <= answer.status < 400:
            target = site_of(answer.location) if answer.location else "another address"
            if target == site_of(self.url):
                target = answer.location.partition("?")[0]
            return (
                f"{self.url} redirects to {target}: give the address at which {self.manager} "
                "itself answers"
            )
        if answer.status >= 500:
            return f"{self.url} failed ({answer.status} at {what}): look into its log"
        return f"{self.url} answers {answer.status} at {what}"

    def strange(self) -> NpnError:
        """What to raise where an answer is JSON, but not of this program."""
        return NpnError(
            f"{self.url} answers in a form that is not known: is it the address of {self.manager}?"
        )


def new_server(
    url: str, environment: Mapping[str, str], manager: str, variable: str, profile: str
) -> Server:
    """A server at an address, with the token from the environment. `profile` says where in the
    program a token is made."""
    token = environment.get(variable, "").strip()
    if not token:
        raise NpnError(f"set {variable} to an API token, which {manager} makes at {profile}")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NpnError(f"{variable} holds no token: it has signs that no token has")
    address = checked_address(url).partition("?")[0].rstrip("/")
    return Server(address, token, manager, variable, LIMITS)
