"""Sentences of a recipe: what the program reads one at a time.

Recipes are written in a hurry: "Bake at 350 F. for 1 1/2 hrs. or until done; cool." is two
sentences. A semicolon always ends one and a line break alone never does; after an abbreviation
the next word decides.
"""

from __future__ import annotations

import re

from npn.language.verbs import BASE_FORMS
from npn.language.words import load_word_lists, words_of

_LISTS = load_word_lists("sentences.toml")

# Abbreviations, by what may follow them. After those of times comes the rest of the sentence, or a
# new one even without a capital ("Cook 5 min. add the peas").
TITLES = words_of(_LISTS["titles"])
MEASURES = words_of(_LISTS["measures"])
TIMES = frozenset(["deg", "degs", "f", "hr", "hrs", "min", "mins", "sec", "secs"])
ABBREVIATIONS = TITLES | MEASURES | TIMES | words_of(_LISTS["others"])
# Abbreviations after a number, words or initials elsewhere.
AMBIGUOUS = frozenset(["c", "f", "g", "in", "l", "t"])


# What may end a sentence, with the quotes and brackets that close after it.
STOP = re.compile(r"[.!?;:…\n][.!?;…\"'”’)\]]*")
BREAK = re.compile(r"\n[ \t\r]*(?:\n|[-*•]\s|\d\d?[.)]\s)")
WORD = re.compile(r"\w")
FIRST_WORD = re.compile(r"\w+")
LAST_WORD = re.compile(r"(?<!\w)\w++\Z")
NEXT_WORD = re.compile(r"[\s\"'“‘(\[*_~<-]*(\w*)")
NEXT_NUMBERING = re.compile(r"\s{1,3}\d\d?[.)]\s")
NUMBERING = re.compile(r"\W{0,4}(?:step\s{1,3})?(?:\d\d?|[a-z])\Z", re.IGNORECASE)
AFTER_NUMBER = re.compile(r"(?:[\d½¼¾⅓⅔°ºø*'-]|deg\.?|degrees?)\s?\Z", re.IGNORECASE)
CHARACTER_REFERENCE = re.compile(r"&#?\w++\Z")
# How far around a mark we look, and for an abbreviation: no further, so that time stays linear.
REACH = 40
LONGEST = 12

# Words that begin a sentence of a recipe.
OPENERS = BASE_FORMS | words_of(_LISTS["openers"])
# Of labels before a colon: those that always are, and the last words of those that never are.
NOTES = frozenset(["hint", "hints", "note", "notes", "tip", "tips", "variation", "variations"])
ATTRIBUTION = frozenset(["by", "from", "origin", "source", "subject", "to"])


def split_sentences(text: str) -> list[str]:
    """The sentences of `text`, in order: stripped substrings that together hold every character
    but the white space between them. Blank text has none; else each has a word in it, unless the
    text has no words at all."""
    sentences: list[str] = []
    last = start = 0
    wordless = 0  # no word lies between `start` and here
    for stop in STOP.finditer(text):
        begin, end = stop.span()
        if begin == start or not text[begin - 1].isalnum():
            word = WORD.search(text, wordless, begin)
            if word is None:
                wordless = end
                continue
            wordless = word.start()
        if _ends_sentence(text, start, begin, end):
            if text[begin] == "\n":
                end = begin
            sentences.append(text[start:end].strip())
            last = start
            start = wordless = end
    if sentences and not WORD.search(text, wordless):
        sentences[-1] = text[last:].strip()
    elif rest := text[start:].strip():
        sentences.append(rest)
    return sentences


def _ends_sentence(text: str, start: int, begin: int, end: int) -> bool:
    """Whether the mark at text[begin:end] ends the sentence that began at `start`."""
    mark = text[begin:end]
    if mark[0] == "\n":
        return BREAK.match(text, begin) is not None
    if end == len(text):
        return True
    if ";" in mark:
        return not CHARACTER_REFERENCE.search(text, max(start, begin - 8), begin)
    if begin - start < LONGEST and NUMBERING.match(text, start, begin):
        return False  # "1. Mix"
    found = NEXT_WORD.match(text, end, end + REACH)
    following = found[1] if found else ""
    if mark[0] == ":":
        return mark == ":" and text[end].isspace() and _is_label(text, start, begin, following)
    if not text[end].isspace():
        return _ends_before_glued(text, start, begin, end, following)
    if mark[-1] in ")]\"'”’" and following[:1].islower():
        return False
    if mark[0] in "!?":
        return True
    if mark[0] == "…" or mark.startswith(".."):
        return following[:1].isupper()
    return _ends_after_word(text, start, begin, end, following)


def _is_label(text: str, start: int, colon: int, following: str) -> bool:
    """Whether what stands before a colon is a heading of its own ("Filling: Mix ..."). An
    instruction ("Combine: ...", "To serve: ...") and a credit ("Source: ...") are not."""
    last = _last_word(text, start, colon)
    if last in NOTES:
        return True
    first = FIRST_WORD.search(text, start, start + REACH)
    if first is None or last in ATTRIBUTION or not following[:1].isupper():
        return False
    opener = first[0].lower()
    if opener not in BASE_FORMS and opener != "to":
        return True
    label = text[start : min(colon, start + REACH)]  # "Microwave Oven Directions"
    return label.istitle() and " " in label.strip()


def _ends_before_glued(text: str, start: int, begin: int, end: int, following: str) -> bool:
    """Whether a mark ends a sentence with no space before the next one: in "done.Add" it does, in
    "1.5", "O.J." and "www.example.com" it does not."""
    if text[end] != following[:1]:
        return text[end] == "~"
    before = text[begin - 1]
    word = _last_word(text, start, begin)
    if before.isupper() and len(word) < 3 and not word[:1].isdigit():
        return False
    if following[0].isupper():
        return _ends_after_word(text, start, begin, end, following)
    if following[0].isdigit():
        return len(word) > 1 and word.isalpha() and word not in ABBREVIATIONS
    return before.islower() and following in BASE_FORMS and text.startswith(following + " ", end)


def _ends_after_word(text: str, start: int, begin: int, end: int, following: str) -> bool:
    """Whether the full stop at `begin` ends a sentence, judged by the words around it."""
    word = _last_word(text, start, begin)
    unit = word.lstrip("0123456789ºø")
    capital = following[:1].isupper()
    if unit in AMBIGUOUS and unit == word:
        before = begin - len(word)
        if not AFTER_NUMBER.search(text, max(start, before - LONGEST), before):
            return len(unit) > 1 or _ends_after_letter(text, begin, following)
    if unit in TITLES:
        return False
    if unit in MEASURES:
        return capital and following.lower() in OPENERS
    if unit in TIMES:
        return (
            (capital and len(following) > 1)
            or following in BASE_FORMS
            or NEXT_NUMBERING.match(text, end, end + REACH) is not None
        )
    if unit == "no":
        return not following[:1].isdigit()
    if unit in ABBREVIATIONS:
        return capital
    if len(unit) == 1:
        return _ends_after_letter(text, begin, following)
    return True


def _ends_after_letter(text: str, begin: int, following: str) -> bool:
    """In "vitamin C. Mix" the full stop does, in "Mary C. Miller" and "e.g. Mix" it does not."""
    dotted = text[begin - 2 : begin - 1] == "."
    return following[:1].isupper() and following.lower() in OPENERS and not dotted


def _last_word(text: str, start: int, end: int) -> str:
    word = text[max(start, end - LONGEST) : end].rpartition(" ")[2]
    if not word.isalnum():
        found = LAST_WORD.search(word)
        word = found[0] if found else ""
    return word.lower()
