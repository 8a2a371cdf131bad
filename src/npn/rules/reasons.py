"""What speaks for a decision of a trace: words of the step, headings, amounts, piles.

A reason is given only if it holds: the quoted words stand in the step, the pile lay there before
the step, the amounts work out. Whether the tracker needed it is another question, which
`reason_check` asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from npn.language.amount_arithmetic import fraction_of
from npn.language.amount_text import format_amount, format_part
from npn.language.names import name_ingredient
from npn.language.shares import Share
from npn.recipe import Amount
from npn.rules.grammar.heading_words import heading_words
from npn.rules.grammar.references import IT, Reference
from npn.rules.step_words import Quote, StepWords, read_step_words, under_heading
from npn.trace import Pile, Trace, Use

MANY = 4  # names from which on they are counted
ALL_BUT = 0.98  # of an amount: as good as all
NEAR = 0.02


class Basis(Enum):
    """What a reason rests on."""

    NAME = auto()
    AMOUNT = auto()
    HEADING = auto()
    SUM = auto()  # "the remaining ingredients"
    WORD = auto()  # "it", "the batter"
    PILE = auto()
    PILE_MATE = auto()  # another member of the pile is named
    PLACE = auto()  # of the pile
    JOINING = auto()  # something named comes to it
    UNDER_WAY = auto()


@dataclass(frozen=True, slots=True)
class Reason:
    """`quotes` are the words of the step that it rests on. `needed` says whether the decision is
    another without them, None where nobody has looked."""

    basis: Basis
    text: str
    quotes: tuple[Quote, ...] = ()
    needed: bool | None = None


class ReasonFinder:
    """Looks for reasons in one step of a trace: in its words, and in what lay there before it."""

    def __init__(self, trace: Trace, step: int, names: Sequence[str] | None = None) -> None:
        self.trace = trace
        self.names = names or [name_of(trace, i) for i in range(len(trace.ingredients))]
        self.step = trace.steps[step]
        self.number = step
        self.sections = [one.section for one in trace.ingredients]
        self.before: Sequence[Pile] = trace.steps[step - 1].piles if step else ()
        earlier = trace.steps[:step]
        used = {use.ingredient for one in earlier for use in one.uses}
        used |= {i for one in earlier for i in one.entities}
        self.used = used
        self.last = next((t for t in reversed(range(step)) if trace.steps[t].entities), None)
        self.words: StepWords = read_step_words(
            self.step.text,
            [name_ingredient(one.text) for one in trace.ingredients],
            [i for i in range(len(trace.ingredients)) if i not in used],
            bool(used),
        )

    def for_use(self, use: Use) -> list[Reason]:
        """What speaks for a step's taking an ingredient from the list, and so much of it."""
        i = use.ingredient
        reasons = [*self._named(i)]
        if not reasons:
            reasons += self._summed_up(i)
        if not reasons or self.words.namesakes(i):
            reasons += self._heading(i)
        return [*reasons, *self._amount(use)]

    def for_act(self, i: int) -> list[Reason]:
        """What speaks for a step's acting on an ingredient that was taken earlier."""
        named = [*self._named(i)]
        if named:
            return named
        pile = self._pile_of(i)
        links = [*self._summed_up(i), *self._standing_for(i, pile), *self._mates_named(i, pile)]
        links += [*self._place(pile)]
        links += [] if links else self._heading(i)
        links += [] if links else self._joining(i)
        links += [] if links else self._under_way(i)
        return [*self._lying_in(pile), *links] if links else []

    def _named(self, i: int) -> Iterator[Reason]:
        quotes = self.words.naming(i)
        if quotes:
            others = self.words.namesakes(i)
            text = f'named as "{quotes[0].text}"'
            if others:
                text += f", which may also mean {self._list(others)}"
            yield Reason(Basis.NAME, text, tuple(quotes))

    def _summed_up(self, i: int) -> Iterator[Reason]:
        for reference in self.words.references:
            if i not in reference.ingredients:
                continue
            quote = self.words.phrase(reference)
            lines = under_heading(quote.text, self.sections)
            if lines is None or i in lines:
                yield Reason(Basis.SUM, f'one of "{quote.text}"', (quote,))
                return

    def _standing_for(self, i: int, pile: Pile | None) -> Iterator[Reason]:
        for reference in self.words.references:
            if reference.ingredients:
                continue
            quote = self.words.quote(reference.at, reference.at + 1)
            lines = under_heading(quote.text, self.sections)
            if lines is not None and i not in lines:
                continue
            meaning = self._meaning(reference, quote.text.lower(), i, pile)
            if meaning:
                yield Reason(Basis.WORD, f'"{quote.text}" {meaning}', (quote,))
                return

    def _meaning(self, reference: Reference, word: str, i: int, pile: Pile | None) -> str:
        """Why a word like "it" or "batter" can stand for an ingredient; empty where it cannot."""
        worked_on = self.last is not None and i in self.trace.steps[self.last].entities
        last = f"can mean what step {(self.last or 0) + 1} worked on" if worked_on else ""
        if word in IT:
            return last
        if reference.name == "all":
            return "can mean all that is under way" if i in self.used else ""
        called = {one.name for one in (*self.before, *self.step.piles) if i in one.ingredients}
        if reference.name in called:
            return "is what the pile is called"
        for t in reversed(range(self.number)):
            for one in self.trace.steps[t].piles:
                if i in one.ingredients and one.name == reference.name:
                    return f"is what its pile was called in step {t + 1}"
        mixtures = [one for one in self.before if len(one.ingredients) > 1]
        if pile is not None and mixtures == [pile]:
            return "can mean the only mixture that there is"
        return last

    def _mates_named(self, i: int, pile: Pile | None) -> Iterator[Reason]:
        for j in pile.ingredients if pile is not None else ():
            quotes = self.words.naming(j)
            if j != i and quotes:
                yield Reason(Basis.PILE_MATE, f'its "{quotes[0].text}" is named', tuple(quotes))
                return

    def _place(self, pile: Pile | None) -> Iterator[Reason]:
        for place in self.words.places:
            if pile is not None and place.name == pile.place and not place.fresh:
                quote = self.words.quote(place.start, place.end)
                yield Reason(Basis.PLACE, f'the "{quote.text}" is where it lies', (quote,))
                return

    def _heading(self, i: int) -> Iterator[Reason]:
        section = self.trace.ingredients[i].section
        stems = heading_words(section)
        said = self.words.saying(stems) if stems else None
        if said is not None:
            text = f'under "{section}", and the step says "{said.text}"'
            yield Reason(Basis.HEADING, text, (said,))
        elif stems & heading_words(self.step.section):
            text = f'under "{section}", and the step is under "{self.step.section}"'
            yield Reason(Basis.HEADING, text)

    def _joining(self, i: int) -> Iterator[Reason]:
        for pile in self.step.piles:
            for j in pile.ingredients if i in pile.ingredients else ():
                quotes = self.words.naming(j)
                if quotes and not any({i, j} <= set(one.ingredients) for one in self.before):
                    text = f'"{quotes[0].text}", which is named, comes to it'
                    yield Reason(Basis.JOINING, text, tuple(quotes))
                    return

    def _under_way(self, i: int) -> Iterator[Reason]:
        if self.last is not None and i in self.trace.steps[self.last].entities:
            yield Reason(Basis.UNDER_WAY, f"under way: step {self.last + 1} worked on it")

    def _amount(self, use: Use) -> Iterator[Reason]:
        """How the fraction that a use takes follows from the words; nothing where it is plainly
        the whole line."""
        i, fraction = use.ingredient, use.fraction
        if fraction is None:
            return
        takers = [
            (t, one)
            for t in range(self.number)
            for one in self.trace.steps[t].uses
            if one.ingredient == i
        ]
        rest = 1 - sum(one.fraction or 0 for _, one in takers)
        left = bool(takers) and rest < ALL_BUT and abs(rest - fraction) < NEAR
        steps = _numbers(sorted({t + 1 for t, _ in takers})) if left else ""
        for stated, quote in self.words.stated(i):
            text = _stated_text(stated.amount, quote, self.trace.ingredients[i].amount, fraction)
            if not text and stated.amount == Share(None) and left:
                text = f'"{quote.text}" is what {steps} left of it'
            if text:
                yield Reason(Basis.AMOUNT, text, (quote,))
                return
        if left:
            yield Reason(Basis.AMOUNT, f"what {steps} left of it")

    def _lying_in(self, pile: Pile | None) -> Iterator[Reason]:
        if pile is None or len(pile.ingredients) < 2:
            return
        who, since = self._list(set(pile.ingredients)), self._since(pile) + 1
        what = f"the {pile.name} ({who})" if pile.name else f"the pile of {who}"
        yield Reason(Basis.PILE, f"part of {what} since step {since}")

    def _pile_of(self, i: int) -> Pile | None:
        """The pile that held an ingredient before the step. Where its portions lie in several, that
        of which the step acts on most others."""
        piles = [pile for pile in self.before if i in pile.ingredients]
        acted = set(self.step.entities)
        return max(piles, key=lambda pile: len(acted & set(pile.ingredients)), default=None)

    def _since(self, pile: Pile) -> int:
        """The step from which on all that is in a pile has been together."""
        members, since = set(pile.ingredients), self.number - 1
        while since and any(
            members <= set(one.ingredients) for one in self.trace.steps[since - 1].piles
        ):
            since -= 1
        return since

    def _list(self, who: set[int]) -> str:
        return list_names([self.names[i] for i in sorted(who)])


