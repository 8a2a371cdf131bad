"""The full model, and what each ablation takes away from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from npn.training.mixtures.examples import GOLD_FILES
from npn.training.mixtures.learning import Hiding

FULL, UNTAUGHT, NO_WEB, BY_FIRST_MENTION = "full", "untaught", "no-web", "first-mention"
RULES, FIRST_MENTION, TEACHERS = "rules", "first mention", "teachers"


@dataclass(frozen=True, slots=True)
class Variant:
    """`rules`: sees what the rules hold to be together and decide; `memory`: keeps who is
    together; `matching`: sees which words name whom, and what rests on it; `labels`: who labels
    the corpora (who is acted on, that is; changes are always the rules'); `corpora`: which ones,
    all if empty; `pretrained`: learns from corpora at all; `files`: the gold it learns from."""

    about: str
    rules: bool = True
    memory: bool = True
    matching: bool = True
    labels: str = RULES
    corpora: tuple[str, ...] = ()
    pretrained: bool = True
    files: tuple[str, ...] = GOLD_FILES

    def seen(self, hiding: Hiding) -> Hiding:
        """The hiding, and what this variant never sees."""
        if not self.rules:
            hiding = replace(hiding, structure=1.0, decision=1.0)
        return hiding if self.matching else replace(hiding, matching=True)


VARIANTS = {
    FULL: Variant("all of it", labels=TEACHERS),
    UNTAUGHT: Variant("labels by rules, not by teachers"),
    "no-own-labels": Variant("without our own labels", files=GOLD_FILES[:3]),
    "no-corpora": Variant("gold labels alone, without the corpora", pretrained=False),
    NO_WEB: Variant("Meal-Master alone, without the web corpus", corpora=("mealmaster",)),
    BY_FIRST_MENTION: Variant("labels by first mention, not by rules", labels=FIRST_MENTION),
    "no-rules": Variant("not seeing the rules", rules=False),
    "no-memory": Variant("not seeing the rules, no composition memory", rules=False, memory=False),
    "no-matching": Variant("not seeing the rules, no open matching", rules=False, matching=False),
}
