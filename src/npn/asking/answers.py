"""The answers, one function a kind of question. None where the question lacks what is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from npn.asking.question import Question, Reply, in_order, in_words
from npn.formats.writing import wording
from npn.formats.writing.piles import PileNames, PileStates, at_place, in_several
from npn.language.times import find_times
from npn.language.words import lemma, words
from npn.trace import APPLIANCES, Pile, StepTrace

STATES = {
    "cooked": "cookedness",
    "raw": "cookedness",
    "hot": "temperature",
    "cold": "temperature",
    "clean": "cleanliness",
    "dry": "cleanliness",
}


# -- Answers about what lies where, and in what state.


def where(question: Question) -> Reply | None:
    """ "Where is the beef now?" "Where is the batter?" """
    named = (pile.ingredients for pile in _named_piles(question) if pile.name)
    who = question.who or next(named, ())
    if not who:
        return None
    by_place: dict[str, list[int]] = {}
    for i in who:
        for place in _places(question, i, who):
            by_place.setdefault(place, []).append(i)
    places = [f"{question.name_all(members)}: {place}" for place, members in by_place.items()]
    evidence = in_order(number for i in who for number in _acting(question.done, i)[-1:])
    return Reply(f"{question.when.capitalize()}: {'; '.join(places)}.", evidence, who)


def _places(question: Question, i: int, who: Sequence[int]) -> list[str]:
    """Where an ingredient lies, each place once: "on the plate, with oil". `who` are those that are
    asked for, which are not told as company."""
    lying = _lying(question, i)
    if not lying:
        used = _acting(question.done, i)
        return ["nowhere any more" if used else "not taken from the list yet"]
    places = []
    for pile, state in lying:
        place = at_place(pile.place) if pile.place else "out, but no step says where"
        location = state.get("location")
        if location in APPLIANCES and location != pile.place:
            place += f", {at_place(location)}"
        mates = [j for j in pile.ingredients if j not in who]
        places.append(f"{place}, with {question.name_all(mates)}" if mates else place)
    if _is_divided(question, i):
        return [", and ".join(f"part {place}" for place in places)]
    return list(dict.fromkeys(places))


def _lying(question: Question, i: int) -> list[tuple[Pile, Mapping[str, str]]]:
    """The piles that hold an ingredient, each with its state there: of several portions, that of
    the last."""
    states = PileStates(question.trace.ingredients)
    for step in question.done:
        states.after(step)
    lying = []
    for pile in question.piles:
        by_ingredient = dict(zip([one.ingredient for one in pile.of], states.of(pile), strict=True))
        if i in by_ingredient:
            lying.append((pile, by_ingredient[i]))
    return lying


def _is_divided(question: Question, i: int) -> bool:
    """Whether an ingredient is in a mixture of which a part lies elsewhere."""
    return i in {portion.ingredient for portion in in_several(question.piles)}


def what_is_in(question: Question) -> Reply | None:
    """ "What is in the pot after step 2?" """
    piles = _named_piles(question)
    if not piles and question.who:
        piles = [p for p in question.piles if set(question.who) <= set(p.ingredients)]
    if not piles:
        return _never_there(question)
    names = PileNames(question.names)
    for number, step in enumerate(question.done, start=1):
        names.after(number, step)
    phrases = []
    for pile in piles:
        name = names.name(pile) if pile.name else pile.place or "pile"
        phrases.append(f"the {name} holds {question.name_all(pile.ingredients)}")
    who = in_order(i for pile in piles for i in pile.ingredients)
    since = in_order(_since(question, pile) for pile in piles)
    return Reply(f"{question.when.capitalize()}: {'; '.join(phrases)}.", since, who)


def _since(question: Question, pile: Pile) -> int:
    """The step from which on a pile has been as it is."""
    number = len(question.done) - 1
    while number and pile in question.done[number - 1].piles:
        number -= 1
    return number


def _never_there(question: Question) -> Reply | None:
    """The vessel is asked for too early or too late: say when it holds something."""
    for number, step in enumerate(question.trace.steps):
        for pile in step.piles:
            if _words_named(question, pile) is not None:
                return Reply(
                    f"There is nothing in the {pile.name or pile.place} {question.when}; there is "
                    f"after step {number + 1}: {question.name_all(pile.ingredients)}.",
                    (number,),
                    pile.ingredients,
                )
    return None


def _named_piles(question: Question) -> list[Pile]:
    """The piles that a question names; of "bowl" and "second bowl" those that it names in full."""
    counts = [_words_named(question, pile) for pile in question.piles]
    most = max((count for count in counts if count is not None), default=0)
    return [p for p, count in zip(question.piles, counts, strict=True) if count == most]


def _words_named(question: Question, pile: Pile) -> int | None:
    """How many words the name or the place of a pile has that a question gives in full, 0 where it
    gives only the last ("the dish" for a baking dish), None where not even that."""
    names = [
        [lemma(word) for word in words(name.lower())] for name in (pile.name, pile.place) if name
    ]
    if not any(name and name[-1] in question.lemmas for name in names):
        return None
    return max(len(name) if question.lemmas.issuperset(name) else 0 for name in names)


def is_it(question: Question) -> Reply | None:
    """ "Is the beef cooked after step 3?" """
    asked = [state for state in STATES if state in question.words]
    if len(question.who) != 1 or len(asked) != 1:
        return None
    i, wanted = question.who[0], asked[0]
    name, type = question.names[i], STATES[wanted]
    steps_done = len(question.done)
    state = question.trace.state(i, steps_done - 1).get(type) if steps_done else None
    if state is None:
        return Reply(f"Nothing says so of the {name} {question.when}.", (), (i,))
    number = question.trace.last_change(i, type, steps_done)
    steps = () if number is None else (number,)
    in_part = _in_part(question, i, wanted)
    if in_part:
        return Reply(f"In part: {question.when} the {name} is {in_part}.", steps, (i,))
    yes = "Yes" if state == wanted else "No"
    end = wording.end_state(type, state)
    since = "as its line says" if number is None else f"since step {number + 1}"
    return Reply(f"{yes}: {question.when} the {name} is {end}, {since}.", steps, (i,))


def _in_part(question: Question, i: int, wanted: str) -> str:
    """Where a divided mixture's ingredient is as wanted, and where it is not: "cooked in the tin,
    not in the bag"; empty where it is the same everywhere."""
    here: list[str] = []
    elsewhere: list[str] = []
    for pile, state in _lying(question, i):
        place = at_place(pile.place) if pile.place else f"in the {pile.name or 'rest'}"
        (here if state.get(STATES[wanted]) == wanted else elsewhere).append(place)
    if not here or not elsewhere or not _is_divided(question, i):
        return ""
    return f"{wanted} {in_words(here)}, not {in_words(elsewhere)}"


