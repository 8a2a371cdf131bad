"""What lies together after each step, and where: from scores to piles.

Two portions lie in one pile where their scores speak for it on average over both piles. What a step
does not act on stays as it was. A mixture that was divided lies in several piles. A pile lies where
its portions are said to lie and where the step can have moved it. It has the name that the text
calls it by.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.language.words import lemma, words_of
from npn.networks.world.config import WorldSettings
from npn.networks.world.features import Grammar, Product
from npn.networks.world.given import Given
from npn.networks.world.prediction import Floats, PortionPrediction, PortionTable, logit
from npn.networks.world.reading import WorldInput
from npn.recipe import Recipe
from npn.rules.grammar import WORDS
from npn.rules.grammar.references import PRODUCTS
from npn.trace import APPLIANCES

CERTAIN = 50.0  # a score that nothing outweighs
# How much the chance of a move counts beside that of a place, and the least that it counts as.
MOVE_WEIGHT, LEAST_MOVE = 1.5, 0.02  # chosen on folds


@dataclass(frozen=True, slots=True)
class PlacedPile:
    """Portions, by number, that lie together, and where."""

    of: tuple[int, ...]
    place: str | None


def choose_piles(
    one: WorldInput,
    acts: NDArray[np.bool_],
    location: Floats,
    portions: PortionTable,
    predicted: PortionPrediction,
    settings: WorldSettings,
    given: Given,
) -> tuple[tuple[PlacedPile, ...], ...]:
    """The piles after every step. `location` [S, I, 1 + C] is the chance of each ingredient to
    stay where it is, and to be moved to every place word."""
    count = len(portions.line)
    together = np.zeros((count, count), bool)
    lies_about = np.zeros(count, bool)
    places: dict[tuple[int, ...], str | None] = {}
    found: list[tuple[PlacedPile, ...]] = []
    before: tuple[PlacedPile, ...] = ()
    for s in range(one.steps):
        taken = portions.step == s
        given.leave_piles(s, acts, together)
        acted = _touched(acts[s, portions.line] & (portions.step <= s), portions, s, together)
        lies_about = np.where(
            acted, predicted.present[s] > logit(settings.present_threshold), lies_about
        )
        lies_about |= taken & (predicted.present[s] > -2.0)
        lies_about = given.present(s, lies_about)
        scores = _pair_scores(predicted.together[s], together, acted, settings)
        scores = given.pair_scores(s, scores, acted)
        was_divided = np.isin(np.arange(count), in_several(before))
        best = _best_of_each(_blocks(scores, taken, before), predicted.divided[s])
        parted = best > logit(settings.divided_threshold)
        divided = given.divided(s, np.where(acted, parted, was_divided), was_divided)
        groups = gather(scores, lies_about, divided)
        together = np.zeros_like(together)
        for group in groups:
            together[np.ix_(group, group)] = True
        portion_moves = np.where(acted[:, None], location[s, portions.line], np.nan)
        places = {
            group: given.place(
                s,
                group,
                places[group]
                if group in places and not acted[list(group)].any()
                else _place_of(
                    one, group, predicted.place[s], portion_moves, divided, groups, places
                ),
            )
            for group in groups
        }
        before = tuple(PlacedPile(group, places[group]) for group in groups)
        found.append(before)
    return tuple(found)


def _touched(
    acted: NDArray[np.bool_], portions: PortionTable, step: int, together: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The portions that a step acts on, of those whose ingredients it acts on. Of an ingredient in
    several portions it means those that it takes, and those that lie with other food that it acts
    on: who grills the fish does not touch the oil in the salad. Where there are none, it means all
    of them."""
    taken = portions.step == step
    so_far = portions.line[portions.step <= step]
    alone = np.bincount(so_far, minlength=portions.line.max() + 1)[portions.line] < 2
    with_others = (together & (acted & alone)).any(1)
    meant: NDArray[np.bool_] = acted & (alone | taken | with_others)
    return meant | (acted & ~np.isin(portions.line, portions.line[meant]))


