"""The page in a real browser, as a person uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import AXE, CHROMIUM, put, texts, view
from web_cases import EXAMPLES, LASAGNE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("playwright", reason="the tests of the page need playwright")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no browser at {CHROMIUM}")

VIEWS = ("kitchen", "life", "flow", "cook", "ask", "whatif", "correct")


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
    page.focus(".vessel .chip button >> nth=1")
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
        assert page.locator("#view :is(img:not(.flow img), script, iframe, i)").count() == 0
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
    put(page, LASAGNE)
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
    put(page, LASAGNE)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    for name in VIEWS:
        view(page, name)
        serious += _serious(page, name)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.click("#annotation > summary")
    page.fill("#annotator", "anna")
    page.set_input_files("#set-file", str(EXAMPLES / "three-drinks.jsonl"))
    page.wait_for_selector("text=Recipe 1 of 3")
    serious += _serious(page, "annotate")
    assert not serious


def _serious(page: Page, name: str) -> Iterator[str]:
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    for one in found["violations"]:
        if one["impact"] in ("serious", "critical"):
            yield f"{name}: {one['id']}: {[node['html'] for node in one['nodes']][:3]}"


def test_the_recipe_is_printed_with_what_each_step_takes(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    page.emulate_media(media="print")
    assert "1 1/2 cups flour" in page.inner_text(".step >> nth=0")
    assert not page.locator("#time").is_visible()
    list_at, steps_at = (page.locator(one).bounding_box() for one in (".lines", ".steps"))
    assert list_at is not None
    assert steps_at is not None
    assert list_at["y"] < steps_at["y"]


def test_a_recipe_is_dropped_on_the_page(page: Page, pancakes: str) -> None:
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "pancakes.txt"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        pancakes,
    )
    page.wait_for_selector(".time-bar")
    assert page.inner_text("#title") == "Sunday Pancakes"


def test_a_recipe_is_shown_when_it_is_pasted(page: Page, pancakes: str) -> None:
    page.focus("#paste")
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const box = document.getElementById("paste");
          box.value = text;
          box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }""",
        pancakes,
    )
    page.wait_for_selector(".time-bar")


def test_a_page_saved_from_the_web_is_opened(page: Page, tmp_path: Path) -> None:
    recipe = {
        "@context": "https://schema.org", "@type": "Recipe", "name": "Toast",
        "recipeIngredient": ["2 slices bread", "1 tbsp butter"],
        "recipeInstructions": "Toast the bread. Spread the butter on it.",
    }  # fmt: skip
    file = tmp_path / "toast.html"
    file.write_text(
        f"<html><head><script type='application/ld+json'>{json.dumps(recipe)}</script></head>"
        "<body>Toast</body></html>",
        encoding="utf-8",
    )
    page.set_input_files("#file", str(file))
    page.wait_for_selector(".time-bar")
    assert page.inner_text("#title") == "Toast"


def test_things_move_visibly_unless_motion_is_unwanted(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().length") > 0
    page.keyboard.press("ArrowLeft")
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().length") == 0


def test_doubts_are_shown_quietly(page: Page) -> None:
    """Which steps the tracker doubts is its own business; that they are said is the page's."""
    put(page, LASAGNE)
    doubts = page.evaluate(
        """async (text) => (await (await fetch("/api/view", { method: "POST", body: text })).json())
             .view.steps.map((one) => one.doubts)""",
        LASAGNE,
    )
    for number, said in enumerate(doubts):
        page.click(f".step >> nth={number}")
        assert texts(page, ".doubt") == said


def test_the_address_holds_nothing_of_the_recipe(page: Page, pancakes: str, address: str) -> None:
    put(page, pancakes)
    for name in VIEWS:
        view(page, name)
    assert page.url.rstrip("/") == address.rstrip("/")


def test_the_flow_is_another_view_of_the_same(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "flow")
    page.wait_for_selector(".flow img")
    width = page.evaluate(
        "() => document.querySelector('.flow img').decode()"
        ".then(() => document.querySelector('.flow img').naturalWidth)"
    )
    assert width > 100


def test_what_a_cook_touches_is_large_enough_for_wet_hands(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    put(page, LASAGNE)
    view(page, "cook")
    for selector in ("#cook-on", "#cook-back", ".reach label >> nth=0", ".timer-button"):
        size = page.locator(selector).bounding_box()
        assert size is not None
        assert size["height"] >= 44, selector
    assert page.locator("#cook-on").evaluate("(one) => one.getBoundingClientRect().bottom") <= 640


def test_a_recipe_opens_at_its_top(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 400})
    put(page, LASAGNE)
    assert page.evaluate("window.scrollY") == 0


def test_the_api_is_described_on_a_page_of_our_own(page: Page, address: str) -> None:
    page.goto(f"{address.rstrip('/')}/docs")
    page.wait_for_selector(".call")
    assert "/api/track" in page.inner_text("main")
