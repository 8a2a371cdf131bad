"""Corrections and annotation in a real browser: what is put right holds, and what follows is
simulated again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import CHROMIUM, put, serving, texts, view
from web_cases import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("playwright", reason="the tests of the page need playwright")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no browser at {CHROMIUM}")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """With the default tracker, which simulates again what follows a correction."""
    with serving("--workers", "1") as (_, address):
        yield address


SOUP = """Soup

- 1 cup butter, divided
- 2 onions
- 1 potato

1. Melt the butter in a pot.
2. Chop the onions and the potato on a board.
3. Add the onions to the pot and fry them.
4. Spread the remaining butter on bread and serve it.
"""


def correct(page: Page, step: int) -> None:
    """Open the view in which a step is put right."""
    view(page, "kitchen")
    page.click(f".step >> nth={step - 1}")
    view(page, "correct")


def test_what_follows_a_portion_is_simulated_again(page: Page) -> None:
    put(page, SOUP)
    correct(page, 1)
    page.select_option("#take-0-0", "1")
    page.wait_for_selector("text=1 correction")
    correct(page, 4)
    assert page.locator("select[id^=take-0]").count() == 0
    correct(page, 1)
    page.select_option("#take-0-0", "0.25")
    page.wait_for_selector("text=2 corrections")
    page.wait_for_selector("#message >> text=Simulated again")
    view(page, "kitchen")
    page.click(".step >> nth=3")
    assert texts(page, ".taken .chip-name") == ["the rest of the butter: 3/4 cup"]


def test_what_follows_a_link_a_pile_and_a_place_is_simulated_again(page: Page) -> None:
    put(page, SOUP)
    correct(page, 2)
    page.click("[aria-label^='Not here'][aria-label$='potato']")
    page.wait_for_selector("text=1 correction")
    page.select_option("#use-which", "2")
    page.click("#use-add")
    page.wait_for_selector("text=2 corrections")
    page.select_option("#move-2-0", label=next(
        label for label in texts(page, "#move-2-0 option") if "onion" in label or "alone" in label
    ))  # fmt: skip
    page.wait_for_selector("text=3 corrections")
    correct(page, 3)
    page.locator("input[id^=place]").first.fill("kettle")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=4 corrections")
    view(page, "kitchen")
    assert "Kettle" in texts(page, ".vessel h3")
    page.click(".step >> nth=0")
    assert "Kettle" not in texts(page, ".vessel h3")


def test_one_clicks_what_is_wrong_and_its_control_is_there(page: Page) -> None:
    put(page, SOUP)
    page.click(".step >> nth=0")
    for clicked, control in (
        (".taken .chip-name", "take-0-0"),
        (".vessel h3 button", "place-0"),
        (".pile .chip-name", "move-0-0"),
        (".pile .quiet", "name-0"),
    ):
        view(page, "kitchen")
        page.click(clicked)
        page.wait_for_selector(f"#{control}:focus")
    view(page, "correct")
    page.select_option("#temperature-0", "cold")
    page.wait_for_selector("text=1 correction")
    view(page, "kitchen")
    page.click(".state >> text=cold")
    page.wait_for_selector("#temperature-0:focus")


def test_corrections_that_exclude_each_other_are_refused_with_a_sentence(page: Page) -> None:
    put(page, SOUP)
    correct(page, 1)
    page.select_option("#take-0-0", "1")
    page.wait_for_selector("text=1 correction")
    correct(page, 4)
    page.select_option("#use-which", "0")
    page.select_option("#use-part", "0.5")
    page.click("#use-add")
    page.wait_for_selector("#message[data-kind=error]")
    assert "portions first" in page.inner_text("#message")
    assert "1 correction" in page.inner_text(".correct")


def test_a_correction_is_undone(page: Page) -> None:
    put(page, SOUP)
    correct(page, 1)
    place = page.input_value("#place-0")
    page.fill("#place-0", "basin")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=1 correction")
    page.click(".fixes >> text=Undo")
    page.wait_for_selector("text=0 corrections")
    assert page.input_value("#place-0") == place


def test_corrections_are_kept_exported_and_imported(
    page: Page, pancakes: str, tmp_path: Path
) -> None:
    put(page, pancakes)
    page.keyboard.press("ArrowRight")
    page.click(".pile .quiet")
    page.wait_for_selector("#name-0:focus")
    page.fill("#place-0", "basin")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=1 correction")
    with page.expect_download() as download:
        page.click("#export-labels")
    labels = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert labels["world"][0]["piles"][0]["where"] == "basin"
    with page.expect_download() as download:
        page.click("#export-labelling")
    bare = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert bare == {"id": labels["id"], "steps": labels["world"]}

    page.reload()
    page.wait_for_selector("body[data-ready]")
    put(page, pancakes)
    page.wait_for_selector("text=Your corrections of this recipe are made.")
    page.keyboard.press("ArrowRight")
    assert texts(page, ".vessel h3") == ["Basin"]

    view(page, "correct")
    page.click("text=Undo all")
    page.wait_for_selector("text=0 corrections")
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(labels), encoding="utf-8")
    page.set_input_files("#labels-file", str(file))
    page.wait_for_selector("text=The labels are in.")
    assert page.input_value("#place-0") == "basin"


def test_a_set_is_annotated_by_two_who_do_not_see_each_other(page: Page, tmp_path: Path) -> None:
    files = []
    for name in ("anna", "ben"):
        page.click("#annotation > summary")
        page.fill("#annotator", name)
        page.set_input_files("#set-file", str(EXAMPLES / "three-drinks.jsonl"))
        page.wait_for_selector("text=Recipe 1 of 3")
        page.wait_for_selector("text=0 corrections")
        if name == "ben":
            page.fill("#place-0", "bucket")
            page.keyboard.press("Tab")
            page.wait_for_selector("text=1 correction")
        for n in (2, 3):
            page.keyboard.press("Alt+Enter")
            page.wait_for_selector(f"text=Recipe {n} of 3")
        page.click("#annotate-done")
        page.wait_for_selector("text=3 done")
        with page.expect_download() as download:
            page.click("#annotate-export")
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        files.append(file)
        page.reload()
        page.wait_for_selector("body[data-ready]")
    page.click("#annotation > summary")
    page.set_input_files("#agreement-files", [str(file) for file in files])
    page.wait_for_selector(".agreement-table")
    assert "anna and ben" in page.inner_text(".agreement-table")
    with page.expect_download() as download:
        page.click("#majority")
    assert len(Path(download.value.path()).read_text(encoding="utf-8").splitlines()) == 3
