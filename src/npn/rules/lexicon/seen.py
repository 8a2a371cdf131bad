"""How the network sees each action on the corpora, beside what the lexicon says of it.

The counts lie in seen.json, which `experiments/actions_seen.py` writes; examples.toml has a
sentence of our own for the commonest actions, in which the action does what it does most often.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ENOUGH = 5  # steps with no other action, to say how often each end state follows


@dataclass(frozen=True, slots=True)
class SeenAction:
    """An action on the corpora: the `steps` and `recipes` that have it, of `of_recipes` that were
    tracked. `ends` has, by type, in how many of the `alone` steps, which have no other action,
    something comes to an end state, the commonest first; rare ones are left out."""

    steps: int
    recipes: int
    of_recipes: int
    alone: int
    ends: Mapping[str, Mapping[str, int]]
    example: str | None = None

    def shares(self) -> dict[str, dict[str, float]]:
        """Of the steps that have no other action, the share in which each end state follows;
        nothing where there are too few of them to say."""
        if self.alone < ENOUGH:
            return {}
        return {
            type: {end: count / self.alone for end, count in ends.items()}
            for type, ends in self.ends.items()
        }


@cache
def load_seen() -> Mapping[str, SeenAction]:
    """The actions that the corpora have, by their names in the lexicon of cooking."""
    data = json.loads((HERE / "seen.json").read_text(encoding="utf-8"))
    examples = load_examples()
    return {
        name: SeenAction(of_recipes=data["recipes"], example=examples.get(name), **counts)
        for name, counts in data["actions"].items()
    }


def load_examples() -> Mapping[str, str]:
    """A sentence for each of the commonest actions."""
    examples: dict[str, str] = tomllib.loads((HERE / "examples.toml").read_text(encoding="utf-8"))
    return examples


def describe_seen(seen: SeenAction) -> str:
    """How the network sees an action, for a person to read."""
    lines = [
        f"  as the network sees it: in {_number(seen.steps, 'step')} of "
        f"{_number(seen.recipes, 'recipe')}, of {seen.of_recipes:,}"
    ]
    shares = seen.shares()
    width = max(map(len, shares), default=0)
    if seen.alone >= ENOUGH:
        rest = "" if shares else " no end state three times"
        lines.append(f"  after {_number(seen.alone, 'step')} that have no other action:{rest}")
    for type, ends in shares.items():
        listed = ", ".join(f"{end} {share:.0%}" for end, share in ends.items() if share >= 0.01)
        if listed:
            lines.append(f"    {type:<{width}}  {listed}")
    if seen.example:
        lines.append(f"  for example: {seen.example}")
    return "\n".join(lines)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("s" if count != 1 else "")
