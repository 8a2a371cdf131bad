"""Questions about a recipe, answered from its trace by a small set of patterns.

"When is the butter used?" "What is in the batter after step 4?" "Where is the beef now?" What is
asked in no way that is known gets `CANNOT`, never a guess."""

from __future__ import annotations

import re
from collections.abc import Callable

from npn.asking import answers
from npn.asking.question import Question, Reply, read_question
from npn.errors import NpnError
from npn.trace import Trace

__all__ = ["CANNOT", "Reply", "ask"]

CANNOT = "That I cannot answer."
LONGEST = 500  # characters of a question


def ask(trace: Trace, text: str, after: int | None = None) -> Reply:
    """The answer to a question. "Now" is after so many steps (`after`), or the end."""
    if after is not None and not 0 <= after <= len(trace.steps):
        raise NpnError(f"there is no step {after}: the recipe has {len(trace.steps)}")
    question = read_question(trace, text[:LONGEST], after)
    if question is None:
        return Reply(CANNOT)
    for pattern, answer in QUESTIONS:
        if pattern.search(question.text):
            reply = answer(question)
            if reply is not None:
                return reply
    return Reply(CANNOT)


QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[Question], Reply | None]], ...] = (
    (re.compile(r"^how long\b"), answers.how_long),
    (re.compile(r"^how (?:much|many)\b"), answers.how_much),
    (re.compile(r"\b(?:not|never|un) ?used\b|\bleft over\b"), answers.unused),
    (re.compile(r"^when\b|^(?:in |at )?(?:which|what) steps?\b.*\b(?:use|add|take|need|go)"),
     answers.when_used),
    (re.compile(r"^where\b"), answers.where),
    (re.compile(r"^what(?: is|'s|’s) (?:now )?(?:in|on|inside|with|mixed)\b"), answers.what_is_in),
    (re.compile(r"^what (?:do|does|is|will|should)\b.*\b(?:need|take|use|reach|add)"),
     answers.needed),
    (re.compile(r"^what (?:happens|is done|do i do)\b"), answers.what_happens),
    (re.compile(r"^(?:is|are)\b"), answers.is_it),
)  # fmt: skip
