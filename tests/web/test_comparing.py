"""What differs between two recipes that are about the same."""

from __future__ import annotations

from web_cases import track

from npn.web.comparing import compare


def test_nothing_differs_from_itself(pancakes: str) -> None:
    found = compare(track(pancakes), track(pancakes))
    assert found["steps"] == found["missing"] == found["added"] == []
    assert found["end"]["before"] == found["end"]["after"]


def test_an_ingredient_that_is_dropped_is_missed_where_it_was_used(pancakes: str) -> None:
    found = compare(track(pancakes), track(pancakes.replace("- 2 tablespoons sugar\n", "")))
    first = found["steps"][0]
    assert first["what"] == "other"
    assert "takes 2 tablespoons sugar" in first["only_before"]
    assert not any("sugar" in fact for fact in first["only_after"])
    assert found["missing"] == ["sugar"]


def test_a_step_that_is_dropped_is_gone_and_a_new_one_new(pancakes: str) -> None:
    without = pancakes.replace("4. Let the batter rest for 10 minutes.", "4. Chill the batter.")
    steps = compare(track(pancakes), track(without))["steps"]
    assert [(step["what"], step["texts"]) for step in steps if step["what"] != "other"] == [
        ("new", [None, "Chill the batter."]),
        ("gone", ["Let the batter rest for 10 minutes.", None]),
    ]


def test_a_step_in_other_words_stands_beside_the_old_one(pancakes: str) -> None:
    longer = pancakes.replace("rest for 10 minutes", "rest for 10 minutes in the refrigerator")
    steps = compare(track(pancakes), track(longer))["steps"]
    old, new = "Let the batter rest for 10 minutes", "Let the batter rest for 10 minutes in the"
    assert any(old in step["texts"][0] and new in step["texts"][1] for step in steps)


def test_a_step_that_only_moved_is_neither_new_nor_gone() -> None:
    recipe = "Eggs\n\n2 eggs\n1 onion\n\n1. Beat the eggs.\n2. Chop the onion.\n"
    moved = "Eggs\n\n2 eggs\n1 onion\n\n1. Chop the onion.\n2. Beat the eggs.\n"
    found = compare(track(recipe), track(moved))
    assert all(step["what"] == "other" for step in found["steps"])
