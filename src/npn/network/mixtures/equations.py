"""The mathematics of the mixture network, once, for NumPy and PyTorch alike.

The paper's five modules (sentence encoder, action and entity selector, simulation, state
predictors), with open matching in place of entity embeddings, and a memory C of which ingredients
are together. Shapes: B recipes, T sentences, I ingredients, P words, D the size of a word, H of a
pair of sentence and ingredient, E of an entity. In a packed batch (B, T) is (N,) throughout, see
`packed`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from npn.network.equations import Array, Drop, keep, library, relu, sigmoid, softmax
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.packed import PackedBatch, by_time, for_sentences, from_times, shifted
from npn.network.mixtures.tables import OF_WORDS, convolve_near

Parameters: TypeAlias = Mapping[str, Array]
SegmentMax: TypeAlias = Callable[[Array, MixtureBatch], Array]
MEMORY_SIGNS = 6  # what `_recall` tells of an ingredient
GROUP_SIGNS = 9  # what `_group_signs` tells of its mixture
BLOCK = 512  # words


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of every ingredient between two sentences."""

    entities: Array  # e (B, I, E)
    together: Array  # C (B, I, I): how surely two are in one mixture
    size: Array  # (B, I) the sum of each row of C
    used: Array  # (B, I)
    last: Array  # (B, I) attention in the last sentence
    before: Array  # (B, I) and in the one before
    trace: Array  # (B, I) attention, fading
    step: Array  # (B, D) what the last sentence does


@dataclass(frozen=True, slots=True)
class MixtureOutcome:
    """Logits: of the entities' first and final scores (B, T, I), of each type's end states
    (B, T, I, ...), of the places (B, T, I, 1 + K), whose first is "stays". `together` is C after
    each sentence."""

    first: Array
    scores: Array
    attention: Array
    together: Array
    end_states: tuple[Array, ...]
    places: Array
    memory: Memory


def times(x: Array, W: Array) -> Array:
    """W x for every vector of x, in one product: NumPy would make one for every sentence."""
    product = library(x).matmul(x.reshape(-1, x.shape[-1]), W.T)
    return product.reshape(*x.shape[:-1], W.shape[0])


def linear(x: Array, W: Array, b: Array) -> Array:
    product = times(x, W)
    product += b
    return product


def columns(arrays: Sequence[Array]) -> Array:
    """The arrays side by side in a last dimension of their own; those of one column, repeated."""
    if not isinstance(arrays[0], np.ndarray):
        xp = library(arrays[0])
        return xp.stack(xp.broadcast_tensors(*arrays), -1)
    stacked = np.empty((*arrays[0].shape, len(arrays)), arrays[0].dtype)
    for column, array in enumerate(arrays):
        stacked[..., column] = array
    return stacked


def rows(table: Array, index: Array) -> Array:
    """The rows of `table` at `index`; row 0 stands for nothing, and learns nothing. Where many are
    the same, PyTorch's plain indexing has a gradient hundreds of times slower than an embedding."""
    if isinstance(table, np.ndarray):
        return table[index]
    return sys.modules["torch"].nn.functional.embedding(index, table, padding_idx=0)


# -- Sentence encoder


def encode(p: Parameters, batch: MixtureBatch, drop: Drop) -> Array:
    """The words in their contexts (P, D): two convolutions, never below zero, zero where there is
    no word. With `tables`, nothing is dropped from the first."""
    word = batch.sentences > 0
    if OF_WORDS in p:
        near = convolve_near(p, batch)
    else:
        x = _only(word, drop(rows(p["words"], batch.words) + rows(p["marks"], batch.marks)))
        near = _convolve(x, p["encoder.W_near"], p["encoder.b_near"])
    near = _only(word, relu(near))
    far = _only(word, relu(_convolve(near, p["encoder.W_far"], p["encoder.b_far"])))
    return near + far


