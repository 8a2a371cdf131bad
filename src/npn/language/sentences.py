"""Sentences of a recipe: what the program reads one at a time.

A recipe is written in a hurry: "Bake at 350 F. for 1 1/2 hrs. or until done; cool." is two
sentences. A full stop after an abbreviation ends one only when the next word looks like a
beginning, a semicolon always ends one, and a line break alone never does.
"""

from __future__ import annotations

import re

# What may end a sentence, with the quotes and brackets that close after it; the start of a new
# paragraph, or of a numbered or bulleted line.
STOP = re.compile(r"[.!?;…]+[\"'”’)\]]*|\n[ \t\r]*(?:\n|(?=[-*•] |\d{1,2}[.)] ))")
WORD_BEFORE = re.compile(r"[^\s.,;:!?()\[\]\"/*-]*\Z")
NEXT_WORD = re.compile(r"\s*[\"'“‘(\[*_~<-]*(\w?)")

# Never the last word of a sentence.
TITLES = frozenset("dr mr mrs ms st mt vs approx eg ie e.g i.e no nos fig jr prof".split())
# Last word of a sentence only if the next one begins with a capital.
UNITS = frozenset(
    """tbsp tbsps tbls tblsp tbl tbs tb tsp tsps teas ts oz ozs lb lbs min mins hr hrs sec secs deg
    degs f c g gr gm gms kg ml l cl dl pkg pkgs pkt pk qt qts pt pts gal gals in ft cm mm cu sq
    env ctn jar lg sm med temp avg max doz dz pc pcs sl ea bu bn cn ct reg opt est incl ref
    refrig veg asst con cont pref prep orig ingred ingr proc qty amt t ca etc""".split()
)


def split_sentences(text: str) -> list[str]:
    """The sentences of `text`, in order: stripped substrings that together hold every character
    but the white space between them. Blank text has none."""
    sentences: list[str] = []
    start = 0
    for stop in STOP.finditer(text):
        end = stop.end()
        if _ends_sentence(text, start, stop.start(), end):
            sentence = text[start:end].strip()
            if sentence:
                sentences.append(sentence)
            start = end
    rest = text[start:].strip()
    if rest:
        sentences.append(rest)
    return sentences


def _ends_sentence(text: str, start: int, stop: int, end: int) -> bool:
    """Whether the mark at text[stop:end] ends the sentence that began at `start`."""
    mark = text[stop]
    if mark in ";\n":
        return True
    following = text[end : end + 40]
    if mark in "!?":
        return not following or following[0].isspace()
    if not following:
        return True
    glued = not following[0].isspace()
    found = NEXT_WORD.match(following)
    initial = found[1] if found else ""
    before = WORD_BEFORE.search(text, max(start, stop - 20), stop)
    word = before[0] if before else ""
    if glued:  # "done.Add" is two sentences, "1.5", "e.g." and "www.example.com" none
        return len(word) > 1 and word[-1].islower() and following[0].isupper()
    if text[stop:end].startswith(("..", "…")):
        return initial.isupper()
    lower = word.lower()
    if lower in TITLES:
        return False
    if lower in UNITS:
        return initial.isupper()
    if lower.isdigit():
        return text[start:stop].strip() != lower  # "1. Mix" is numbered
    if len(lower) == 1:
        return False
    return True
