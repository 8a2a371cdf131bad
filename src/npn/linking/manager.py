"""A running recipe manager: how its server is asked, and what linking must know of its recipes."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote
from urllib.request import Request

from npn.errors import NpnError
from npn.formats.http_request import HttpAnswer, RequestLimits, checked_address, send, site_of
from npn.formats.writing.portions import TakenPart
from npn.recipe import Recipe

PAGE = 100  # recipes that are asked for at a time
MOST_PAGES = 10_000
REFUSALS = (400, 403, 409, 413, 422)  # of a change, while the token is good for reading
LIMITS = RequestLimits(silence=30.0, whole=120.0, size=64 << 20)

Data = Mapping[str, Any]
Steps = list[dict[str, Any]]
Parts = Sequence[Sequence[TakenPart]]  # for each step of a recipe what it takes


class Listed(NamedTuple):
    """A recipe of a library: the key by which its server knows it, and its title."""

    key: str
    title: str


class MissingError(NpnError):
    """What was asked for is not there."""


class RefusedError(NpnError):
    """A recipe may not be changed, or not so: it is locked, say, or somebody else's."""


class Manager(ABC):
    """A recipe manager at an address, asked in JSON. The token goes to this server alone, and into
    no message; no redirect is followed."""

    title: ClassVar[str]  # "Mealie"
    profile: ClassVar[str]  # where in the program a token is made
    list_path: ClassVar[str]
    list_query: ClassVar[str]  # an order that changes of recipes do not change
    list_entries: ClassVar[str]  # where a page of the list has its recipes
    list_key: ClassVar[str]  # what a recipe on such a page is known by
    recipe_path: ClassVar[str]  # with {} for the key
    steps_name: ClassVar[str]  # where a recipe has its steps

    def __init__(self, url: str, environment: Mapping[str, str]) -> None:
        """The token is taken from the environment."""
        self.name = self.title.lower()
        self.variable = f"{self.title.upper()}_TOKEN"
        token = environment.get(self.variable, "").strip()
        if not token:
            raise NpnError(
                f"set {self.variable} to an API token, which {self.title} makes at {self.profile}"
            )
        if not token.isascii() or not token.isprintable() or " " in token:
            raise NpnError(f"{self.variable} holds no token: it has signs that no token has")
        self._token = token
        self.url = checked_address(url).partition("?")[0].rstrip("/")

    # -- Its recipes.

    @abstractmethod
    def recipe(self, data: Data) -> Recipe:
        """A recipe for trackers. Raises NpnError where it cannot be read, or not be linked."""

    @abstractmethod
    def steps(self, data: Data) -> Steps:
        """The steps of a recipe as the server has them: what is changed, and what a journal
        keeps."""

    @abstractmethod
    def is_steps(self, value: object) -> bool:
        """Whether a value, from a server or a journal, may be the steps of a recipe."""

    @abstractmethod
    def is_linked(self, data: Data) -> bool:
        """Whether somebody has linked a recipe."""

    @abstractmethod
    def linked(self, data: Data, parts: Parts) -> Steps:
        """The steps of a recipe, linked to what they take."""

    @abstractmethod
    def signature(self, steps: Steps) -> object:
        """What linking changes of steps."""

    def same(self, one: Steps, other: Steps) -> bool:
        """Whether two states of a recipe are alike in what linking changes."""
        return self.signature(one) == self.signature(other)

    # -- Its server.

    def listed(self) -> Iterator[Listed]:
        """Every recipe of the library, once, page by page. The last page says so (no "next"), or
        brings nothing new."""
        seen: set[str] = set()
        for page in range(1, MOST_PAGES):
            answer = self._ask("GET", f"{self.list_path}?page={page}&{self.list_query}")
            entries = answer.get(self.list_entries) if isinstance(answer, dict) else None
            if not isinstance(entries, list) or not all(map(self._is_entry, entries)):
                raise self._unknown_form()
            new = [one for one in map(self._as_listed, entries) if one.key not in seen]
            seen.update(one.key for one in new)
            yield from new
            if not new or not answer.get("next"):
                return

    def _is_entry(self, value: object) -> bool:
        return isinstance(value, dict) and isinstance(value.get(self.list_key), str | int)

    def _as_listed(self, entry: Data) -> Listed:
        key = entry[self.list_key]
        return Listed(str(key), str(entry.get("name") or key))

    def fetch(self, key: str) -> Data:
        """A recipe as the server has it."""
        data = self._ask("GET", self._path(key))
        if not isinstance(data, dict) or not self.is_steps(self._stored_steps(data)):
            raise self._unknown_form()
        return data

    def _stored_steps(self, data: Data) -> object:
        return data.get(self.steps_name)

    def replace_steps(self, key: str, steps: Steps) -> Steps | None:
        """Give a recipe other steps, and nothing else; the steps that the server answers with.
        Raises RefusedError where this recipe may not be changed."""
        answer = self._ask("PATCH", self._path(key), {self.steps_name: steps})
        if isinstance(answer, dict) and self.is_steps(answer.get(self.steps_name)):
            return self.steps(answer)
        return None

    def _path(self, key: str) -> str:
        return self.recipe_path.format(quote(key, safe=""))

    def _ask(self, method: str, path: str, value: object = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        body = None
        if value is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(value).encode()
        request = Request(self.url + path, body, headers, method=method)
        answer = send(request, follow=False, limits=LIMITS)
        path = path.partition("?")[0]
        if answer.status == 404:
            raise MissingError(
                f"{self.url} has nothing at {path}: is it the address of {self.title}?"
            )
        if method == "PATCH" and answer.status in REFUSALS:
            raise RefusedError(f"{self.title} refuses the change ({answer.status})")
        if not 200 <= answer.status < 300:
            raise NpnError(self._refusal(answer, f"{method} {path}"))
        try:
            if answer.type.endswith("json"):
                return json.loads(answer.body)
        except (ValueError, RecursionError):
            pass
        raise NpnError(
            f"{self.url} answers with a page instead of data: is it the address of {self.title}?"
        )

    def _refusal(self, answer: HttpAnswer, what: str) -> str:
        if answer.status in (401, 403):
            return (
                f"{self.url} refuses the token ({answer.status} at {what}): make a new one in "
                f"{self.title} and set {self.variable} to it"
            )
        if 300 <= answer.status < 400:
            target = site_of(answer.location) if answer.location else "another address"
            if target == site_of(self.url):
                target = answer.location.partition("?")[0]
            return (
                f"{self.url} redirects to {target}: give the address at which {self.title} "
                "itself answers"
            )
        if answer.status >= 500:
            return f"{self.url} failed ({answer.status} at {what}): look into its log"
        return f"{self.url} answers {answer.status} at {what}"

    def _unknown_form(self) -> NpnError:
        """What to raise where an answer is JSON, but not of this program."""
        return NpnError(
            f"{self.url} answers in a form that is not known: is it the address of {self.title}?"
        )
