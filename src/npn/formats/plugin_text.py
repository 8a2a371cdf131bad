"""What comes along when a recipe is copied from a page: the buttons and labels of the plug-in that
shows it. "1x 2x 3x" and "US Customary Metric" are no ingredients, "Cook Mode" is no step."""

from __future__ import annotations

import re

_SCALES = re.compile(r"(?:(?:\d{1,2}(?:/\d|\.\d)?|[½¼⅓¾])\s?[xX×][\s|/,•·]*){1,6}")
_LABELS = frozenset(
    {"us customary", "us customary metric", "us customary - metric", "us metric", "us units"}
    | {"us customary / metric", "us units metric", "us units metric units", "metric units"}
    | {"metric", "imperial", "imperial metric", "us", "cups", "grams", "units", "scale"}
    | {"cups grams", "ounces grams", "metric us customary", "original", "convert to metric"}
    | {"cook mode", "cook mode on", "cook mode off", "prevent your screen from going dark"}
    | {"cook mode prevent your screen from going dark", "keep screen on", "keep screen awake"}
    | {"deselect all", "select all", "check all", "uncheck all", "clear all"}
    | {"jump to recipe", "jump to video", "jump to recipe jump to video", "jump to comments"}
    | {"jump to recipe print recipe", "jump to recipe - print recipe", "skip to recipe"}
    | {
        "save",
        "saved",
        "save recipe",
        "save this recipe",
        "save to favorites",
        "save to my recipes",
    }
    | {
        "print",
        "print recipe",
        "print this recipe",
        "print friendly",
        "pin",
        "pin recipe",
        "pin it",
    }
    | {"pin this recipe", "share", "share recipe", "share this recipe", "email", "email recipe"}
    | {"rate", "rate recipe", "rate this recipe", "leave a review", "write a review", "review"}
    | {"leave a comment", "comment", "comments", "add to collection", "add to favorites"}
    | {"add to shopping list", "add to grocery list", "add all to shopping list"}
    | {"add to cart", "shop ingredients", "shop this recipe", "get ingredients", "buy ingredients"}
    | {"get recipe ingredients", "order ingredients", "video", "watch video", "watch the video"}
    | {"play video", "recipe video", "video tutorial", "how-to video", "advertisement", "ad"}
    | {"advertisements", "sponsored", "show images", "hide images", "hide photos", "show photos"}
    | {"step photos", "step-by-step photos", "start cooking", "start timer", "copy", "copy link"}
    | {"copy ingredients", "copy to clipboard", "view nutrition", "servings", "adjust servings"}
    | {"like this recipe", "subscribe", "continue reading", "read more", "see more", "show more"}
    | {
        "view all",
        "powered by instacart",
        "get ingredients powered by instacart",
        "nutrition label",
    }
)
_TAIL = re.compile(
    r"(?<=\S)\s{1,9}(?:us customary|metric|imperial|cook mode|prevent your screen from going dark"
    r"|(?:de)?select all|print|video|(?:\d{1,2}|½)[x×]|[-–|/])$",
    re.IGNORECASE,
)

_RUN_TOGETHER = re.compile(r"(?<=[a-z])\s?(?:[1-9½]x){2,4}$")  # "Ingredients1x2x3x"


def is_plugin_text(line: str) -> bool:
    """Whether a line is the label of a button, not of a recipe."""
    if len(line) > 60:
        return False
    text = " ".join(line.split()).strip(" :|•·▢☐-–—!►▶.").lower()
    return text in _LABELS or _SCALES.fullmatch(text) is not None


def without_buttons(heading: str) -> str:
    """A heading without the labels that were copied behind it: "Ingredients US Customary Metric
    1x 2x 3x" is "Ingredients"."""
    if len(heading) > 120:
        return heading
    heading = _RUN_TOGETHER.sub("", heading)
    while found := _TAIL.search(heading):
        heading = heading[: found.start()]
    return heading