def _stated_text(
    stated: Amount | Share, quote: Quote, whole: Amount | None, fraction: float
) -> str:
    """How a stated amount comes to a fraction of the line's; empty where it does not."""
    if isinstance(stated, Share):
        part = stated.fraction
    else:
        part = fraction_of(stated, whole) if whole is not None else None
    if part is None or abs(part - fraction) > NEAR:
        return ""
    line = format_amount(whole) if whole is not None else ""
    if isinstance(stated, Share):
        return f'"{quote.text}" of the line\'s {line}' if line else f'"{quote.text}" of the line'
    if part > ALL_BUT:
        return f'"{quote.text}" is all of the line'
    return f'"{quote.text}" is {format_part(part)} of the line\'s {line}'


def list_names(names: Sequence[str]) -> str:
    """ "flour", "flour and salt", "flour, salt and 4 more"."""
    if len(names) >= MANY:
        names = [*names[: MANY - 2], f"{len(names) - MANY + 2} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def name_of(trace: Trace, i: int) -> str:
    return trace.ingredients[i].name or trace.ingredients[i].text


def _numbers(steps: Sequence[int]) -> str:
    if len(steps) == 1:
        return f"step {steps[0]}"
    return f"steps {', '.join(map(str, steps[:-1]))} and {steps[-1]}"
