"""Which of several ingredients a name means: the list has two sugars, or a chicken and a broth."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.matching import Fit, Mention
from npn.language.names import IngredientNames
from npn.language.words import lemma
from npn.rules.grammar.references import REST
from npn.rules.simulation.scene import Scene

CLASS = int(Fit.CLASS)  # quicker than the member of an enumeration
# Made of something, but not what its bare name means: "chicken" is never the broth.
MADE_OF = frozenset(
    """broth stock soup bouillon powder salt sauce extract juice seed oil flake paste syrup vinegar
    mix seasoning spray cube gravy dressing jelly jam""".split()
)
# Words for a class of food that more often mean what comes of cooking.
LEFT_OVER = frozenset({"liquid", "liquids", "fat", "juice", "juices", "drippings"})
GROUND_PEPPERS = frozenset({"pepper", "black pepper", "white pepper", "salt and pepper"})


def choose(
    mentions: Sequence[Mention],
    words: Sequence[str],
    names: Sequence[IngredientNames],
    scene: Scene,
) -> Sequence[Mention]:
    """The mentions, with one ingredient for each name unless the name means several."""
    # Nobody shares a name.
    if len(mentions) == 1 or len({mention.start for mention in mentions}) == len(mentions):
        if LEFT_OVER.isdisjoint(words):
            return mentions
        return [m for m in mentions if m.fit != CLASS or words[m.start] not in LEFT_OVER]
    at: dict[int, list[Mention]] = {}
    for mention in mentions:
        at.setdefault(mention.start, []).append(mention)
    unused = set(scene.unused())
    chosen: list[Mention] = []
    for several in at.values():
        if several[0].fit == CLASS and words[several[0].start] in LEFT_OVER:
            continue
        if len(several) > 1 and several[0].fit != CLASS:
            several = _one_of(several, words, names, unused)
        chosen += several
        unused -= {mention.ingredient for mention in several}
    return chosen


def _one_of(
    several: list[Mention],
    words: Sequence[str],
    names: Sequence[IngredientNames],
    unused: set[int],
) -> list[Mention]:
    plain = [m for m in several if not all(n.head in MADE_OF for n in names[m.ingredient].names)]
    several = plain or several
    first = several[0]
    if first.amount:
        same_amount = [m for m in several if names[m.ingredient].amount == first.amount]
        if same_amount:
            return same_amount[:1]
    fresh = [m for m in several if m.ingredient in unused]
    if words[first.end : first.end + 1] == ["mixture"] and len(fresh) < len(several):
        return [m for m in several if m.ingredient not in unused][:1]
    before = words[max(0, first.start - 4) : first.start]
    if fresh and not REST.isdisjoint(before):
        return fresh
    word = words[first.end - 1]
    same = len({names[m.ingredient].name for m in several}) == 1
    if word != lemma(word) and not same:  # "sugars", "peppers"
        return several
    if word == "pepper":
        ground = [m for m in several if names[m.ingredient].name in GROUND_PEPPERS]
        several = ground or several
        fresh = [m for m in several if m.ingredient in unused]
    if same:
        return (fresh or several)[:1]
    return several
