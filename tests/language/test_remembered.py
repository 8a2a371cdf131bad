"""What is remembered of words is worked out once, and never more than memory allows."""

from npn.language.words import Remembered


def test_a_word_is_worked_out_once() -> None:
    asked: list[str] = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    lengths = Remembered(length)
    assert [lengths["salt"], lengths["salt"], lengths["pepper"]] == [4, 4, 6]
    assert asked == ["salt", "pepper"]


def test_no_more_words_are_kept_than_it_is_told() -> None:
    lengths = Remembered(len, most=3)
    assert [lengths["x" * n] for n in range(10)] == list(range(10))
    assert len(lengths) <= 3


def test_endless_words_are_not_kept() -> None:
    lengths = Remembered(len)
    assert lengths["x" * 1_000] == 1_000
    assert not lengths
