"""Whatever a trace holds, every writer writes something sound of it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from test_html_writer import Page
from test_json_writer import any_trace
from written import written

from npn.formats import Found, Source, cooklang
from npn.formats.writing import writers
from npn.formats.writing.recipe_grid import statements
from npn.formats.writing.wording import plain
from npn.trace import Trace

slow = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@slow
@given(any_trace())
def test_every_writer_writes_it(trace: Trace) -> None:
    for name, writer in writers().items():
        text = written(name, trace, **dict.fromkeys(writer.options, True))
        assert text.encode()


@slow
@given(any_trace())
def test_pictures_and_pages_are_well_formed(trace: Trace) -> None:
    ET.fromstring(written("svg", trace).encode())
    page = Page(written("html", trace))
    assert not page.open
    assert len(page.scripts) == 2
    assert json.loads(page.scripts[0])["@type"] == "Recipe"


@slow
@given(any_trace())
def test_cooklang_keeps_the_text_of_every_step_that_has_words(trace: Trace) -> None:
    text = written("cooklang", trace)
    (item,) = cooklang.FORMAT.read(Source("soup.cook", text.encode(), text))
    assert isinstance(item, Found)
    wanted = [words for step in trace.steps if (words := plain(step.text))]
    assert list(item.recipe.steps) == wanted


@slow
@given(any_trace())
def test_recipe_grid_compiles_it(trace: Trace) -> None:
    compiler = pytest.importorskip("recipe_grid.compiler")
    lines = statements(trace)
    if lines:
        compiler.compile(["\n".join(lines)])
