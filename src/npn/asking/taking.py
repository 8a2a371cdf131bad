"""Answers about what the steps take from the list: when, how much of it, and what never."""

from __future__ import annotations

from npn.asking.question import Question, Reply, in_order, in_words
from npn.formats.writing import wording


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