def _pair_scores(
    scores: Floats, together: NDArray[np.bool_], acted: NDArray[np.bool_], settings: WorldSettings
) -> Floats:
    """Scores above zero speak for one pile. Those who were together need less to stay so, and two
    that the step does not touch stay as they were."""
    kept, joined = logit(settings.kept_together), logit(settings.together_threshold)
    scores = scores - np.where(together, kept, joined).astype(np.float32)
    untouched = ~(acted[:, None] | acted[None, :])
    certain = np.where(together, CERTAIN, -CERTAIN).astype(np.float32)
    return np.where(untouched, certain, scores)


def gather(
    scores: Floats, lies_about: NDArray[np.bool_], divided: NDArray[np.bool_]
) -> list[tuple[int, ...]]:
    """The piles of what lies about. A mixture that was divided is part of every pile that it went
    into, and is a pile of its own, which comes first, if it went into fewer than two."""
    whole, parts = np.flatnonzero(lies_about & ~divided), np.flatnonzero(lies_about & divided)
    piles = [list(whole[group]) for group in cluster(scores[np.ix_(whole, whole)])]
    rests = []
    for block in (list(parts[group]) for group in cluster(scores[np.ix_(parts, parts)])):
        homes = [pile for pile in piles if scores[np.ix_(block, pile)].mean() > 0]
        for pile in homes:
            pile += block
        if len(homes) < 2:
            rests.append(block)
    return [tuple(map(int, sorted(pile))) for pile in rests + piles]


def _blocks(
    scores: Floats, taken: NDArray[np.bool_], before: Sequence[PlacedPile]
) -> list[list[int]]:
    """The portions that a step can only divide as one: those that were in the same piles before
    it, and those that it takes and puts together."""
    homes: dict[int, tuple[int, ...]] = {}
    for n, pile in enumerate(before):
        for e in pile.of:
            homes[e] = (*homes.get(e, ()), n)
    blocks: dict[tuple[int, ...], list[int]] = {}
    for e, piles in homes.items():
        blocks.setdefault(piles, []).append(e)
    new = np.flatnonzero(taken)
    return [*blocks.values(), *([*new[group]] for group in cluster(scores[np.ix_(new, new)]))]


def _best_of_each(blocks: Sequence[Sequence[int]], scores: Floats) -> Floats:
    """The scores, each the best of its block."""
    scores = scores.copy()
    for block in blocks:
        scores[list(block)] = scores[list(block)].max()
    return scores


def _place_of(
    one: WorldInput,
    group: tuple[int, ...],
    chances: Floats,
    moves: Floats,
    divided: NDArray[np.bool_],
    groups: Sequence[tuple[int, ...]],
    before: Mapping[tuple[int, ...], str | None],
) -> str | None:
    """The place of a pile: what is left of a mixture stays where the mixture was, and a pile that
    part of it went into lies where its other members do. `moves` [E, 1 + C] are not a number for
    portions that the step does not act on."""
    if any(set(group) < set(other) for other in groups):
        homes = [old for old in before if set(group) <= set(old)]
        if homes:
            return before[min(homes, key=len)]
    members = [e for e in group if not divided[e]] or list(group)
    lies = by_name(one, chances[members])
    acted = [e for e in members if not np.isnan(moves[e, 0])]
    if not acted:
        return max(lies, key=lambda name: lies[name])
    moved = by_name(one, moves[acted])
    stays = sum(moved.pop(name, 0.0) for name in (None, *APPLIANCES))
    last = {place for old, place in before.items() if set(old) & set(members)} or {None}

    def score(name: str | None) -> float:
        move = moved.get(name, 0.0) + (stays / len(last) if name in last else 0.0)
        return math.log(lies[name] + 1e-4) + MOVE_WEIGHT * math.log(move + LEAST_MOVE)

    return max(lies, key=score)


