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


def test_a_few_thousand_words_are_kept_and_no_more() -> None:
    numbers = Remembered(int)
    assert all(numbers[str(number)] == number for number in range(20_000))
    assert len(numbers) < 10_000


def test_endless_words_are_not_kept() -> None:
    lengths = Remembered(len)
    assert lengths["x" * 1_000] == 1_000
    assert not lengths
