"""Recipes written in each form that we read, and read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO
from typing import NamedTuple

from npn.formats import Found, formats
from npn.formats.reading import Source, find_format
from npn.formats.writing import binary_writers, writers
from npn.formats.writing.mealie import to_mealie
from npn.formats.writing.tandoor import to_tandoor
from npn.recipe import Recipe
from npn.trace import Trace


class Content(NamedTuple):
    """What a round trip must keep, whatever the order of the ingredients: sections and lines, and
    each step's section, text, and links as sections and lines."""

    lines: list[tuple[str | None, str]]
    steps: list[tuple[str | None, str, frozenset[tuple[str | None, str]]]]


def written(traces: Sequence[Trace], name: str) -> bytes:
    out = BytesIO()
    binary_writers()[name].write(iter(traces), out)
    return out.getvalue()


def read_back(traces: Sequence[Trace], name: str) -> list[Recipe]:
    source = Source(f"{name}.zip", written(traces, name), "")
    format = next(one for one in formats() if one.sniff(source))
    assert format.name == name
    items = list(format.read(source))
    assert all(isinstance(item, Found) for item in items)
    return [item.recipe for item in items if isinstance(item, Found)]


# -- Every form that one recipe can be written in and read from, by its name.


def _archive(name: str) -> Callable[[Trace], Source]:
    return lambda trace: Source(f"recipe-{name}.zip", written([trace], name), "")


def _json(make: Callable[[Trace], object]) -> Callable[[Trace], Source]:
    def source(trace: Trace) -> Source:
        text = json.dumps(make(trace), ensure_ascii=False)
        return Source("recipe.json", text.encode(errors="replace"), text)

    return source


def _text(name: str, **options: bool) -> Callable[[Trace], Source]:
    def source(trace: Trace) -> Source:
        out, writer = StringIO(), writers()[name]
        writer.write(iter([trace]), out, **options)
        text = out.getvalue()
        return Source(f"recipe{writer.extension}", text.encode(errors="replace"), text)

    return source


FORMS: dict[str, Callable[[Trace], Source]] = {
    "mealie": _archive("mealie"),
    "mealie, one recipe": _json(lambda trace: to_mealie(trace, "recipe")),
    "tandoor": _archive("tandoor"),
    "tandoor, one recipe": _json(to_tandoor),
    "cooklang": _text("cooklang"),
    "cooklang --extended": _text("cooklang", extended=True),
    "schema-org": _text("schema-org"),
    "html": _text("html"),
    "kitchenowl": _text("kitchenowl"),
    "json": _text("json"),
}


def round_trip(trace: Trace, form: str) -> Recipe:
    """The recipe that is read from a trace written in a form."""
    source = FORMS[form](trace)
    format = find_format(source)
    assert format is not None
    (found,) = format.read(source)
    assert isinstance(found, Found)
    return found.recipe


def content(recipe: Recipe) -> Content:
    lines = [(_spaced(one.section), _spaced(one.text) or "") for one in recipe.ingredients]
    links = recipe.links or ((),) * len(recipe.steps)
    steps = [
        (
            _spaced(recipe.section_of(n)),
            _spaced(text) or "",
            frozenset(lines[i] for i in links[n]),
        )
        for n, text in enumerate(recipe.steps)
    ]
    return Content(sorted(lines, key=str), steps)


def content_of_trace(trace: Trace) -> Content:
    lines = [(_spaced(one.section), _spaced(one.text) or "") for one in trace.ingredients]
    steps = [
        (
            _spaced(step.section),
            _spaced(step.text) or "",
            frozenset(lines[use.ingredient] for use in step.uses),
        )
        for step in trace.steps
    ]
    return Content(sorted(lines, key=str), steps)


def _spaced(text: str | None) -> str | None:
    """Readers take any white space for a blank."""
    return " ".join(text.split()) if text else text
