"""What linking needs to know of a recipe manager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from npn.formats.writing.portions import TakenPart
from npn.linking.client import Server
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
