"""What a mixture model is made of, and how its probabilities become a trace."""

from __future__ import annotations

from dataclasses import dataclass, field

from npn.network.mixtures.config import MixtureSizes
from npn.runtime import mixtures_signs as signs
from npn.runtime.model_file import ModelVocabulary
from npn.trace import STATE_TYPES


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns a probability into one that means what it says: its logit, scaled and shifted."""

    scale: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Above what probability something is said; `changes` in the order of ENDS, location last."""

    entity: float = 0.5
    changes: tuple[float, ...] = (0.5,) * (len(signs.ENDS) + 1)
    together: float = 0.5


@dataclass(frozen=True, slots=True)
class MixtureSettings:
    """`unaided` is false: files say so since models could average two views of the rules.
    `serving` says how far serving counts as acting on food, 0 to 1. Changes of the types `by_rules`
    are the rules', for what the network selects, and so are "mixtures": people have labelled too
    few of them to learn better (docs/results.md)."""

    unaided: bool = False
    serving: float = 0.0
    by_rules: tuple[str, ...] = ("location", "temperature", "shape", "cleanliness", "mixtures")
    thresholds: Thresholds = field(default_factory=Thresholds)
    attention: Calibration = field(default_factory=Calibration)
    change: Calibration = field(default_factory=Calibration)


@dataclass(frozen=True, slots=True)
class MixtureConfig:
    sizes: MixtureSizes
    settings: MixtureSettings = field(default_factory=MixtureSettings)


def sizes_for(words: int) -> MixtureSizes:
    """The sizes of a network for a vocabulary of so many words."""
    return MixtureSizes(
        words,
        signs.MARKS,
        len(signs.SIGNS),
        len(signs.STEP_SIGNS),
        len(signs.PLACE_SIGNS),
        len(signs.PLACE_PAIR_SIGNS),
        tuple(1 + len(ends) for ends in signs.ENDS.values()),
    )


def vocabulary_of(words: tuple[str, ...]) -> ModelVocabulary:
    """What a model file says of a network that knows words and end states by name; its entities
    and actions are open, and a location is any place named."""
    return ModelVocabulary(words, (), (), {type: signs.ENDS.get(type, ()) for type in STATE_TYPES})