# -- Answers about what the steps do.


def what_happens(question: Question) -> Reply | None:
    """ "What happens to the beef?" "What happens in step 3?" """
    if question.who:
        i = question.who[0]
        steps = _acting(question.trace.steps, i)
        phrases = [f"step {n + 1} ({_actions(question.trace.steps[n])})" for n in steps]
        text = in_words(phrases) or "no step"
        return Reply(f"The {question.names[i]} is acted on in {text}.", tuple(steps), (i,))
    if question.step is None:
        return None
    number, step = question.step, question.trace.steps[question.step]
    if not step.entities:
        return Reply(f"Step {number + 1} acts on no ingredient.", (number,))
    who = question.name_all(step.entities)
    text = f"Step {number + 1}: {_actions(step)}; it acts on {who}."
    return Reply(text, (number,), step.entities)


def _actions(step: StepTrace) -> str:
    return in_words([action.name for action in step.actions]) or "act"


def how_long(question: Question) -> Reply | None:
    """ "How long does it simmer?" "How long does step 1 take?" """
    for number, step in enumerate(question.trace.steps):
        asked = number == question.step or (
            question.step is None
            and not question.lemmas.isdisjoint(action.name for action in step.actions)
        )
        times = find_times(step.text) if asked else []
        if times:
            durations = in_words([step.text[time.start : time.end] for time in times])
            return Reply(f"Step {number + 1} says {durations}.", (number,), step.entities)
    return None


def _acting(steps: Sequence[StepTrace], i: int) -> list[int]:
    """The numbers of the steps that act on an ingredient."""
    return [number for number, step in enumerate(steps) if i in step.entities]


# -- Answers about what the steps take from the list: when, how much of it, and what never.


def when_used(question: Question) -> Reply | None:
    """ "When is the oil used?" """
    if not question.who:
        return None
    sentences, evidence = [], []
    for i in question.who:
        steps, phrases = _taken(question, i, len(question.trace.steps))
        evidence += steps
        name = question.names[i]
        sentences.append(
            f"The {name} is taken in {phrases}." if steps else f"No step takes the {name}."
        )
    return Reply(" ".join(sentences), in_order(evidence), question.who)


def how_much(question: Question) -> Reply | None:
    """ "How much oil do I need in step 1?" """
    if not question.who or question.step is None:
        return when_used(question)
    phrases = [phrase for i, phrase in question.taken()[question.step] if i in question.who]
    if not phrases:
        return _taken_before(question, question.step)
    text = f"Step {question.step + 1} takes {in_words(phrases)}."
    return Reply(text, (question.step,), question.who)


def _taken_before(question: Question, step: int) -> Reply:
    """A step takes nothing of what is asked for. Where it acts on what steps before it took, say
    which, and how much."""
    text = f"Step {step + 1} takes no {question.name_all(question.who)} from the list"
    evidence = [step]
    for i in question.who:
        steps, phrases = _taken(question, i, step)
        if steps and i in question.trace.steps[step].entities:
            text += f"; it acts on what is taken in {phrases}"
            evidence += steps
    return Reply(f"{text}.", in_order(evidence), question.who)


def _taken(question: Question, i: int, before: int) -> tuple[list[int], str]:
    """The steps before a step that take an ingredient, and in words how much each takes: "step 1
    (half of the oil: 1 tablespoon)"."""
    found = [
        (number, f"step {number + 1} ({phrase})")
        for number, taken in enumerate(question.taken()[:before])
        for who, phrase in taken
        if who == i
    ]
    return [number for number, _ in found], in_words([phrase for _, phrase in found])


def needed(question: Question) -> Reply | None:
    """ "What do I need for step 2?" """
    if question.step is None:
        return None
    taken = question.taken()[question.step]
    phrases = in_words([phrase for _, phrase in taken]) or "nothing from the list"
    who = tuple(i for i, _ in taken)
    return Reply(f"Step {question.step + 1} takes {phrases}.", (question.step,), who)


def unused(question: Question) -> Reply | None:
    """ "What is never used?" """
    used = {use.ingredient for step in question.trace.steps for use in step.uses}
    left = tuple(i for i in range(len(question.names)) if i not in used)
    if not left:
        return Reply("Every ingredient is used.")
    return Reply(f"No step takes {question.name_all(left)}.", (), left)
