from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from npn.language.sentences import split_sentences


@pytest.mark.parametrize(
    "text",
    [
        # "|" marks where a sentence ends and the next begins.
        "Bake at 350 F. for 1 1/2 hrs. or until done;| cool.",
        "Mix well.| Bake.",
        "Add 2 tbsp. oil, 3 oz. cheese and 1 lb. beef.| Stir.",
        "Simmer 20 min. or until thick.| Serve.",
        "Simmer 20 min.| Serve hot.",
        "Cook 5 min.| add the peas",
        "Rest 10 min. per side.",
        "Stir in 2 Tbsp. Parmesan and 1 tsp. Dijon mustard.",
        "Reduce to 3 Tbsp.| Add the cream.",
        "Roast approx. 1 hr. with 1 pkg. stuffing.",
        "Heat the oven to 350 deg. F.| Grease a pan.",
        "Bake in a 350 deg. F. oven.",
        "Preheat oven to 400°F.| Line a tin.",
        "Bake at 350F. for 20 minutes.",
        "Bake at 350.| Cool on a rack.",
        "Use a No. 2 can.",
        "If the answer is no.| stop there",
        "Serve Dr. Miller's punch with St. Marcellin vs. Brie.",
        "Use a root, e.g. Turnip, i.e. not a leaf.",
        "Thanks to Mrs. Anna F. Hill.| Enjoy!",
        "It has vitamin C.| Stir it.",
        "Fold the whites in.| Pour into a 9 in. pan.",
        "Fold the whites in.| then bake",
        "Use 1.5 cups of milk and .5 cup of water.",
        "1. Mix the dough.| 2. Knead it.| 3) Bake.",
        "1.Mix the dough.| 2.Knead it.",
        "Step 1. Mix.| Step 2. Bake.",
        "a. Boil water.| b. Add rice.",
        "Bake 10 min.| 2. Cool.",
        "Stir... and stir again...| Then stop.",
        "Wait… and taste…| Serve.",
        'Cook until it is "done."| Remove.',
        'Add the "secret" (see note.) and mix.',
        "(Do not stir.)| Cover.",
        "Simmer (about 5 min.), then serve.",
        "mix well.| add milk.| bake",
        "Is it done?| Yes!| Enjoy it!!!| Truly.",
        "Mix (really!) and bake.",
        "Chop the onion;| fry it;|brown the meat.",
        "Brown the ribs, 50 min.;| turn.",
        "Toss with salt &amp; oil;| serve.",
        "Mix until done.|Add milk.| Stir.",
        "Mix until done.|add milk",
        "Cut into pieces.|20 of them will do.",
        "See www.example.com for more.",
        "HEAT THE PAN.|ADD THE MEAT.",
        "Bake at 350F.|Cool.",
        "Bake at 350øF. for an hour.",  # a degree sign, as old recipe programs wrote it
        "Brush with butter (melted;| or soft).",
        "Pour in the O.J. and stir.",
        "Boil the rice\nuntil tender.| Drain.",
        "Boil the rice|\n\nDrain it",
        "Boil the rice|\r\n\r\nDrain it",
        "Boil the rice|\n- Drain it|\n* Serve",
        "Boil the rice|\n1. Drain it|\n2) Serve",
        "Filling:| Beat the cheese.| To serve: Cut it.",
        "Note:| use fresh eggs.| Microwave Oven Method:| Cook on high.",
        "Combine: Flour, sugar and salt.| Source: My aunt.",
        "Cook for 1:30 hours at a ratio of 2:1.",
        "Combine the following: flour and salt.",
        "* Mix.| ** Bake. ***",
        "Layer the noodles.|~ 2. Add sauce.",
        "Bake, etc.| Serve with rolls, butter, etc. and jam.",
        "...",
    ],
)
def test_sentences_end_where_a_cook_would_end_them(text: str) -> None:
    expected = [part.strip() for part in text.split("|")]
    assert split_sentences(text.replace("|", "")) == expected


@pytest.mark.parametrize("text", ["", " ", "\n\n \t"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert split_sentences(text) == []


PIECES = st.sampled_from(
    ["Mix", "bake", "Add", "add", "it.", "F.", "min.", "Tbsp.", "e.g.", "No.", "c.", "J.", "350",
     "1.", "2)", "½", "é", "www.a.b", "&amp;", "...", *";.!?…:\"'()[]&~*-", "\n", "\n\n", "\r\n",
     "\t", "\u00a0", "\u2028"]
)  # fmt: skip


def _join(pieces: list[tuple[str, str]]) -> str:
    return "".join(piece + space for piece, space in pieces)


@given(st.one_of(st.text(), st.lists(st.tuples(PIECES, st.sampled_from(["", " "]))).map(_join)))
@example("Mix.\n\n)")
@example(";;\n\n;;")
def test_nothing_is_dropped_and_no_sentence_is_without_a_word(text: str) -> None:
    found = split_sentences(text)
    end = 0
    for sentence in found:
        assert sentence == sentence.strip() != ""
        start = text.index(sentence, end)
        assert not text[end:start].strip()
        end = start + len(sentence)
    assert not text[end:].strip()
    if len(found) > 1:
        assert all(any(c.isalnum() or c == "_" for c in sentence) for sentence in found)