def _only(word: Array, x: Array) -> Array:
    """x (P, D), which nobody else holds, where there is a `word`; zero elsewhere."""
    if not isinstance(x, np.ndarray):
        return x * word[:, None]
    x[~word] = 0
    return x


def _convolve(x: Array, W: Array, b: Array) -> Array:
    """x (P, D), W (width, D, D'): each word with its neighbours."""
    xp = library(x)
    half = W.shape[0] // 2
    nothing = xp.zeros_like(x[:half])
    wide = xp.concatenate([nothing, x, nothing])
    flat = W.reshape(-1, W.shape[-1])
    if not isinstance(x, np.ndarray):
        parts = [wide[k : k + len(x)] for k in range(W.shape[0])]
        return xp.matmul(xp.concatenate(parts, axis=-1), flat) + b
    result = np.empty((len(x), W.shape[-1]), x.dtype)
    for at in range(0, len(x), BLOCK):  # as many words as a processor keeps at hand
        end = min(at + BLOCK, len(x))
        parts = [wide[at + k : end + k] for k in range(W.shape[0])]
        np.matmul(np.concatenate(parts, axis=-1), flat, out=result[at:end])
    result += b
    return result


def name_vectors(p: Parameters, batch: MixtureBatch) -> Array:
    """(B, I, D): the average of the vectors of the names' words; zero for a name of none."""
    xp = library(p["words"])
    there = (batch.names > 0)[..., None]
    total = (rows(p["words"], batch.names) * there).sum(axis=-2)
    return total / xp.asarray(xp.clip(there.sum(axis=-2), 1, None), dtype=total.dtype)


# -- Action selector: what the sentence does, before anyone is chosen


def step_vectors(p: Parameters, batch: MixtureBatch, summary: Array) -> Array:
    """(B, T, D) from the sentence summaries (N + 1, D) and the step's signs."""
    signs = times(batch.step_signs, p["action.W_signs"])
    serving = for_sentences(batch.serving[:, None] * p["action.w_serving"], batch)
    return relu(linear(rows(summary, batch.rows), p["action.W"], p["action.b"]) + signs + serving)


# -- Entity selector, the part that needs no memory


def sign_products(p: Parameters, batch: MixtureBatch, types: int) -> list[Array]:
    """What the signs (B, T, I, F) give to the query, to the pairs and to the end states of the
    first so many types, in one product."""
    matrices = [p["entity.W_query"], p["entity.W_signs"]]
    return products(batch.signs, matrices + [p[f"states.W_signs_{s}"] for s in range(types)])


def products(x: Array, matrices: Sequence[Array]) -> list[Array]:
    """The products with several matrices, in one."""
    return _parts(times(x, library(x).concatenate(matrices)), matrices)


def _parts(product: Array, matrices: Sequence[Array]) -> list[Array]:
    ends = list(accumulate(len(W) for W in matrices))
    return [product[..., end - len(W) : end] for W, end in zip(matrices, ends, strict=True)]


def pair_vectors(
    p: Parameters,
    batch: MixtureBatch,
    context: Array,
    steps: Array,
    last: Array,
    names: Array,
    signs: Sequence[Array],
    drop: Drop,
) -> Array:
    """(B, T, I, H): what the sentence says of each ingredient. `last` (B, D) is what the sentence
    before the first does; `signs` are the signs' products with the query and with the pairs."""
    xp = library(context)
    W_attended, W_mention, W_verb = (
        p["entity.W_words"][:, k * context.shape[1] : (k + 1) * context.shape[1]] for k in range(3)
    )
    # A word is multiplied once, whoever it is said of.
    matrices = [p["entity.W_key"], W_attended, W_mention, W_verb]
    words, at_keys, near = _spoken(context, batch)
    keys, attended, mentions, verbs = products(drop(words), matrices)
    of_name = times(names, p["entity.W_query_name"]) + p["entity.b_query"]
    query = signs[0] + for_sentences(of_name, batch)
    scores = xp.matmul(query, xp.swapaxes(rows(keys, at_keys), -1, -2))  # (B, T, I, 8)
    scores -= 1e4 * xp.asarray(at_keys == 0, dtype=scores.dtype)[..., None, :]
    before = shifted(last, steps, batch)
    whole = linear(xp.concatenate([steps, before], axis=-1), p["entity.W_step"], p["entity.b"])
    pairs = xp.matmul(softmax(scores), rows(attended, at_keys))
    pairs += signs[1]
    pairs += whole[..., None, :]
    pairs += for_sentences(times(names, p["entity.W_name"]), batch)
    return _add_said(pairs, mentions, verbs, near)


