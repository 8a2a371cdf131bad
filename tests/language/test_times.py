"""Times that a cook's timer can be set to."""

from __future__ import annotations

import pytest

from npn.language.times import find_times


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bake for 20 to 25 minutes.", [("20 to 25 minutes", 1200, 1500)]),
        ("Simmer 1 hour and 15 minutes.", [("1 hour and 15 minutes", 4500, 4500)]),
        ("Rest 1 1/2 hours, then 5-6 min more.",
         [("1 1/2 hours", 5400, 5400), ("5-6 min", 300, 360)]),
        ("Chill 1½ hours", [("1½ hours", 5400, 5400)]),
        ("Rest for half an hour.", [("half an hour", 1800, 1800)]),
        ("Cook for five minutes, 30 seconds a side.",
         [("five minutes, 30 seconds", 330, 330)]),
        ("Cook 2 minutes. Stir 30 seconds.", [("2 minutes", 120, 120), ("30 seconds", 30, 30)]),
        ("Use a 9-inch tin at 350 degrees.", []),
        ("Add 2 minced cloves and 3 mints.", []),
        ("0 minutes", []),
    ],
)  # fmt: skip
def test_times_are_found_where_they_stand(text: str, found: list[tuple[str, int, int]]) -> None:
    times = find_times(text)
    assert [(text[one.start : one.end], one.seconds, one.most) for one in times] == found
