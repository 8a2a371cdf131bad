"""How sure the world network was of a decision, and what decoding did beyond its probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from npn.networks.world.config import WorldSettings
from npn.networks.world.telling import WorldReading
from npn.rules.explanation import Decision


def with_chances(
    decisions: Iterable[Decision], reading: WorldReading, settings: WorldSettings
) -> Iterator[Decision]:
    """The decisions with the network's own probabilities: of taking the ingredient for a use, of
    acting on it otherwise. Where a decision goes against its probability, a remark says why."""
    for one in decisions:
        if one.use is not None:
            chance = 1.0 - float(reading.steps.use[one.step, one.ingredient, 0])
            remark = "" if chance > settings.use_threshold else _likeliest(chance)
        else:
            chance = float(reading.steps.act[one.step, one.ingredient])
            remark = "" if chance > settings.act_threshold else _with_its_pile(chance)
        yield replace(one, chance=chance, remark=remark)


def _likeliest(chance: float) -> str:
    """See `choose_portions`: what is acted on is taken somewhere."""
    return (
        f"the network is only {100 * chance:.0f} % sure, but some step must take what is acted on, "
        "and no step is likelier"
    )


def _with_its_pile(chance: float) -> str:
    """See `act_on_piles`: whoever acts on most of a pile acts on all of it."""
    return (
        f"the network is only {100 * chance:.0f} % sure, but most of its pile is acted on, and so "
        "all of it is"
    )