def _spoken(context: Array, batch: MixtureBatch) -> tuple[Array, Array, Array]:
    """The words that keys and mentions stand for, and these as rows of them. PyTorch has one
    product of all words sooner than it finds out which of them are meant."""
    if not isinstance(context, np.ndarray):
        return context, batch.keys, batch.near
    asked = np.zeros(len(context), bool)
    asked[0] = asked[batch.keys] = asked[batch.near] = True
    row = np.cumsum(asked) - 1
    return context[asked], row[batch.keys], row[batch.near]


def _add_said(pairs: Array, mentions: Array, verbs: Array, near: Array) -> Array:
    """Add what is said of those that the sentence names: two mentions and the verb."""
    if not isinstance(pairs, np.ndarray):
        pairs += rows(mentions, near[..., 0])
        pairs += rows(mentions, near[..., 1])
        pairs += rows(verbs, near[..., 2])
        return pairs
    named = near.any(axis=-1)
    first, second, verb = near[named].T
    pairs[named] += mentions[first] + mentions[second] + verbs[verb]
    return pairs


# -- Simulation: the walk through the recipe


def first_memory(p: Parameters, names: Array) -> Memory:
    xp = library(names)
    entities = xp.tanh(linear(names, p["memory.W_name"], p["memory.b_name"]))
    none = xp.zeros_like(names[..., 0])
    together = none[..., None] * none[..., None, :]
    return Memory(entities, together, none, none, none, none, none, xp.zeros_like(names[:, 0]))


def simulate(
    p: Parameters, batch: MixtureBatch, pairs: Array, memory: Memory, drop: Drop
) -> tuple[Array, Array, Array, Array, Array, Memory]:
    """First scores, final scores, attention (B, T, I), hidden vectors (B, T, I, H), C after each
    sentence (B, T, I, I), and the memory after the last; in a packed batch, of those recipes that
    have a last one."""
    xp = library(pairs)
    present = batch.present + xp.zeros_like(memory.used)
    others = present[:, :, None] * present[:, None, :]
    others = others - others * _identity(others)
    named = by_time((batch.near[..., 0] > 0) + xp.zeros_like(pairs[..., 0]), batch)
    under_way = None if isinstance(batch, PackedBatch) else by_time(batch.steps, batch)
    W_known = xp.concatenate([p["memory.W_entity"], p["memory.W_recall"]], axis=1)
    W_second = xp.concatenate(
        [p["entity.W_second"], p["entity.W_mates"], p["entity.W_group"]], axis=1
    )
    walked: list[tuple[Array, ...]] = []
    for t, x in enumerate(by_time(pairs, batch)):
        if len(x) < len(present):
            present, others, memory = present[: len(x)], others[: len(x)], _first(memory, len(x))
        known = xp.concatenate([memory.entities, _recall(memory)], axis=-1)
        h = relu(x + times(known, W_known))
        first = linear(h, p["entity.w_first"], p["entity.b_first"])[..., 0]
        chosen = sigmoid(first) * present
        share = memory.together / (1 + memory.size)[..., None]
        group = _group_signs(memory, chosen, named[t], share)
        seen = xp.concatenate([drop(h), xp.matmul(share, h), group], axis=-1)
        h2 = relu(linear(seen, W_second, p["entity.b_second"]))
        gates, k = _decide(p, h2, drop)
        score = gates[..., 0] + first
        a = sigmoid(score) * present
        if under_way is not None:
            a = a * under_way[t][:, None]
        opened = sigmoid(gates[..., 1:])
        memory = _remember(memory, k, a, opened[..., 0], opened[..., 1], others)
        walked.append((first, score, a, h2, memory.together))
    first, score, a, h2, together = (from_times(part, batch) for part in zip(*walked, strict=True))
    return first, score, a, h2, together, memory