def cluster(scores: Floats) -> list[list[int]]:
    """Groups by average linkage: the two groups that score best with each other, on average over
    their pairs, are joined as long as that is above zero."""
    groups = {k: [k] for k in range(len(scores))}
    between = scores.astype(np.float64)  # sums over pairs of two groups, each at its first member
    np.fill_diagonal(between, -np.inf)
    mean = between.copy()
    sizes = np.ones(len(scores))
    while len(groups) > 1:
        a, b = sorted(divmod(int(mean.argmax()), len(scores)))
        if max(mean[a, b], mean[b, a]) <= 0:
            break
        groups[a] = sorted(groups[a] + groups.pop(b))
        sizes[a] += sizes[b]
        between[a] += between[b]
        between[:, a] += between[:, b]
        between[a, a] = between[b] = between[:, b] = -np.inf
        mean[a], mean[:, a] = between[a] / (sizes[a] * sizes), between[:, a] / (sizes[a] * sizes)
        mean[b] = mean[:, b] = -np.inf
    return list(groups.values())


def by_name(one: WorldInput, chances: Floats) -> dict[str | None, float]:
    """The mean chance of every place, and at None that of no place. `chances` [E, 1 + C] has a
    column for none and for every place word, and a place may be named by several words."""
    mean = chances.mean(0)
    found: dict[str | None, float] = {None: float(mean[0])}
    for name, chance in zip(one.place_names, mean[1:], strict=True):
        found[name] = found.get(name, 0.0) + float(chance)
    return found


def in_several(piles: Sequence[PlacedPile]) -> list[int]:
    """The portions that lie in several piles."""
    times = Counter(e for pile in piles for e in pile.of)
    return [e for e, homes in times.items() if homes > 1]


# -- What the text calls the piles.

Names = dict[frozenset[int], str]  # of piles, by the numbers of their portions
NO_NAMES = frozenset({"", "it", "all", "dry", "wet", "mixture", "ingredient", "combination"})
RAW = frozenset({"dough", "batter", "marinade", "rub", "paste", "brine", "slurry"})
HEADING = re.compile(r"^(?:(?:for|to make|make|prepare) )?(?:the |your |an? )?")
MOST_WORDS = 4  # of a heading that is a name
NUMERAL = re.compile(r"[ivx]+|#?[0-9]+")  # "Cookies II"
DISHES = (PRODUCTS - words_of(WORDS["shapes"]) - NO_NAMES - RAW - {"dish"}) | words_of(
    WORDS["dishes"]
)


def name_piles(
    recipe: Recipe,
    grammar: Grammar,
    acts: NDArray[np.bool_],
    portions: PortionTable,
    piles: Sequence[Sequence[PlacedPile]],
    cooked: Sequence[Set[int]],
    given: Sequence[Names],
) -> list[Names]:
    """What each pile of several ingredients is called after each step. `cooked` are the ingredients
    that each step cooks, and `given` are names that corrections give.

    A noun of a step ("dough") names the one pile that the step acts on. The pile keeps the name
    while single things are added to it, but not when it becomes part of another dish, and what was
    a dough or a marinade is none once it is cooked. All that is put together under a heading is
    what the heading says ("For the meat sauce"). A pile that is called something only later ("let
    the batter rest") was that before. What most of the recipe ends in has the noun of the
    title ("Sunday Pancakes")."""
    large = [[frozenset(pile.of) for pile in step if len(pile.of) > 1] for step in piles]
    found: list[Names] = []
    for s, step in enumerate(large):
        products = [one for one in grammar.products if one.step == s]
        earlier = large[s - 1] if s else []
        names = found[-1] if found else {}  # those before this step, which may tell more of them
        acted = [pile for pile in step if acts[s, portions.line[list(pile)]].any()]
        handled = [pile for pile in earlier if acts[s, portions.line[list(pile)]].any()]
        names |= _names_before(products, earlier, handled, portions) | names
        moved = {one.noun for one in products if one.moved}
        kept = {pile: name for pile in step for name in _kept(pile, names, earlier, moved)}
        made = {one.noun for one in products if one.is_made} - NO_NAMES
        if len(made) == 1 and len(acted) == 1 and not _is_one_of_several(made, names, acted[0]):
            kept[acted[0]] = made.pop()
        for pile in acted:
            if kept.get(pile) in RAW and set(portions.line[list(pile)]) <= cooked[s]:
                del kept[pile]
        if len(acted) == 1 and (name := _made_under(recipe, s, portions.step[list(acted[0])])):
            kept.setdefault(acted[0], name)
        found.append(kept | given[s])
    for s in range(len(found) - 2, -1, -1):
        for pile in large[s]:
            if pile in found[s + 1] and pile not in given[s + 1]:
                found[s].setdefault(pile, found[s + 1][pile])
    if dish := _dish(recipe.title):
        _name_dish(dish, found, large, len(portions.line))
    return [names | fixed for names, fixed in zip(found, given, strict=True)]


