"""What a function says of words, remembered: words come again and again, and nothing that Python
has is faster than a dictionary asked for each word of a sentence by `map`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_MOST = 50_000  # words are endless, memory is not
_LONGEST = 40

Value = TypeVar("Value")


class Remembered(dict[str, Value]):
    """`remembered[word]` is `function(word)`, worked out once."""

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> Value:
        value = self._function(word)
        if len(word) < _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = value
        return value
