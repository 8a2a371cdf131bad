"""What if, and cooking, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browser import CHROMIUM, put, serving, texts, view
from web_cases import LASAGNE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("playwright", reason="the tests of the page need playwright")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no browser at {CHROMIUM}")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """With the default tracker, which simulates again what follows a correction."""
    with serving("--workers", "1") as (_, address):
        yield address


def test_what_if_an_ingredient_were_not_there(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "whatif")
    page.click("[aria-label='Drop ingredient 4']")
    page.click("[aria-label='Move step 4 up']")
    page.click("#differs")
    page.wait_for_selector(".side-by-side")
    assert "sugar" in page.inner_text("#difference")
    page.click("text=Go on with this one")
    page.wait_for_selector(".time-bar")
    assert page.locator(".lines .line").count() == 7


def test_two_branches_are_named_kept_and_compared_side_by_side(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "whatif")
    page.click("[aria-label='Drop ingredient 4']")
    page.fill("#branch-name", "No sugar")
    page.keyboard.press("Tab")
    page.click("#branch-new")
    page.fill("#branch-name", "Buckwheat")
    page.fill("[aria-label='ingredient 1']", "2 cups buckwheat flour")
    page.keyboard.press("Tab")
    assert texts(page, ".branch") == ["No sugar", "Buckwheat"]
    page.select_option("#compare-0", label="No sugar")
    page.select_option("#compare-1", label="Buckwheat")
    page.click("#differs")
    page.wait_for_selector(".side-by-side")
    assert texts(page, ".side-by-side thead th") == ["No sugar", "Buckwheat"]
    left, right = texts(page, ".side-by-side tbody tr:first-child td")
    assert "buckwheat" in right
    assert "buckwheat" not in left

    page.reload()
    page.wait_for_selector("body[data-ready]")
    put(page, pancakes)
    view(page, "whatif")
    assert texts(page, ".branch") == ["No sugar", "Buckwheat"]
    page.click("[aria-label='Delete it: No sugar']")
    assert texts(page, ".branch") == ["Buckwheat"]


def test_a_step_is_edited_inserted_and_dropped(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "whatif")
    page.fill("[aria-label='step 4']", "Chill the batter in the refrigerator.")
    page.click("[aria-label='Insert after step 4']")
    page.keyboard.type("Whisk the batter again.")
    page.click("[aria-label='Drop step 7']")
    page.click("#differs")
    page.wait_for_selector(".side-by-side")
    rows = texts(page, ".side-by-side tbody tr")
    assert any("Chill the batter" in row for row in rows)
    assert any("Whisk the batter" in row for row in rows)
    assert any("Serve with maple syrup" in row and "no such step" in row for row in rows)


def test_a_next_step_is_suggested_with_what_it_would_do(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "whatif")
    page.click("#suggest")
    page.wait_for_selector("text=Add this step")
    assert "acts on" in page.inner_text("#difference")
    page.click("text=Add this step >> nth=0")
    assert page.locator("[aria-label='step 7']").count() == 1


def test_servings_can_be_said_by_the_cook(page: Page, pancakes: str) -> None:
    put(page, pancakes)
    view(page, "cook")
    assert page.input_value("#serves") == ""
    page.fill("#serves", "4")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=cook for")
    page.fill("#servings", "8")
    page.keyboard.press("Tab")
    page.wait_for_selector(".reach >> text=3 cups flour")


def test_the_screen_is_kept_awake_and_a_timer_rings(page: Page, pancakes: str) -> None:
    page.evaluate("""() => { window.locks = [];
        navigator.wakeLock.request = async (kind) => { window.locks.push(kind);
            return { release: async () => window.locks.push("released") }; }; }""")
    page.clock.install()
    put(page, pancakes)
    view(page, "cook")
    page.wait_for_selector("text=The screen stays on.")
    while not page.locator(".timer-button").count():
        page.click("#cook-on")
    page.click(".timer-button")
    page.clock.fast_forward("11:00")
    page.wait_for_selector("#message[data-kind=alarm]")
    assert "Time is up" in page.inner_text("#message")
    view(page, "kitchen")
    assert page.evaluate("window.locks") == ["screen", "released"]


def test_cooking_scales_amounts_and_sets_timers(page: Page) -> None:
    put(page, LASAGNE)
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
