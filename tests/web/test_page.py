"""The page in a real browser, as a person uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import AXE, CHROMIUM, QUIET, serving
from web_cases import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright", reason="the tests of the page need playwright")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no browser at {CHROMIUM}")

LASAGNE = Path(__file__).parent / "lasagne.txt"
VIEWS = ("kitchen", "life", "cook", "ask", "whatif", "correct")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("--model", "weak-labels", "--workers", "1") as (_, address):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """An empty page. Whatever it asks for elsewhere, and whatever goes wrong in it, is a
    failure."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if "Content Security" in m.text else None)
    page.on(
        "request",
        lambda one: None if one.url.startswith((address, "blob:")) else wrong.append(one.url),
    )
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield page
    assert not wrong
    assert not context.cookies()
    context.close()


def put(page: Page, text: str) -> None:
    page.fill("#paste", text)
    page.click("#cook-it")
    page.wait_for_selector(".time-bar")


def view(page: Page, name: str) -> None:
    page.click(f"button[data-view={name}]")


def texts(page: Page, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def test_one_moves_through_time_and_sees_the_kitchen(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    assert len(texts(page, ".waiting .chip")) == 8
    page.keyboard.press("ArrowRight")
    assert texts(page, ".taken .chip-name")[0] == "1 1/2 cups flour"
    assert texts(page, ".vessel h3") == ["Bowl"]
    page.focus("#time")
    page.keyboard.press("End")
    assert "After step 6 of 6" in page.inner_text(".when")
    assert page.locator("#on").is_disabled()
    page.click(".step >> nth=2")
    assert page.locator("[aria-current=step]").inner_text() == "3"
    page.click("#back")
    assert sorted(texts(page, ".vessel h3")) == ["Bowl", "Jug"]


def test_an_ingredient_lights_up_everywhere(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    page.keyboard.press("ArrowRight")
    page.hover(".lines .line >> nth=0")
    assert texts(page, ".step .lit") == ["flour", "flour"]
    assert page.locator(".vessel .chip.lit").count() == 1
    page.mouse.move(0, 0)
    page.focus(".vessel .chip >> nth=1")
    assert "baking powder" in texts(page, ".step .lit")


def test_a_step_says_why(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    page.keyboard.press("ArrowRight")
    page.click(".why summary")
    page.wait_for_selector(".reasons li")
    assert 'flour: named as "flour"' in texts(page, ".reasons li")


def test_the_life_of_each_ingredient_is_a_line(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "life")
    assert page.locator(".life tbody tr").count() == 8
    page.click(".life thead button >> nth=3")
    assert "After step 4" in page.inner_text(".when")


def test_cooking_scales_amounts_and_sets_timers(page: Page) -> None:
    put(page, LASAGNE.read_text(encoding="utf-8"))
    view(page, "cook")
    assert page.input_value("#servings") == "6"
    before = texts(page, ".reach label")
    page.fill("#servings", "12")
    page.keyboard.press("Tab")
    page.wait_for_selector(".reach >> text=8 ounces")
    assert texts(page, ".reach label") != before
    page.click(".timer-button")
    assert "step 1, 5 minutes" in page.inner_text("#timers")
    page.click("#cook-on")
    assert "Step 2 of 13" in page.inner_text(".cook .when")
    assert page.locator("#timers .timer").count() == 1
    page.keyboard.press("ArrowLeft")
    assert "Step 1 of 13" in page.inner_text(".cook .when")


def test_questions_are_answered_with_the_step(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "ask")
    page.fill("#question", "When is the butter used?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answers .answer")
    assert "step 2" in page.inner_text(".answers .answer")
    page.fill("#question", "What is the meaning of life?")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=That I cannot answer.")
    page.click(".answers button")
    assert "After step 2" in page.inner_text(".when")


def test_what_if_an_ingredient_were_not_there(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "whatif")
    page.click("[aria-label='Drop ingredient 4']")
    page.click("[aria-label='Move step 4 up']")
    page.click("#differs")
    page.wait_for_selector("#difference li")
    assert "sugar" in page.inner_text("#difference")
    page.click("text=Go on with this one")
    page.wait_for_selector(".time-bar")
    assert page.locator(".lines .line").count() == 7


def test_corrections_are_kept_exported_and_imported(
    page: Page, pancakes: str, tmp_path: Path
) -> None:
    put(page, pancakes)
    page.keyboard.press("ArrowRight")
    page.click(".pile .quiet")
    assert page.evaluate("document.activeElement.id") == "place-0"
    page.fill("#place-0", "basin")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=1 correction")
    with page.expect_download() as download:
        page.click("#export-labels")
    labels = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert labels["world"][0]["piles"][0]["where"] == "basin"

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


def test_files_are_opened_and_of_several_one_is_chosen(page: Page) -> None:
    page.set_input_files("#file", str(EXAMPLES / "three-drinks.jsonl"))
    page.wait_for_selector("#several button")
    title = page.inner_text("#several button >> nth=1")
    page.click("#several button >> nth=1")
    page.wait_for_selector(".time-bar")
    assert page.inner_text("#title") == title


def test_what_cannot_be_read_is_said(page: Page) -> None:
    page.fill("#paste", "{ broken")
    page.click("#cook-it")
    page.wait_for_selector("#message[data-kind=error]")
    assert len(page.inner_text("#message")) > 10


def test_html_of_a_recipe_is_never_rendered(page: Page) -> None:
    recipe = {
        "title": "<img src=x onerror=alert(1)>",
        "ingredients": ["1 cup <b>flour</b>", "<script>alert(1)</script> salt"],
        "steps": ["Stir the <i>flour</i> with the salt for 5 minutes <iframe src=//x></iframe>."],
    }
    put(page, json.dumps(recipe))
    page.keyboard.press("ArrowRight")
    for name in VIEWS:
        view(page, name)
        assert page.locator("#view :is(img, script, iframe, i)").count() == 0
    assert page.inner_text("#title") == "<img src=x onerror=alert(1)>"


def test_everything_can_be_taken_away(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    page.click("#take-away summary")
    with page.expect_download() as download:
        page.click("#take-away-list button:has-text('markdown')")
    assert download.value.suggested_filename == "sunday-pancakes.md"


def test_it_can_be_done_by_keyboard_alone(page: Page, pancakes: str) -> None:
    page.focus("#paste")
    page.keyboard.insert_text(pancakes)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".time-bar")
    page.focus("button[data-view=kitchen]")
    while page.evaluate("document.activeElement.dataset.view") != "cook":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cook")
    page.focus("#cook-on")
    page.keyboard.press("Enter")
    assert "Step 2 of 6" in page.inner_text(".cook .when")
    assert page.evaluate("document.activeElement.id") == "cook-on"


@pytest.mark.parametrize("width", [320, 3840])
def test_it_fits_any_width(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    put(page, LASAGNE.read_text(encoding="utf-8"))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    for name in VIEWS:
        view(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make axe")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    serious = [*_serious(page, "opening")]
    put(page, LASAGNE.read_text(encoding="utf-8"))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    for name in VIEWS:
        view(page, name)
        serious += _serious(page, name)
    assert not serious


def _serious(page: Page, name: str) -> Iterator[str]:
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    for one in found["violations"]:
        if one["impact"] in ("serious", "critical"):
            yield f"{name}: {one['id']}: {[node['html'] for node in one['nodes']][:3]}"


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
