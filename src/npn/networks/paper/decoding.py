"""From a network's numbers to a trace: what is selected, what changes for whom, who is together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.files import ModelVocabulary
from npn.recipe import Ingredient
from npn.rules.simulation.states import REPEATED
from npn.trace import APPLIANCES, Pile, Portion, SelectedAction, StateChange, StepTrace

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
SELECTED = 0.5
# Types that are reported at every step that causes them; the labeller has each new shape so too.
REPEATED_TYPES = REPEATED | {"shape"}


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """What a network says of T sentences: a weight for each action, attention for each ingredient,
    a probability for each end state of each type. Action 0 and end state 0 are "no change"."""

    actions: Floats  # (T, V)
    attention: Floats  # (T, I)
    end_states: Sequence[Floats]  # (T, C) by type


Actions = tuple[SelectedAction, ...]
EndState = tuple[str, str, float]  # type, end state, probability


# What is selected in one sentence: actions, ingredients, the attention to all of them, end states.
Choice = tuple[Actions, tuple[int, ...], list[float], Sequence[EndState]]


def choose(numbers: StepNumbers, vocabulary: ModelVocabulary) -> list[Choice]:
    """What is selected in each of the sentences."""
    actions = choose_actions(numbers.actions, vocabulary)
    entities, attention = choose_entities(numbers.attention)
    end_states = choose_end_states(numbers.end_states, vocabulary)
    return list(zip(actions, entities, attention, end_states, strict=True))


# All sentences at once, and no number of an array by itself: asking for one is slow.


def choose_actions(weights: Floats, vocabulary: ModelVocabulary) -> list[Actions]:
    """Of weights (N, V)."""
    rows, chosen = np.divmod(np.flatnonzero(weights > SELECTED), weights.shape[-1])
    rows, chosen = rows[chosen > 0], chosen[chosen > 0]
    names = map(vocabulary.actions.__getitem__, chosen.tolist())
    actions = list(map(SelectedAction, names, _round(weights[rows, chosen])))
    return [tuple(actions[row]) for row in _by_row(rows, len(weights))]


def choose_entities(attention: Floats) -> tuple[list[tuple[int, ...]], list[list[float]]]:
    """Of attention (N, I), who is selected; and the attention to all."""
    rows, chosen = (attention > SELECTED).nonzero()
    numbers = chosen.tolist()
    entities = [tuple(numbers[row]) for row in _by_row(rows, len(attention))]
    # Rounded, a selected one still has more than one half, and no other.
    least = np.where(attention > SELECTED, SELECTED + 1e-4, 0.0)
    most = np.where(attention > SELECTED, 1.0, SELECTED)
    return entities, _round(np.clip(attention, least, most))


def choose_end_states(
    chances: Sequence[Floats], vocabulary: ModelVocabulary
) -> list[list[EndState]]:
    """Of probabilities (N, C) by type."""
    end_states: list[list[EndState]] = [[] for _ in chances[0]]
    for (type, ends), of_type in zip(vocabulary.end_states.items(), chances, strict=True):
        best = of_type.argmax(axis=-1)
        changing = best.nonzero()[0]
        if not len(changing):
            continue
        best = best[changing]
        found = zip(changing.tolist(), best.tolist(), _round(of_type[changing, best]), strict=True)
        for row, end, chance in found:
            end_states[row].append((type, ends[end], chance))
    return end_states


def _by_row(rows: Ids, count: int) -> Iterator[slice]:
    """For each of `count` rows, where it stands in `rows`, which are in order."""
    ends = np.bincount(rows, minlength=count).cumsum().tolist()
    return map(slice, [0, *ends], ends)


def _round(x: Floats) -> list:  # type: ignore[type-arg]  # of lists, as deep as the array
    rounded: list = x.astype(np.float64).round(4).tolist()  # type: ignore[type-arg]
    return rounded


class Decoder:
    """Walks along with a recipe: a change is one only where it makes a difference. Whatever is
    acted on by itself is no longer with the rest of what it was in."""

    def __init__(self, vocabulary: ModelVocabulary, ingredients: Sequence[Ingredient]) -> None:
        self._vocabulary = vocabulary
        self._count = len(ingredients)
        self._states: dict[str, dict[int, str]] = defaultdict(dict)  # by type, and ingredient
        for i, one in enumerate(ingredients):
            for type, end_state in one.state.items():
                self._states[type][i] = end_state
        self._groups: tuple[tuple[int, ...], ...] = ()  # of all that has been acted on
        self._vessels: dict[int, str] = {}  # the last moved stand last

    def copy(self) -> Decoder:
        other = Decoder(self._vocabulary, ())
        other._count = self._count
        for type, known in self._states.items():
            other._states[type] = dict(known)
        other._groups = self._groups
        other._vessels = dict(self._vessels)
        return other

    def trace_step(self, sentence: str, choice: Choice) -> StepTrace:
        """The trace of one sentence, of which all is chosen."""
        actions, entities, attention, end_states = choice
        changes: tuple[StateChange, ...] = ()
        if entities:
            composed = any(end_state == "composed" for _, end_state, _ in end_states)
            self._group(entities, composed)
            changes = self._change(entities, end_states)
        if len(attention) > self._count:  # padding
            attention = attention[: self._count]
        piles = tuple([self._pile(group) for group in self._groups])
        return StepTrace(sentence, actions, entities, tuple(attention), changes, (), piles)

    def _change(
        self, entities: tuple[int, ...], end_states: Sequence[EndState]
    ) -> tuple[StateChange, ...]:
        changes = []
        for type, end_state, chance in end_states:
            who = entities
            if type not in REPEATED_TYPES:
                known = self._states[type]
                who = tuple([i for i in entities if known.get(i) != end_state])
                if not who:
                    continue
                for i in who:
                    known[i] = end_state
            changes.append(StateChange(type, end_state, chance, who))
            if type == "location" and end_state not in APPLIANCES:
                for i in who:
                    self._vessels.pop(i, None)
                    self._vessels[i] = end_state
        return tuple(changes)

    def _group(self, entities: Sequence[int], composed: bool) -> None:
        """Part those acted on from the rest; if they are `composed`, they are together."""
        acted = set(entities)
        apart = [tuple([i for i in group if i not in acted]) for group in self._groups]
        if composed:
            mine = [tuple(sorted(acted))]
        else:
            mine = [tuple([i for i in group if i in acted]) for group in self._groups]
            held = {i for group in mine for i in group}
            mine += [(i,) for i in acted - held]
        self._groups = tuple(sorted([group for group in [*apart, *mine] if group]))

    def _pile(self, group: tuple[int, ...]) -> Pile:
        """The place is the last vessel that any of the group was moved to."""
        places = [place for i, place in self._vessels.items() if i in group]
        return Pile(tuple(map(Portion, group)), places[-1] if places else None)


class RawDecoder(Decoder):
    """Says what the network predicts and no less, as the paper scores it: every end state that a
    predictor puts first is a change of the step, whether or not it selects anyone or changes
    anything. It keeps no piles."""

    def trace_step(self, sentence: str, choice: Choice) -> StepTrace:
        actions, entities, attention, end_states = choice
        changes = tuple([StateChange(*end_state, entities) for end_state in end_states])
        return StepTrace(sentence, actions, entities, tuple(attention[: self._count]), changes)
