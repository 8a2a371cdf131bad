"""From probabilities to one consistent world.

Uses come first: they say which portions there are. Then, step by step, portions are gathered into
piles, and each pile gets a place. What a step does not act on stays as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.world.config import WorldSettings
from npn.networks.world.features import Column
from npn.networks.world.given import Given, nothing_given
from npn.networks.world.prediction import Floats, PortionPrediction, StepPrediction
from npn.networks.world.reading import WorldInput

CERTAIN = 50.0  # a score that nothing outweighs
PART_COLUMNS = (Column.SHARE, Column.STATED_PART, Column.STATED_REST)
FEW = 3  # members, from which on a pile has a majority
HARDLY = 0.1  # the least chance of a use that may be an ingredient's only one


@dataclass(frozen=True, slots=True)
class PortionTable:
    """The portions in the order in which they are taken: their lines, the steps that take them,
    and whether they are the second that their step takes, each [E]."""

    line: NDArray[np.int64]
    step: NDArray[np.int64]
    second: NDArray[np.int64]

    def number(self, e: int) -> int:
        """Which portion of its ingredient `e` is, from 0."""
        return int((self.line[:e] == self.line[e]).sum())


@dataclass(frozen=True, slots=True)
class PlacedPile:
    """Portions, by number, that lie together, and where."""

    of: tuple[int, ...]
    place: str | None


@dataclass(frozen=True, slots=True)
class DecodedWorld:
    """acts [S, I]; the portions; and the piles after each step."""

    acts: NDArray[np.bool_]
    portions: PortionTable
    piles: tuple[tuple[PlacedPile, ...], ...]


def decode(
    one: WorldInput,
    steps: StepPrediction,
    look_at: Callable[[PortionTable], PortionPrediction],
    settings: WorldSettings,
    given: Given | None = None,
) -> DecodedWorld:
    """The world that the probabilities speak for, and in which what is given holds. `look_at` asks
    the network about portions."""
    portions = choose_portions(one, steps, settings)
    given = given or nothing_given(one, portions.line, portions.step)
    acts = choose_acts(steps, portions, settings)
    if not len(portions.line):
        given.follow_acts(acts)
        return DecodedWorld(acts, portions, ((),) * one.steps)
    predicted = look_at(portions)
    acts |= find_discards(portions, predicted, acts.shape, settings)
    given.follow_acts(acts)
    piles = choose_piles(one, acts, portions, predicted, settings, given)
    return DecodedWorld(act_on_piles(acts, portions, piles, settings, given), portions, piles)


def choose_portions(
    one: WorldInput, steps: StepPrediction, settings: WorldSettings
) -> PortionTable:
    """What each step takes from the list. An ingredient that is acted on is taken somewhere; a
    further portion of it must be likely by itself, and where the step speaks of a part ("the
    remaining oil") likelier, since the part may be one of a mixture."""
    any_use = 1.0 - steps.use[:, :, 0]  # [S, I]
    speaks_of_part = one.pairs[:, :, list(PART_COLUMNS)].any(2)
    further = np.where(
        speaks_of_part, settings.further_part_threshold, settings.further_use_threshold
    )
    count = (any_use > further).astype(np.int64)
    for i in range(count.shape[1]):
        chances = any_use[:, i]
        best = int(chances.argmax())
        acted_on = (steps.act[:, i] > settings.act_threshold).any()
        count[best, i] = chances[best] > (HARDLY if acted_on else settings.use_threshold)
    count[(count > 0) & (steps.use[:, :, 2] > settings.second_portion_threshold)] = 2
    step, line = np.nonzero(count)
    twice = count[step, line] > 1
    second = np.concatenate([np.zeros(len(step), np.int64), np.ones(int(twice.sum()), np.int64)])
    step, line = np.concatenate([step, step[twice]]), np.concatenate([line, line[twice]])
    order = np.lexsort((second, line, step))
    return PortionTable(line[order], step[order], second[order])


def choose_acts(
    steps: StepPrediction, portions: PortionTable, settings: WorldSettings
) -> NDArray[np.bool_]:
    """What each step acts on: nothing before it is taken, and everything that it takes."""
    acts = steps.act > settings.act_threshold
    first = np.full(acts.shape[1], len(acts))
    np.minimum.at(first, portions.line, portions.step)
    acts &= np.arange(len(acts))[:, None] >= first[None, :]
    acts[portions.step, portions.line] = True
    return acts


def find_discards(
    portions: PortionTable,
    predicted: PortionPrediction,
    shape: tuple[int, ...],
    settings: WorldSettings,
) -> NDArray[np.bool_]:
    """What each step throws away ("discard the bay leaf"), [S, I]: portions that lay about before
    it and of which the network is sure that they do not after it. To throw away is to act."""
    discards = np.zeros(shape, bool)
    before, after = predicted.present[:-1], predicted.present[1:]
    later = portions.step[None, :] <= np.arange(len(before))[:, None]
    gone = later & (before > 0.0) & (after < _logit(settings.discard_threshold))
    step, portion = np.nonzero(gone)
    discards[step + 1, portions.line[portion]] = True
    return discards


def act_on_piles(
    acts: NDArray[np.bool_],
    portions: PortionTable,
    piles: tuple[tuple[PlacedPile, ...], ...],
    settings: WorldSettings,
    given: Given,
) -> NDArray[np.bool_]:
    """Whoever acts on most of a pile, adds to it, or acts on several of it without parting them
    from the rest, acts on all of it. What lies in several piles says nothing about which of them is
    acted on."""
    acts = acts.copy()
    earlier: tuple[PlacedPile, ...] = ()
    for s in range(len(acts)):
        divided = [*_in_several(piles[s]), *_in_several(earlier)]
        shared = set(portions.line[divided])
        after = [np.unique(portions.line[list(pile.of)]) for pile in piles[s]]
        before = [
            np.array([i for i in np.unique(portions.line[list(pile.of)]) if i not in shared], int)
            for pile in earlier
        ]
        for members in before:
            if len(members) >= FEW and acts[s, members].mean() > settings.pile_act_threshold:
                acts[s, members] = True
        for pile, members in zip(piles[s], after, strict=True):
            if (portions.step[list(pile.of)] == s).any():
                acts[s, members] = True
        given.finish_acts(s, acts, [pile.of for pile in piles[s]])
        _act_on_the_rest(acts[s], before, after)
        acts[s] &= ~given.left[s]
        earlier = piles[s]
    return acts


def _in_several(piles: Sequence[PlacedPile]) -> list[int]:
    """The portions that lie in several piles."""
    times = Counter(e for pile in piles for e in pile.of)
    return [e for e, homes in times.items() if homes > 1]


def _act_on_the_rest(
    acts: NDArray[np.bool_], before: list[NDArray[np.int64]], after: list[NDArray[np.int64]]
) -> None:
    """Who acts on several of a pile also acts on those that stay with them. Goes over `acts` [I]
    until all is well: an ingredient in two portions may carry an act from pile to pile."""
    count = -1
    while acts.sum() > count:
        count = acts.sum()
        for old in before:
            acted = old[acts[old]]
            for members in after:
                if len(acted) > 1 and np.isin(acted, members).any():
                    acts[np.intersect1d(old, members)] = True


def choose_piles(
    one: WorldInput,
    acts: NDArray[np.bool_],
    portions: PortionTable,
    predicted: PortionPrediction,
    settings: WorldSettings,
    given: Given,
) -> tuple[tuple[PlacedPile, ...], ...]:
    """The piles after every step."""
    count = len(portions.line)
    together = np.zeros((count, count), bool)
    lies_about, divided = np.zeros(count, bool), np.zeros(count, bool)
    places: dict[tuple[int, ...], str | None] = {}
    found: list[tuple[PlacedPile, ...]] = []
    for s in range(one.steps):
        taken = portions.step == s
        given.leave_piles(s, acts, together)
        acted = acts[s, portions.line] & (portions.step <= s)
        lies_about = np.where(
            acted, predicted.present[s] > _logit(settings.present_threshold), lies_about
        )
        lies_about |= taken & (predicted.present[s] > -2.0)
        lies_about = given.present(s, lies_about)
        scores = _pair_scores(predicted.together[s], together, acted, settings)
        scores = given.pair_scores(s, scores, acted)
        blocks = _blocks(scores, taken, found[-1] if found else ())
        parted = _best_of_each(blocks, predicted.divided[s]) > _logit(settings.divided_threshold)
        divided = given.divided(s, np.where(acted, parted, divided), divided)
        groups = gather(scores, lies_about, divided)
        together = np.zeros_like(together)
        for group in groups:
            together[np.ix_(group, group)] = True
        places = {
            group: given.place(
                s,
                group,
                places[group]
                if group in places and not acted[list(group)].any()
                else _place_of(one, group, predicted.place[s], divided, groups, places),
            )
            for group in groups
        }
        found.append(tuple(PlacedPile(group, places[group]) for group in groups))
        divided = np.zeros(count, bool)
        divided[_in_several(found[-1])] = True
    return tuple(found)


def _pair_scores(
    scores: Floats, together: NDArray[np.bool_], acted: NDArray[np.bool_], settings: WorldSettings
) -> Floats:
    """Scores above zero speak for one pile. Those who were together need less to stay so, and two
    that the step does not touch stay as they were."""
    kept, joined = _logit(settings.kept_together), _logit(settings.together_threshold)
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
    divided: NDArray[np.bool_],
    groups: Sequence[tuple[int, ...]],
    before: Mapping[tuple[int, ...], str | None],
) -> str | None:
    """The place of a pile: what is left of a mixture stays where the mixture was, and a pile that
    part of it went into lies where its other members do."""
    if any(set(group) < set(other) for other in groups):
        homes = [old for old in before if set(group) <= set(old)]
        if homes:
            return before[min(homes, key=len)]
    others = [e for e in group if not divided[e]]
    return choose_place(one, chances[others or list(group)])


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


def choose_place(one: WorldInput, chances: Floats) -> str | None:
    """The place of a pile: that of which its portions are surest together. `chances` [E, 1 + C]
    are those of "nowhere" and of every place word."""
    mean = chances.mean(0)
    by_name: dict[str | None, float] = {None: float(mean[0])}
    for name, chance in zip(one.place_names, mean[1:], strict=True):
        by_name[name] = by_name.get(name, 0.0) + float(chance)
    return max(by_name, key=lambda name: by_name[name])


def choose_actions(one: WorldInput, step: int, verbs: Floats) -> dict[str, float]:
    """The actions that a step carries out, in the order of the text, with their probabilities."""
    found: dict[str, float] = {}
    for v in map(int, np.flatnonzero(one.verb_steps == step)):
        if verbs[v] > 0.5:
            name = one.verb_names[v]
            found[name] = max(found.get(name, 0.0), float(verbs[v]))
    return found


def _logit(chance: float) -> Any:
    return np.log(chance / (1.0 - chance))
