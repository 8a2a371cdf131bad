"""Mealie: recipes whose steps are linked to the ingredients they use.

The file is a zip of recipes/SLUG/SLUG.json, which its migration from Mealie (`mealie_alpha`) wants.
"Import from zip" takes one with a single recipe, too. A line is written as a note, since units and
foods of a library are known by ids that a file cannot know. A title begins a section; a title of a
dash ends it. Mealie passes over who wrote the file, by which we know our own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import IO, Any
from uuid import UUID

from npn.formats.manager_files import AUTHOR, AUTHOR_KEY
from npn.formats.sections import SECTION_END
from npn.formats.writing import BinaryWriter, add_member, json_bytes, new_archive
from npn.language.amounts import SERVINGS, format_yield
from npn.trace import Trace

NOT_IN_SLUGS = re.compile(r"[^a-z0-9]+")
LONGEST_SLUG = 80


def write(traces: Iterable[Trace], out: IO[bytes]) -> None:
    taken: set[str] = set()
    with new_archive(out) as archive:
        for trace in traces:
            slug = _new_slug(trace.title, taken)
            add_member(archive, f"recipes/{slug}/{slug}.json", json_bytes(to_mealie(trace, slug)))


def to_mealie(trace: Trace, slug: str) -> dict[str, Any]:
    """A recipe as Mealie's API speaks of it."""
    references = [reference_id(trace.title, i, one.text) for i, one in enumerate(trace.ingredients)]
    sections = titles([one.section for one in trace.ingredients])
    lines = zip(trace.ingredients, references, sections, strict=True)
    steps = zip(trace.steps, titles([step.section for step in trace.steps]), strict=True)
    recipe: dict[str, Any] = {
        "name": " ".join(trace.title.split()) or "Untitled recipe",
        "slug": slug,
        AUTHOR_KEY: AUTHOR,
        "settings": {"disableAmount": True},
        "extras": {},
        "recipeIngredient": [
            {
                "referenceId": reference,
                "note": one.text,
                "originalText": one.text,
                "quantity": 0,
                "disableAmount": True,
                "title": title,
            }
            for one, reference, title in lines
        ],
        "recipeInstructions": [
            {
                "title": title,
                "text": step.text,
                "ingredientReferences": [
                    {"referenceId": references[i]}
                    for i in sorted({use.ingredient for use in step.uses})
                ],
            }
            for step, title in steps
        ],
    }
    if trace.yields is not None:
        recipe["recipeYield"] = format_yield(trace.yields)
        if trace.yields.of == SERVINGS:
            recipe["recipeServings"] = trace.yields.quantity
    return recipe


def reference_id(title: str, place: int, line: str) -> str:
    """The id of an ingredient: the same for the same line at the same place in the same recipe.
    Mealie takes UUIDs of version 4 alone, so this hash has the form of one."""
    digest = sha256("\0".join((title, str(place), line)).encode(errors="replace")).digest()
    return str(UUID(bytes=digest[:16], version=4))


def titles(sections: Sequence[str | None]) -> list[str]:
    """The title of each entry: a section where it begins, a dash where it ends with nothing
    after, else nothing."""
    found = []
    before: str | None = None
    for section in sections:
        found.append("" if section == before else section or SECTION_END)
        before = section
    return found


def slug_of(title: str) -> str:
    """The title as it stands in an address: "Crème brûlée!" is "creme-brulee"."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return NOT_IN_SLUGS.sub("-", plain)[:LONGEST_SLUG].strip("-") or "recipe"


def _new_slug(title: str, taken: set[str]) -> str:
    slug = base = slug_of(title)
    number = 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    taken.add(slug)
    return slug


WRITER = BinaryWriter("mealie", "a file that Mealie imports, with links", ".zip", write)
