"""Lines of every kind with hand-written answers: amount, remarks, food, and whether optional."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from npn.language.parsed_lines import parse_line
from npn.recipe import Amount

LINES = Path(__file__).with_name("amount_lines.jsonl")
RIGHT_AT_LEAST = 0.97


def same_number(found: float | None, wanted: float | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return abs(found - wanted) < 0.001


def same_amount(found: Amount | None, wanted: Mapping[str, Any] | None) -> bool:
    if found is None or wanted is None:
        return found is None and wanted is None
    return (
        same_number(found.quantity, wanted.get("quantity"))
        and same_number(found.most, wanted.get("most"))
        and found.unit == wanted.get("unit")
        and found.note == wanted.get("note")
        and same_amount(found.package, wanted.get("package"))
        and same_amount(found.plus, wanted.get("plus"))
    )


def is_right(answer: Mapping[str, Any]) -> bool:
    parsed = parse_line(answer["text"])
    return (
        same_amount(parsed.amount, answer)
        and parsed.food == answer["food"]
        and parsed.optional == answer.get("optional", False)
    )


def test_lines_with_answers_written_by_hand_are_parsed_right() -> None:
    answers = [json.loads(line) for line in LINES.read_text("utf-8").splitlines()]
    wrong = [answer["text"] for answer in answers if not is_right(answer)]
    share = 1 - len(wrong) / len(answers)
    report = "\n".join([f"{share:.1%} of {len(answers)} lines", *map(str, map(parse_line, wrong))])
    assert len(answers) >= 300
    assert share >= RIGHT_AT_LEAST, report
