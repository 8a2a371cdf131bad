"""What speaks for a decision of a trace: words of the step, headings, amounts, piles.

A reason is given only if it holds: the quoted words stand in the step, the pile lay there before
the step, the amounts work out. Whether the tracker needed it is another question, which
`explanation.ReasonChecker` asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from npn.language.amounts import format_amount, format_part, fraction_of
from npn.language.names import name_ingredient
from npn.recipe import Amount
from npn.rules.grammar.references import IT, Reference, Share, heading_words
from npn.rules.step_words import Quote, read_step_words, under_heading
from npn.trace import Pile, Trace, Use

# -- What a reason is.

MANY = 4  # names from which on they are counted


@dataclass(frozen=True, slots=True)
class Reason:
    """`quotes` are the words of the step that it rests on, and `basis` what they are. `needed` says
    whether the decision is another without them, None where nobody has looked."""

    text: str
    quotes: tuple[Quote, ...] = ()
    basis: Literal["words", "amount", "heading"] = "words"
    needed: bool | None = None


def list_names(names: Sequence[str]) -> str:
    """ "flour", "flour and salt", "flour, salt and 4 more"."""
    if len(names) >= MANY:
        names = [*names[: MANY - 2], f"{len(names) - MANY + 2} more"]
    return joined(names)


def joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def name_of(trace: Trace, i: int) -> str:
    return trace.ingredients[i].name or trace.ingredients[i].text


# -- The reasons for a decision.

ALL_BUT = 0.98  # of an amount: as good as all
NEAR = 0.02
# After these words a noun is no food named earlier: "the skin is crisp", "shape into a loaf".
NEWLY = frozenset("is are be been was were turn turns look looks very a an".split())


class ReasonFinder:
    """Looks for reasons in one step of a trace: in its words, and in what lay there before it."""

    def __init__(self, trace: Trace, step: int, names: Sequence[str] | None = None) -> None:
        self.trace = trace
        self.names = names or [name_of(trace, i) for i in range(len(trace.ingredients))]
        self.step = trace.steps[step]
        self.number = step
        self.sections = [one.section for one in trace.ingredients]
        self.before: Sequence[Pile] = trace.steps[step - 1].piles if step else ()
        acting = [t for t in range(step) if trace.steps[t].entities]
        self.last = acting[-1] if acting else 0
        self.acted_last = trace.steps[self.last].entities if acting else ()
        self.used = {i for t in acting for i in trace.steps[t].entities}
        self.words = read_step_words(
            self.step.text,
            [name_ingredient(one.text) for one in trace.ingredients],
            [i for i in range(len(trace.ingredients)) if i not in self.used],
            bool(self.used),
        )

    def reasons(self, i: int, use: Use | None) -> list[Reason]:
        """What speaks for a step's taking a use of an ingredient from the list, or, without a use,
        for its acting on what was taken earlier."""
        return self._for_act(i) if use is None else self._for_use(i, use)

    def _for_use(self, i: int, use: Use) -> list[Reason]:
        reasons = [*self._named(i)] or [*self._summed_up(i)]
        if not reasons or self.words.namesakes(i):
            reasons += self._heading(i)
        return [*reasons, *self._amount(use)]

    def _for_act(self, i: int) -> list[Reason]:
        named = [*self._named(i)]
        if named:
            return named
        pile = self._pile_of(i)
        headings = [one for one in self._heading(i) if not self._names_food(one.quotes)]
        quoted = {quote for one in headings for quote in one.quotes}
        words = [one for one in self._meant_by_words(i, pile) if quoted.isdisjoint(one.quotes)]
        links = [*self._summed_up(i), *words]
        if pile is not None:
            links += [*self._mates_named(i, pile), *self._place(pile)]
        links = [*links, *headings] or [*self._joining(i)] or [*self._under_way(i)]
        return [*self._lying_in(pile), *links] if pile is not None and links else links

    def _named(self, i: int) -> Iterator[Reason]:
        quotes = self.words.naming(i)
        if not quotes:
            return
        others = self.words.namesakes(i)
        acted = others & set(self.step.entities)
        text = f'named as "{quotes[0].text}"'
        if acted:
            text += f", as {'is' if len(acted) == 1 else 'are'} {self._list(acted)}"
        if others - acted:
            text += f", which may also mean {self._list(others - acted)}"
        yield Reason(text, tuple(quotes))

    def _names_food(self, quotes: Sequence[Quote]) -> bool:
        """Whether any of these words is part of an ingredient's name here."""
        names = [self.words.quote(m.start, m.end) for m in self.words.mentions]
        return any(n.start <= quote.start < n.end for quote in quotes for n in names)

    def _summed_up(self, i: int) -> Iterator[Reason]:
        for reference in self.words.references:
            if i not in reference.ingredients:
                continue
            quote = self.words.phrase(reference)
            lines = under_heading(quote.text, self.sections)
            if lines is None or i in lines:
                yield Reason(f'one of "{quote.text}"', (quote,))
                return

    def _meant_by_words(self, i: int, pile: Pile | None) -> Iterator[Reason]:
        """The word that stands for an ingredient or its pile most plainly: "batter", "it"."""
        found: list[tuple[int, str, Quote]] = []
        for reference in self.words.references:
            quote = self.words.quote(reference.at, reference.at + 1)
            lines = under_heading(quote.text, self.sections)
            if not reference.ingredients and (lines is None or i in lines):
                meanings = self._meanings(reference, i, pile)
                found += [(rank, meaning, quote) for rank, meaning in meanings]
        if found:
            _, meaning, quote = min(found, key=itemgetter(0))
            yield Reason(f'"{quote.text}" {meaning}', (quote,))

    def _meanings(
        self, reference: Reference, i: int, pile: Pile | None
    ) -> Iterator[tuple[int, str]]:
        """Why a word like "it" or "batter" can stand for an ingredient, with ranks: 0 is the
        plainest. After the name of a food, "it" means that food ("add the beef and brown it"), and
        "the egg mixture" is that of the egg."""
        at, noun = reference.at, reference.name
        if self.words.words[at] in IT and any(m.start < at for m in self.words.mentions):
            return
        before = self.words.words[at - 1] if at else "."
        if any(m.end == at for m in self.words.mentions) or before in NEWLY:
            return
        if noun not in ("it", "all"):
            if not before[-1].isalnum():  # "Fish out the cinnamon stick"
                return
            if self._is_called(noun, i, pile):
                yield 0, "is what the pile is called"
            for t in reversed(range(self.number)):
                if called(noun, i, self.trace.steps[t].piles):
                    yield 1, f"is what its pile was called in step {t + 1}"
            if pile is not None and [p for p in self.before if len(p.ingredients) > 1] == [pile]:
                yield 2, "can mean the only mixture that there is"
        if noun == "all" and i in self.used:
            yield 2, "can mean all that is under way"
        if noun != "all" and i in self.acted_last:
            yield 3, f"can mean what step {self.last + 1} worked on"

    def _is_called(self, noun: str, i: int, pile: Pile | None) -> bool:
        """Whether an ingredient's pile has this name, or the step gives it to the pile and adds no
        other pile to it."""
        if called(noun, i, self.before):
            return True
        for one in self.step.piles:
            if pile is not None and one.name == noun and set(pile.of) <= set(one.of):
                return all(p == pile or set(p.of).isdisjoint(one.of) for p in self.before)
        return False

    def _mates_named(self, i: int, pile: Pile) -> Iterator[Reason]:
        """Another member of the pile is named, and not because more of it is taken."""
        taken = {use.ingredient for use in self.step.uses}
        for j in pile.ingredients:
            quotes = self.words.naming(j)
            if j != i and j not in taken and quotes:
                yield Reason(f'its {self.names[j]} is named as "{quotes[0].text}"', tuple(quotes))
                return

    def _place(self, pile: Pile) -> Iterator[Reason]:
        for place in self.words.places:
            if place.name == pile.place and not place.fresh:
                quote = self.words.quote(place.start, place.end)
                yield Reason(f'the "{quote.text}" is where it lies', (quote,))
                return

    def _heading(self, i: int) -> Iterator[Reason]:
        section = self.trace.ingredients[i].section
        stems = heading_words(section)
        word = self.words.saying(stems)
        if word is not None:
            text = f'under "{section}", and the step says "{word.text}"'
            yield Reason(text, (word,), "heading")
        elif stems & heading_words(self.step.section):
            text = f'under "{section}", and the step is under "{self.step.section}"'
            yield Reason(text, (), "heading")

    def _joining(self, i: int) -> Iterator[Reason]:
        for pile in self.step.piles:
            for j in pile.ingredients if i in pile.ingredients else ():
                quotes = self.words.naming(j)
                if quotes and not any({i, j} <= set(one.ingredients) for one in self.before):
                    text = f'{self.names[j]}, named as "{quotes[0].text}", comes to it'
                    yield Reason(text, tuple(quotes))
                    return

    def _under_way(self, i: int) -> Iterator[Reason]:
        if i in self.acted_last:
            yield Reason(f"under way: step {self.last + 1} worked on it")

    def _lying_in(self, pile: Pile) -> Iterator[Reason]:
        if len(pile.ingredients) > 1:
            who, since = self._list(set(pile.ingredients)), self._since(pile) + 1
            what = f"the {pile.name} ({who})" if pile.name else f"the pile of {who}"
            yield Reason(f"part of {what} since step {since}")

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

    # -- How the part of a line that a use takes follows from the amounts that the step states.

    def _amount(self, use: Use) -> Iterator[Reason]:
        """Why a use takes the fraction that it takes: '"1 tablespoon" is half of the line's 2
        tablespoons'. Nothing where it is plainly the whole line, or where no amount comes to it."""
        if use.fraction is None:
            return
        left = self._left_for(use.ingredient, use.fraction)
        whole = self.trace.ingredients[use.ingredient].amount
        for stated, quote in self.words.stated(use.ingredient):
            meaning = _meaning_of(stated, whole, use.fraction)
            if not meaning and stated == Share(None) and left:
                meaning = f" is {left}"
            if meaning:
                yield Reason(f'"{quote.text}"{meaning}', (quote,), "amount")
                return
        if left:
            yield Reason(left, (), "amount")

    def _left_for(self, i: int, fraction: float) -> str:
        """The steps before that took some of an ingredient, if they left just this fraction."""
        earlier = self.trace.steps[: self.number]
        taken = {
            t: [use.fraction or 0 for use in step.uses if use.ingredient == i]
            for t, step in enumerate(earlier, start=1)
        }
        steps = [str(t) for t, fractions in taken.items() if fractions]
        rest = 1 - sum(map(sum, taken.values()))
        if not steps or rest > ALL_BUT or abs(rest - fraction) > NEAR:
            return ""
        return f"what step{'s' if len(steps) > 1 else ''} {joined(steps)} left of it"


def called(noun: str, i: int, piles: Sequence[Pile]) -> bool:
    """Whether an ingredient lies in a pile of this name."""
    return any(pile.name == noun and i in pile.ingredients for pile in piles)


def _meaning_of(stated: Amount | Share, whole: Amount | None, fraction: float) -> str:
    """How a stated amount comes to a fraction of the line's; empty where it does not."""
    if isinstance(stated, Share):
        part = stated.fraction
    else:
        part = fraction_of(stated, whole) if whole is not None else None
    if part is None or abs(part - fraction) > NEAR:
        return ""
    amount = format_amount(whole) if whole is not None else ""
    line = f"the line's {amount}" if amount else "the line"
    if isinstance(stated, Share):
        return f" of {line}"
    return " is all of the line" if part > ALL_BUT else f" is {format_part(part)} of {line}"
