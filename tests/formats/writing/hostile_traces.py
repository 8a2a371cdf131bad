"""A trace every text of which would like to be markup."""

from __future__ import annotations

from npn.recipe import Amount, Ingredient
from npn.trace import Pile, Portion, SelectedAction, StateChange, StepTrace, Trace, Use

TEXT = (
    "</title></script><script>alert(1)</script><img src=x onerror=alert(2)> \"q\" 'q' `b` &lt; ]]> "
    "--> %%{init: {}}%% @{x} {{7*7}} #quot; | [x](javascript:1) \\ \u202e \x00 \x1b[31m"
)

HOSTILE = Trace(
    TEXT,
    TEXT,
    (
        Ingredient(TEXT, TEXT, {}, TEXT, TEXT, Amount(1, unit=TEXT, note=TEXT)),
        Ingredient("1 cup <b>milk</b>", "milk", amount=Amount(2, 3, "cup", plus=Amount(1))),
    ),
    (
        StepTrace(
            TEXT,
            (SelectedAction(TEXT, 1.0),),
            (0, 1),
            (1.0, 1.0),
            (StateChange("location", TEXT, 1.0, (0,)), StateChange("other", TEXT, 1.0, (1,))),
            (Use(0, 0.5, None, TEXT), Use(1)),
            (Pile((Portion(0), Portion(1)), TEXT, TEXT),),
            TEXT,
        ),
    ),
    (TEXT,),
)
EMPTY = Trace("", "", (), ())