def _first(memory: Memory, count: int) -> Memory:
    """The memory of the first recipes."""
    return Memory(*[getattr(memory, one.name)[:count] for one in fields(Memory)])


def _identity(square: Array) -> Array:
    """Ones where row and column of `square` (B, I, I) are one, for either library."""
    xp = library(square)
    numbers = xp.cumsum(xp.ones_like(square[:1, :, 0]), 1)
    return (numbers[:, :, None] == numbers[:, None, :]) + xp.zeros_like(square[:1])


def _recall(memory: Memory) -> Array:
    return columns(
        [
            memory.used,
            memory.last,
            memory.before,
            memory.trace,
            memory.size / (1 + memory.size),
            memory.used * memory.last,
        ]
    )


def _group_signs(memory: Memory, chosen: Array, named: Array, share: Array) -> Array:
    xp = library(chosen)
    said = columns([chosen, named, memory.last, chosen * memory.used])  # (B, I, 4)
    of_mates = _greatest(memory.together, said[..., :3])
    of_all = xp.amax(said, axis=1)[:, None]
    return columns(
        [
            chosen,
            of_mates[..., 0],
            xp.matmul(share, chosen[..., None])[..., 0],
            of_mates[..., 1],
            of_mates[..., 2],
            of_all[..., 0],
            of_all[..., 3],
            of_all[..., 1],
            of_all[..., 2],
        ]
    )


def _greatest(C: Array, said: Array) -> Array:
    """(B, I, 3): the greatest of what is `said` (B, I, 3) of those that each is together with."""
    if not isinstance(C, np.ndarray):
        return library(C).amax(C[..., None] * said[:, None], axis=2)
    # Recipes are more than ingredients, so they go last; C is symmetric.
    products = C.transpose(1, 2, 0) * said.transpose(2, 1, 0)[:, :, None]
    return np.maximum.reduce(products, axis=1).transpose(2, 1, 0)


def _decide(p: Parameters, h: Array, drop: Drop) -> tuple[Array, Array]:
    """The gates (B, I, 3), and k (B, I, E): what becomes of those that are selected."""
    xp = library(h)
    if drop is keep:
        matrices = [p["entity.W_gates"], p["memory.W_k"]]
        biases = xp.concatenate([p["entity.b_gates"], p["memory.b_k"]])
        gates, k = _parts(linear(h, xp.concatenate(matrices), biases), matrices)
    else:
        gates = linear(drop(h), p["entity.W_gates"], p["entity.b_gates"])
        k = linear(h, p["memory.W_k"], p["memory.b_k"])
    return gates, xp.tanh(k)


def _remember(
    memory: Memory, k: Array, a: Array, combine: Array, part: Array, others: Array
) -> Memory:
    """What is selected and combined is together from now on; what parts is no longer with those
    that stay."""
    xp = library(k)
    out = a * part
    stay = 1 - out
    ways = columns([out, stay])
    beside = xp.matmul(ways, xp.swapaxes(ways, -1, -2))  # both leave, or both stay
    joining = a * combine
    joined = joining[:, :, None] * joining[:, None, :] * others
    C = memory.together * beside
    C = C + (1 - C) * joined
    return Memory(
        memory.entities + a[..., None] * (k - memory.entities),
        C,
        C.sum(axis=-1),
        memory.used + (1 - memory.used) * a,
        a,
        memory.last,
        0.7 * memory.trace + 0.3 * a,
        memory.step,
    )


