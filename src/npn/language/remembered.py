"""What a function says of words, remembered: words come again and again, and nothing that Python
has is faster than a dictionary asked for each word of a sentence by `map`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_LONGEST = 40  # characters: words are endless, memory is not

Value = TypeVar("Value")


class Remembered(dict[str, Value]):
    """`remembered[word]` is `function(word)`, worked out once for the last `most` words."""

    def __init__(self, function: Callable[[str], Value], most: int = 8_192) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, word: str) -> Value:
        value = self._function(word)
        if len(word) < _LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[word] = value
        return value
