"""What a sentence says: its verbs, clauses, places and references."""

from pathlib import Path

from npn.language.words import load_word_lists

WORDS = load_word_lists("words.toml", Path(__file__).parent)