def _name_dish(
    dish: str, found: Sequence[Names], large: Sequence[Sequence[frozenset[int]]], portions: int
) -> None:
    """Give what most of the recipe ends in the noun of the title, and also what it is made of, back
    to where the text calls that something else: what was fried are pancakes, before that batter."""
    pile: frozenset[int] | None = None
    for names, piles in zip(reversed(found), reversed(large), strict=True):
        main = [one for one in piles if 2 * len(one) > portions and (pile is None or one <= pile)]
        if len(main) != 1 or (pile is not None and main[0] in names):
            return
        pile = main[0]
        names[pile] = dish


def _names_before(
    products: Sequence[Product],
    earlier: Sequence[frozenset[int]],
    handled: Sequence[frozenset[int]],
    portions: PortionTable,
) -> Names:
    """What a step calls piles that it finds: "the egg mixture" is the one with the egg, and what is
    poured over the fish is "the sauce" if it is the one mixture that the step handles."""
    found: Names = {}
    for one in products:
        if one.ingredient is not None:
            holding = [pile for pile in earlier if one.ingredient in portions.line[list(pile)]]
        else:
            holding = list(handled) if one.moved and not one.part else []
        if len(holding) == 1 and one.noun not in NO_NAMES:
            found.setdefault(holding[0], one.noun)
    return found


def _kept(
    pile: frozenset[int], names: Names, earlier: Sequence[frozenset[int]], moved: Set[str]
) -> Iterator[str]:
    """The name that a pile keeps: that of the one mixture in it, unless that went to other food; an
    "egg mixture" is none with anything else in it."""
    parts = [old for old in earlier if old <= pile]
    name = names.get(parts[0]) if len(parts) == 1 else None
    if name and (parts[0] == pile or not (name in moved or name.endswith(" mixture"))):
        yield name


def _is_one_of_several(made: Set[str], names: Names, pile: frozenset[int]) -> bool:
    """Whether a noun means one of several mixtures in a pile: a lasagne is not "the sauce"."""
    parts = [name for old, name in names.items() if old < pile]
    return len(parts) > 1 and any(name.split()[-1] in made for name in parts if name)


def _made_under(recipe: Recipe, s: int, taken: NDArray[np.int64]) -> str | None:
    """What the heading of a step says is made under it, if all of a pile was taken there, by the
    steps `taken`."""
    heading = recipe.section_of(s)
    if not heading or any(recipe.section_of(step) != heading for step in set(map(int, taken))):
        return None
    words = HEADING.sub("", heading.lower()).rstrip(": ").split()
    made = 0 < len(words) <= MOST_WORDS and lemma(words[-1]) in DISHES
    return " ".join(words) if made else None


def _dish(title: str) -> str | None:
    """The noun with which a title names a dish: "pancakes" in "Sunday Pancakes with Berries"."""
    words = re.split(r" with | in | from | for |[(,:]", title.lower())[0].split()
    last = next((word for word in reversed(words) if not NUMERAL.fullmatch(word)), "")
    return last if lemma(last) in DISHES else None