# -- State predictors


def end_state_logits(
    p: Parameters,
    h: Array,
    signs: Sequence[Array],
    drop: Drop = keep,
    types: Sequence[int] | None = None,
) -> tuple[Array, ...]:
    """For each ingredient; the first class of every type is "no change". `signs` are the signs'
    products with each type, of all types unless told."""
    xp = library(h)
    y = relu(linear(drop(h), p["states.W"], p["states.b"]))
    types = range(len(signs)) if types is None else types
    matrices = [p[f"states.W_{s}"] for s in types]
    biases = [p[f"states.b_{s}"] for s in types]
    product = linear(y, xp.concatenate(matrices), xp.concatenate(biases))
    return tuple(a + b for a, b in zip(_parts(product, matrices), signs, strict=True))


def place_logits(
    p: Parameters, batch: MixtureBatch, context: Array, h: Array, drop: Drop = keep
) -> Array:
    """(B, T, I, 1 + K): whether each ingredient stays, or where it goes."""
    xp = library(h)
    place = linear(rows(context, batch.place_words), p["places.W_word"], p["places.b"])
    place = place + times(batch.places, p["places.W_signs"])  # (B, T, K, L)
    pair = times(batch.place_pairs, p["places.W_pairs"])  # (B, T, K, I, L)
    own = times(drop(h), p["places.W_h"])  # (B, T, I, L)
    seen = relu(pair + place[..., None, :] + own[..., None, :, :])
    going = linear(seen, p["places.w"], p["places.b_w"])[..., 0]  # (B, T, K, I)
    going = going + times(batch.place_pairs, p["places.w_pairs"])[..., 0]
    going = going - 1e4 * (1 - batch.place_present)[..., None]
    stays = linear(h, p["places.w_stay"], p["places.b_stay"])  # (B, T, I, 1)
    return xp.concatenate([stays, xp.swapaxes(going, -1, -2)], axis=-1)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What the walk through a batch leaves: see `MixtureOutcome`; `context` (P, D) are the words,
    `hidden` (B, T, I, H) the pairs of sentence and ingredient."""

    context: Array
    first: Array
    scores: Array
    attention: Array
    hidden: Array
    together: Array
    memory: Memory


def read(
    p: Parameters,
    batch: MixtureBatch,
    signs: Sequence[Array],
    segment_max: SegmentMax,
    memory: Memory | None = None,
    drop: Drop = keep,
) -> Simulated:
    """All modules up to the state predictors; goes on from `memory`, if it is given. `signs` are
    the signs' products with the query and with the pairs."""
    context = encode(p, batch, drop)
    names = name_vectors(p, batch)
    steps = step_vectors(p, batch, segment_max(context, batch))
    if memory is None:
        memory = first_memory(p, names)
    pairs = pair_vectors(p, batch, context, steps, memory.step, names, signs, drop)
    first, scores, attention, hidden, together, memory = simulate(p, batch, pairs, memory, drop)
    memory = replace(memory, step=by_time(steps, batch)[-1])
    return Simulated(context, first, scores, attention, hidden, together, memory)


def forward(
    p: Parameters,
    batch: MixtureBatch,
    types: int,
    segment_max: SegmentMax,
    memory: Memory | None = None,
    drop: Drop = keep,
    with_places: bool = True,
) -> MixtureOutcome:
    """What the network says of a batch; goes on from `memory`, if it is given. Without places,
    everything stays where it is."""
    signs = sign_products(p, batch, types)
    told = read(p, batch, signs, segment_max, memory, drop)
    h = told.hidden
    return MixtureOutcome(
        told.first,
        told.scores,
        told.attention,
        told.together,
        end_state_logits(p, h, signs[2:], drop),
        place_logits(p, batch, told.context, h, drop) if with_places else h[..., :1],
        told.memory,
    )
