"""What a generator says after the contexts of a part, kept to be scored and read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from npn.networks.generator.batch import Context
from npn.networks.generator.decoding import Hypothesis, Limits, Stepper, beam, greedy
from npn.training.generator.data import GenerationData, Ids
from npn.training.generator.pairs import Pairs

BEAM = 4
ROWS = 1024  # sentences that are said at a time
Decode = Callable[[Stepper, Context, Limits], list[Hypothesis]]


def limits_of(pairs: Pairs) -> Limits:
    return Limits(pairs.start, pairs.end)


def greedily(stepper: Stepper, context: Context, limits: Limits) -> list[Hypothesis]:
    return greedy(stepper, context, limits)


def by_beam(stepper: Stepper, context: Context, limits: Limits) -> list[Hypothesis]:
    return [chosen[0] for chosen in beam(stepper, context, limits, BEAM)]


DECODINGS: dict[str, tuple[Decode, int]] = {"greedy": (greedily, 1), "beam": (by_beam, BEAM)}


@torch.no_grad()
def generate(
    stepper: Stepper, pairs: Pairs, data: GenerationData, decoding: str, most: int = 0
) -> tuple[list[str], dict[str, Any]]:
    """A sentence for each of the first `most` pairs (0: for all), as tokens with spaces between
    them; and what it took."""
    decode, rows = DECODINGS[decoding]
    count = min(most, len(pairs)) if most else len(pairs)
    order = np.argsort(pairs.lengths[:count], kind="stable")
    sentences = [""] * count
    begun = time.monotonic()
    limits = limits_of(pairs)
    size = ROWS // rows
    for at in range(0, count, size):
        chosen = order[at : at + size]
        context, extra_forms = localise(pairs.context(chosen), pairs)
        for pair, one, forms in zip(
            chosen, decode(stepper, context, limits), extra_forms, strict=True
        ):
            sentences[pair] = " ".join(spell(one.ids, forms, data))
    seconds = time.monotonic() - begun
    return sentences, {
        "decoding": decoding,
        "longest": limits.longest,
        "size": rows,
        "sentences": count,
        "seconds": round(seconds, 2),
    }


def spell(ids: tuple[int, ...], extra_forms: Ids, data: GenerationData) -> Iterator[str]:
    """The words of extended ids, of which those beyond the vocabulary are among `extra_forms`."""
    size = len(data.words) + 2
    for i in ids:
        yield data.forms[i] if i < size else data.forms[extra_forms[i - size] - 2]


def localise(context: Context, pairs: Pairs) -> tuple[Context, list[Ids]]:
    """The same with the forms beyond the vocabulary numbered anew in every context, and these
    forms."""
    size = pairs.end + 1
    forms, names = (ids.cpu().numpy().copy() for ids in (context.forms, context.name_forms))
    extra_forms = []
    for row in range(len(forms)):
        both = np.concatenate([forms[row], names[row]])
        found = np.unique(both[both >= size])
        extra_forms.append(found)
        for ids in (forms[row], names[row]):
            beyond = ids >= size
            ids[beyond] = size + np.searchsorted(found, ids[beyond])
    extra = np.zeros((len(extra_forms), max(map(len, extra_forms))), np.int64)
    for row, found in enumerate(extra_forms):
        extra[row, : len(found)] = pairs.encode(found)
    device = context.words.device
    moved = [torch.from_numpy(array).to(device) for array in (forms, names, extra)]
    return replace(context, forms=moved[0], name_forms=moved[1], extra=moved[2]), extra_forms
