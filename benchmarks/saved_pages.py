"""How well saved pages are read, measured on the test pages of recipe-scrapers:

    python -m benchmarks.saved_pages FOLDER [--show 20]

FOLDER holds a folder for each site with pages (*.testhtml) and, beside each page, what the library
expects of it (*.json): `tests/test_data` of its repository. Only English pages count. Headings may
stand in either place: the library keeps "For the sauce" among the lines or as a group's purpose,
we make it the section of the lines below. So a page counts as read alike where our lines and its
lines are the same, in the same order, after our headings and bare numbers ("Step 3") are left out
of its."""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.formats import Found, Source
from npn.formats.schema_org import FORMAT
from npn.formats.sections import is_clear_heading
from npn.recipe import Recipe

NUMBER = re.compile(r"(?:step\s*)?\d*\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one page: `problem` is empty for a page that was read."""

    page: Path
    problem: str = ""
    ingredients: bool = False
    steps: bool = False
    groups: bool | None = None  # None where the library expects no groups
    headings: tuple[str, ...] = ()  # lines among our ingredients that are headings
    set_aside: tuple[str, ...] = ()  # lines that it has as ingredients and we as headings
    steps_set_aside: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


def compare(page: Path, expected: dict[str, Any]) -> Outcome:
    try:
        data = page.read_bytes()
        source = Source("page.html", data, data.decode(errors="replace"))
        recipe = next(item.recipe for item in FORMAT.read(source) if isinstance(item, Found))
    except (NpnError, StopIteration) as error:
        return Outcome(page, str(error) or "no recipe")
    purposes = [group["purpose"] or "" for group in expected.get("ingredient_groups", [])]
    lines = [one.text for one in recipe.ingredients]
    headings = {_key(one.section or "") for one in recipe.ingredients} | set(map(_key, purposes))
    step_headings = {_key(one or "") for one in recipe.step_sections}
    wanted = [line for line in expected["ingredients"] if _key(line) not in headings]
    wanted_steps = [step for step in _steps(expected) if _key(step) not in step_headings]
    return Outcome(
        page,
        "",
        _alike(lines, wanted),
        _alike(recipe.steps, wanted_steps),
        _same_groups(recipe, expected) if any(purposes) else None,
        tuple(
            line for line in lines if is_clear_heading(line) or _key(line) in map(_key, purposes)
        ),
        tuple(line for line in expected["ingredients"] if _key(line) in headings - {""}),
        tuple(step for step in _steps(expected) if _key(step) in step_headings - {""}),
        (*_difference(lines, wanted), *_difference(recipe.steps, wanted_steps)),
    )


def _steps(expected: dict[str, Any]) -> list[str]:
    steps = expected.get("instructions_list") or expected["instructions"].split("\n")
    return [step for step in steps if not NUMBER.fullmatch(step)]


def _same_groups(recipe: Recipe, expected: dict[str, Any]) -> bool:
    ours = Counter((_key(one.section or ""), _key(one.text)) for one in recipe.ingredients)
    theirs = Counter(
        (_key(group["purpose"] or ""), _key(line))
        for group in expected["ingredient_groups"]
        for line in group["ingredients"]
    )
    return ours == theirs


def _key(line: str) -> str:
    return "".join(character for character in line.casefold() if character.isalnum())


def _alike(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether the lines are the same in the same order, but for spaces and punctuation."""
    return [_key(one) for one in ours if _key(one)] == [_key(one) for one in theirs if _key(one)]


def _difference(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    ours_keys, theirs_keys = set(map(_key, ours)), set(map(_key, theirs))
    more = [f"    + {line[:100]!r}" for line in ours if _key(line) not in theirs_keys]
    less = [f"    - {line[:100]!r}" for line in theirs if _key(line) not in ours_keys]
    return more[:4] + less[:4]


def english_pages(folder: Path) -> Iterable[tuple[Path, dict[str, Any]]]:
    for page in sorted(folder.glob("*/*.testhtml")):
        answer = page.with_suffix(".json")
        if answer.exists():
            expected = json.loads(answer.read_text())
            if str(expected.get("language", "")).lower().startswith("en"):
                yield page, expected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", type=int, default=0, help="how many differing pages to print")
    parser.add_argument("--every", type=int, default=1, help="measure every n-th page only")
    options = parser.parse_args()
    pages = list(english_pages(options.folder))[:: options.every]
    outcomes = [compare(page, expected) for page, expected in pages]
    read = [one for one in outcomes if not one.problem]
    grouped = [one for one in read if one.groups is not None]
    sites = {one.page.parent.name for one in outcomes}
    print(f"{len(outcomes)} English pages of {len(sites)} sites, {len(read)} read")
    for what, right, of in (
        ("ingredients alike", sum(one.ingredients for one in read), len(outcomes)),
        ("steps alike", sum(one.steps for one in read), len(outcomes)),
        ("both alike", sum(one.ingredients and one.steps for one in read), len(outcomes)),
        ("sections alike", sum(bool(one.groups) for one in grouped), len(grouped)),
    ):
        print(f"{what}: {right} of {of}, {right / max(of, 1):.1%}")
    print(f"pages with a heading among the ingredients: {sum(bool(one.headings) for one in read)}")
    for what, lines in (
        ("ingredients", [line for one in read for line in one.set_aside]),
        ("steps", [line for one in read for line in one.steps_set_aside]),
    ):
        print(f"the library's {what} that are headings to us: {len(lines)}")
        if options.show:
            print("   ", *sorted(set(lines)), sep=" | ")
    wrong = [
        one
        for one in outcomes
        if not (one.ingredients and one.steps) or one.groups is False or one.headings
    ]
    for one in wrong[: options.show]:
        print(one.page.name, one.problem, *one.headings)
        print(*one.differences, sep="\n")


if __name__ == "__main__":
    main()
