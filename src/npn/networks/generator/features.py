"""What a trace says of each ingredient, as small numbers, for the generator that reads them.

Eight columns: the six states; whether the ingredient was touched (never, before, in the last step);
whether it is part of a mixture (no, yes, of one that the last step touched).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.trace import StepTrace

UNTOUCHED, TOUCHED, LAST_TOUCHED = range(3)
ALONE, MIXED, LAST_MIXED = range(3)


@dataclass(frozen=True, slots=True)
class FeatureNames:
    """The numbers of the end states of each type, in the order of the columns. 0 is for what is
    not known, and for a state that has no number."""

    end_states: Mapping[str, Mapping[str, int]]

    @staticmethod
    def of(end_states: Mapping[str, Sequence[str]]) -> FeatureNames:
        """From lists of names, the first of each being "no change"."""
        return FeatureNames(
            {
                type: {name: i for i, name in enumerate(names) if i}
                for type, names in end_states.items()
            }
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each column has."""
        return (*(len(names) + 1 for names in self.end_states.values()), 3, 3)

    def tables(
        self, first_states: Sequence[Mapping[str, str]], steps: Sequence[StepTrace]
    ) -> NDArray[np.uint16]:
        """(T + 1, I, 8): before the first step, and after each. `first_states` is what the lines of
        the ingredients say of them."""
        types = {type: column for column, type in enumerate(self.end_states)}
        table = np.zeros((len(first_states), len(types) + 2), np.uint16)
        use, mixture = len(types), len(types) + 1
        for i, state in enumerate(first_states):
            for type, name in state.items():
                table[i, types[type]] = self.end_states[type].get(name, 0)
        tables = [table]
        for step in steps:
            table = table.copy()
            for change in step.changes:
                number = self.end_states[change.type].get(change.end_state, 0)
                table[list(change.ingredients), types[change.type]] = number
            table[table[:, use] == LAST_TOUCHED, use] = TOUCHED
            table[list(step.entities), use] = LAST_TOUCHED
            table[:, mixture] = ALONE
            for together in step.mixtures:
                touched = any(i in step.entities for i in together)
                table[list(together), mixture] = LAST_MIXED if touched else MIXED
            tables.append(table)
        return np.stack(tables)
