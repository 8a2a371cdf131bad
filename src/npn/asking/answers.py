"""The answers, one function a kind of question. None where the question lacks what is needed."""

from __future__ import annotations

from collections.abc import Mapping

from npn.asking.question import Question, Reply, in_order, in_words
from npn.formats.writing import wording
from npn.formats.writing.piles import ON, PileNames, PileStates, in_several
from npn.language.times import find_times
from npn.language.words import lemma, words
from npn.trace import APPLIANCES, Pile

STATES = {
    "cooked": "cookedness",
    "raw": "cookedness",
    "hot": "temperature",
    "cold": "temperature",
    "clean": "cleanliness",
    "dry": "cleanliness",
}


def where(question: Question) -> Reply | None:
    who = question.who or _of_named_pile(question)
    if not who:
        return None
    places = []
    for place, members in _by_place(question, who).items():
        places.append(f"{question.name_all(members)}: {place}")
    evidence = [_last_touched(question, i) for i in who]
    return Reply(
        f"{_capital(question.when())}: {'; '.join(places)}.",
        in_order(number for number in evidence if number is not None),
        who,
    )


def _by_place(question: Question, who: tuple[int, ...]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    states = _states(question)
    divided = {portion.ingredient for portion in in_several(question.piles())}
    for i in who:
        piles = [pile for pile in question.piles() if i in pile.ingredients]
        places = [_place(question, pile, i, states, who) for pile in piles]
        if not places:
            used = _last_touched(question, i) is not None
            places = ["nowhere any more" if used else "not taken from the list yet"]
        elif i in divided:
            places = [", and ".join(f"part {place}" for place in places)]
        for place in dict.fromkeys(places):
            found.setdefault(place, []).append(i)
    return found


def _place(question: Question, pile: Pile, i: int, states: PileStates, who: tuple[int, ...]) -> str:
    location = _state_in(pile, i, states).get("location")
    whereabouts = _at(pile.place) if pile.place else "out, but no step says where"
    if location in APPLIANCES and location != pile.place:
        whereabouts += f", {_at(location)}"
    mates = [j for j in pile.ingredients if j not in who]
    return f"{whereabouts}, with {question.name_all(mates)}" if mates else whereabouts


def _states(question: Question) -> PileStates:
    """The states in each pile at the time that a question is about."""
    states = PileStates(question.trace.ingredients)
    for step in question.trace.steps[: question.at + 1]:
        states.after(step)
    return states


def _state_in(pile: Pile, i: int, states: PileStates) -> Mapping[str, str]:
    """The state of an ingredient in a pile; of several portions, that of the last."""
    return [
        state
        for portion, state in zip(pile.of, states.of(pile), strict=True)
        if portion.ingredient == i
    ][-1]


def what_is_in(question: Question) -> Reply | None:
    piles = _meant(question)
    if not piles and question.who:
        piles = [p for p in question.piles() if set(question.who) <= set(p.ingredients)]
    if not piles:
        return _never_there(question)
    names = PileNames(question.names)
    for number, step in enumerate(question.trace.steps[: question.at + 1], start=1):
        names.after(number, step)
    phrases = []
    for pile in piles:
        name = names.name(pile) if pile.name else pile.place or "pile"
        phrases.append(f"the {name} holds {question.name_all(pile.ingredients)}")
    who = tuple(sorted({i for pile in piles for i in pile.ingredients}))
    since = [_since(question, pile) for pile in piles]
    return Reply(f"{_capital(question.when())}: {'; '.join(phrases)}.", in_order(since), who)


def _never_there(question: Question) -> Reply | None:
    """The vessel is asked for too early or too late: say when it holds something."""
    for number, step in enumerate(question.trace.steps):
        for pile in step.piles:
            if _is_meant(pile, question.words):
                name = pile.name or pile.place
                return Reply(
                    f"There is nothing in the {name} {question.when()}; there is after step "
                    f"{number + 1}: {question.name_all(pile.ingredients)}.",
                    (number,),
                    pile.ingredients,
                )
    return None


def is_it(question: Question) -> Reply | None:
    """ "Is the beef cooked after step 3?" """
    asked = [state for state in STATES if state in question.words]
    if len(question.who) != 1 or len(asked) != 1:
        return None
    i, wanted = question.who[0], asked[0]
    name, type = question.names[i], STATES[wanted]
    state = question.trace.state(i, question.at).get(type) if question.at >= 0 else None
    if state is None:
        return Reply(f"Nothing says so of the {name} {question.when()}.", (), (i,))
    number = question.trace.last_change(i, type, question.at + 1)
    steps = () if number is None else (number,)
    end = wording.end_state(type, state)
    in_part = _in_part(question, i, type, wanted)
    if in_part:
        return Reply(f"In part: {question.when()} the {name} is {in_part}.", steps, (i,))
    yes = "Yes" if state == wanted else "No"
    since = f", since step {number + 1}" if number is not None else ", as its line says"
    return Reply(f"{yes}: {question.when()} the {name} is {end}{since}.", steps, (i,))


def _in_part(question: Question, i: int, type: str, wanted: str) -> str:
    """Where a divided mixture's ingredient is as wanted, and where it is not: "cooked in the tin,
    not in the bag"; empty where it is the same everywhere."""
    states = _states(question)
    piles = [pile for pile in question.piles() if i in pile.ingredients]
    so = [_state_in(pile, i, states).get(type) == wanted for pile in piles]
    divided = {portion.ingredient for portion in in_several(question.piles())}
    if i not in divided or all(so) or not any(so):
        return ""
    names = [_at(pile.place) if pile.place else f"in the {pile.name or 'rest'}" for pile in piles]
    here = [name for name, yes in zip(names, so, strict=True) if yes]
    elsewhere = [name for name, yes in zip(names, so, strict=True) if not yes]
    return f"{wanted} {in_words(here)}, not {in_words(elsewhere)}"


def what_happens(question: Question) -> Reply | None:
    if question.who:
        i = question.who[0]
        steps = [n for n, step in enumerate(question.trace.steps) if i in step.entities]
        phrases = [f"step {n + 1} ({_actions(question, n)})" for n in steps]
        text = in_words(phrases) if phrases else "no step"
        return Reply(f"The {question.names[i]} is acted on in {text}.", in_order(steps), (i,))
    if question.step is None:
        return None
    one = question.trace.steps[question.step]
    if not one.entities:
        return Reply(f"Step {question.step + 1} acts on no ingredient.", (question.step,))
    who = question.name_all(one.entities)
    return Reply(
        f"Step {question.step + 1}: {_actions(question, question.step)}; it acts on {who}.",
        (question.step,),
        one.entities,
    )


def how_long(question: Question) -> Reply | None:
    acts = {lemma(word) for word in question.words}
    for number, step in enumerate(question.trace.steps):
        asked = number == question.step or (
            question.step is None and any(action.name in acts for action in step.actions)
        )
        times = find_times(step.text) if asked else []
        if times:
            durations = in_words([step.text[time.start : time.end] for time in times])
            return Reply(f"Step {number + 1} says {durations}.", (number,), step.entities)
    return None


def _of_named_pile(question: Question) -> tuple[int, ...]:
    """The ingredients of the pile that a question calls by its name: "the batter"."""
    return next((pile.ingredients for pile in _meant(question) if pile.name), ())


def _meant(question: Question) -> list[Pile]:
    """The piles that a question names; of "bowl" and "second bowl" those that it names in full."""
    piles = [pile for pile in question.piles() if _is_meant(pile, question.words)]
    named = [_named_in_full(pile, question.words) for pile in piles]
    return [pile for pile, count in zip(piles, named, strict=True) if count == max(named)]


def _named_in_full(pile: Pile, asked: tuple[str, ...]) -> int:
    """How many words the name or the place of a pile has, if a question has them all."""
    lemmas = {lemma(word) for word in asked}
    names = [
        [lemma(word) for word in words((name or "").lower())] for name in (pile.name, pile.place)
    ]
    return max(len(name) if lemmas.issuperset(name) else 0 for name in names)


def _is_meant(pile: Pile, asked: tuple[str, ...]) -> bool:
    """Whether a question names a pile by its name or its place."""
    lemmas = {lemma(word) for word in asked}
    for name in (pile.name, pile.place):
        parts = words(name.lower()) if name else []
        if parts and lemma(parts[-1]) in lemmas:
            return True
    return False


def _at(place: str) -> str:
    return f"{'on' if place.split()[-1:] and place.split()[-1] in ON else 'in'} the {place}"


def _last_touched(question: Question, i: int) -> int | None:
    steps = question.trace.steps[: question.at + 1]
    return next((n for n in reversed(range(len(steps))) if i in steps[n].entities), None)


def _since(question: Question, pile: Pile) -> int:
    """The step from which on a pile has been as it is."""
    number = question.at
    while number and pile in question.trace.steps[number - 1].piles:
        number -= 1
    return number


def _actions(question: Question, number: int) -> str:
    return in_words([one.name for one in question.trace.steps[number].actions]) or "act"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- Answers about what the steps take from the list: when, how much of it, and what never.


def when_used(question: Question) -> Reply | None:
    if not question.who:
        return None
    sentences, evidence = [], []
    for i in question.who:
        steps, phrases = _taken(question, i, len(question.trace.steps))
        evidence += steps
        if not steps:
            sentences.append(f"No step takes the {question.names[i]}.")
        else:
            sentences.append(f"The {question.names[i]} is taken in {phrases}.")
    return Reply(" ".join(sentences), in_order(evidence), question.who)


def how_much(question: Question) -> Reply | None:
    reply = when_used(question)
    if reply is None or question.step is None:
        return reply
    taken = wording.taken(question.trace, list(question.names))[question.step]
    uses = question.trace.steps[question.step].uses
    phrases = [
        phrase for use, phrase in zip(uses, taken, strict=True) if use.ingredient in question.who
    ]
    if not phrases:
        return _taken_before(question, question.step)
    return Reply(
        f"Step {question.step + 1} takes {in_words(phrases)}.", (question.step,), question.who
    )


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
    taken = wording.taken(question.trace, list(question.names))
    places = [
        (number, phrase)
        for number, step in enumerate(question.trace.steps[:before])
        for use, phrase in zip(step.uses, taken[number], strict=True)
        if use.ingredient == i
    ]
    phrases = in_words([f"step {number + 1} ({phrase})" for number, phrase in places])
    return [number for number, _ in places], phrases


def needed(question: Question) -> Reply | None:
    if question.step is None:
        return None
    phrases = wording.taken(question.trace, list(question.names))[question.step]
    who = tuple(use.ingredient for use in question.trace.steps[question.step].uses)
    if not phrases:
        return Reply(f"Step {question.step + 1} takes nothing from the list.", (question.step,))
    return Reply(f"Step {question.step + 1} takes {in_words(phrases)}.", (question.step,), who)


def unused(question: Question) -> Reply | None:
    used = {use.ingredient for step in question.trace.steps for use in step.uses}
    left = tuple(i for i in range(len(question.names)) if i not in used)
    if not left:
        return Reply("Every ingredient is used.")
    return Reply(f"No step takes {question.name_all(left)}.", (), left)
