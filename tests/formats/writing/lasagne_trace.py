"""The lasagne of examples/lasagne.txt, tracked by hand: 22 ingredients, two of them divided."""

from __future__ import annotations

from pathlib import Path

from npn.language.parsed_lines import parse_line
from npn.recipe import Amount, Ingredient, Yield
from npn.trace import Pile, Portion, StateChange, StepTrace, Trace, Use

EXAMPLE = Path(__file__).parents[3] / "examples" / "lasagne.txt"
OIL, MOZZARELLA = 0, 20
SAUCE, WHITE = tuple(range(11)), (12, 13, 14, 15)
FILLING = (16, 17, 18, MOZZARELLA)
SECTIONS = {0: "For the meat sauce", 5: "For the white sauce", 7: "To assemble"}


def _lines() -> list[Ingredient]:
    """The lines of the list, under their headings."""
    text = EXAMPLE.read_text(encoding="utf-8")
    told, section = [], None
    for line in text.split("Ingredients")[1].split("Directions")[0].splitlines():
        if line.startswith("For the"):
            section = line
        elif line.strip():
            parsed = parse_line(line)
            told.append(
                Ingredient(
                    line, parsed.name, {}, section, parsed.food, parsed.amount, parsed.optional
                )
            )
    return told


def _steps() -> list[str]:
    text = EXAMPLE.read_text(encoding="utf-8").split("Directions")[1]
    return [line.split(". ", 1)[1] for line in text.splitlines() if line[:1].isdigit()]


def _pile(place: str, name: str | None, *of: int | Portion) -> Pile:
    return Pile(
        tuple(sorted(one if isinstance(one, Portion) else Portion(one) for one in of)), place, name
    )


SPOON = Amount(2, unit="tablespoon")
SHEETS = _pile("pan", "sheets", 19, Portion(OIL, 1))
RICOTTA = _pile("bowl", "ricotta mixture", *FILLING)
MEAT, CREAM = _pile("pot", "meat sauce", *SAUCE), _pile("saucepan", "white sauce", *WHITE)
LEAF = _pile("bin", None, 11)
DISH: tuple[int | Portion, ...] = (*SAUCE, Portion(OIL, 1), *WHITE, *FILLING, 19)
TOPPED: tuple[int | Portion, ...] = (*DISH, 21, Portion(MOZZARELLA, 1))
BAKED = _pile("baking dish", "lasagne", *TOPPED)

TAKES: list[list[Use]] = [
    [Use(OIL, 2 / 3, SPOON, "2 tablespoons of the olive oil"), Use(1), Use(2), Use(3)],
    [Use(4)],
    [Use(5), Use(6)],
    [Use(7)],
    [Use(8), Use(9), Use(10), Use(11)],
    [Use(12), Use(13)],
    [Use(14), Use(15)],
    [Use(19), Use(OIL, 1 / 3, Amount(1, unit="tablespoon"), "the remaining olive oil")],
    [Use(16), Use(17), Use(18), Use(MOZZARELLA, 0.5, None, "half of the mozzarella")],
    [],
    [Use(MOZZARELLA, 0.5, None, "the remaining mozzarella"), Use(21)],
    [],
    [],
]
PILES: list[list[Pile]] = [
    [_pile("pot", None, *range(4))],
    [_pile("pot", None, *range(5))],
    [_pile("pot", None, *range(7))],
    [_pile("pot", None, *range(8))],
    [MEAT, LEAF],
    [MEAT, LEAF, _pile("saucepan", "roux", 12, 13)],
    [MEAT, LEAF, CREAM],
    [MEAT, LEAF, CREAM, SHEETS],
    [MEAT, LEAF, CREAM, SHEETS, RICOTTA],
    [LEAF, _pile("baking dish", None, *DISH)],
    [LEAF, _pile("baking dish", None, *TOPPED)],
    [LEAF, BAKED],
    [LEAF, BAKED],
]
CHANGES: dict[int, list[tuple[str, str]]] = {
    0: [("location", "pot"), ("cookedness", "cooked"), ("temperature", "hot")],
    2: [("cookedness", "cooked")],
    5: [("location", "saucepan"), ("temperature", "hot")],
    6: [("cookedness", "cooked")],
    7: [("location", "pan"), ("cookedness", "cooked")],
    8: [("location", "bowl")],
    9: [("location", "baking dish")],
    11: [("location", "oven"), ("cookedness", "cooked"), ("temperature", "hot")],
}


def _acted_on(number: int) -> tuple[int, ...]:
    """The ingredients of the piles that a step leaves otherwise than it found them."""
    before = PILES[number - 1] if number else []
    piles = [pile for pile in PILES[number] if pile not in before or pile is BAKED]
    return tuple(sorted({i for pile in piles for i in pile.ingredients}))


def _step(number: int, text: str) -> StepTrace:
    who = _acted_on(number)
    return StepTrace(
        text,
        (),
        who,
        tuple(float(i in who) for i in range(22)),
        tuple(StateChange(type, end, 1.0, who) for type, end in CHANGES.get(number, [])),
        tuple(TAKES[number]),
        tuple(PILES[number]),
        SECTIONS[max(first for first in SECTIONS if first <= number)],
    )


LASAGNE = Trace(
    "Lasagne for a Full Table",
    "hand",
    tuple(_lines()),
    tuple(_step(number, text) for number, text in enumerate(_steps())),
    yields=Yield(8),
)
