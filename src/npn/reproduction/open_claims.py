"""The three verdicts, and what of the paper no number of ours can judge."""

from __future__ import annotations

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"

# Where in the paper, what, verdict, why.
OUTSIDE = (
    (
        *("3.1, tables 1 and 7", "the lexicon of actions, their types and end states"),
        *(
            HOLDS,
            "`npn lexicon show` prints the seven of table 1 (chill: refrigerator too)",
        ),
    ),
    (
        *("5.1, table 3", "examples of good and bad selections"),
        *(OPEN, "examples prove nothing; ours stand in the tracking report"),
    ),
    (
        *("5.2, table 6", "examples of generated steps"),
        *(OPEN, "the same; ours for the same three contexts stand in the generation report"),
    ),
    (
        *("4.1, table 2", "the printed state change F1 and accuracy themselves"),
        *(OPEN, "its gold for end states is not public"),
    ),
    (
        *("4.2, table 5", "the printed ROUGE-L of 33 to 36"),
        *(
            OPEN,
            "no variant is named; marks and an end token explain the scale (docs/generation.md)",
        ),
    ),
    (
        *("abstract", "more interpretable internal representations"),
        *(OPEN, "table 4 and figure 3 are what can be measured of it"),
    ),
)
