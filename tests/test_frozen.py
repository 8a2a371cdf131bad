"""Frozen dataclasses that are made quickly are frozen dataclasses all the same."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from inspect import signature

import pytest

from npn.frozen import quickly_made


@dataclass(frozen=True, slots=True)
class Plain:
    """As Python makes it."""

    name: str
    weight: float = 1.0
    state: Mapping[str, str] = field(default_factory=dict, hash=False)


@quickly_made
@dataclass(frozen=True, slots=True)
class Quick:
    """The same, made quickly."""

    name: str
    weight: float = 1.0
    state: Mapping[str, str] = field(default_factory=dict, hash=False)


def test_it_keeps_what_it_is_given() -> None:
    one = Quick("salt", state={"shape": "separated"})
    assert (one.name, one.weight, one.state) == ("salt", 1.0, {"shape": "separated"})
    assert repr(one) == "Quick(name='salt', weight=1.0, state={'shape': 'separated'})"


def test_it_is_frozen() -> None:
    one = Quick("salt")
    with pytest.raises(FrozenInstanceError):
        one.name = "pepper"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.name
    assert not hasattr(one, "__dict__")


def test_equal_ones_are_equal_and_hash_alike() -> None:
    assert Quick("salt", 0.5) == Quick("salt", 0.5) != Quick("salt", 0.25)
    assert {Quick("salt"), Quick("salt", state={"shape": "hit"})} == {
        Quick("salt"),
        Quick("salt", state={"shape": "hit"}),
    }
    assert hash(Quick("salt", 0.5)) == hash(Quick("salt", 0.5, {"shape": "hit"}))


def test_it_is_a_dataclass() -> None:
    assert [one.name for one in fields(Quick)] == ["name", "weight", "state"]
    assert replace(Quick("salt", 0.5), name="pepper") == Quick("pepper", 0.5)
    assert deepcopy(Quick("salt", 0.5)) == Quick("salt", 0.5)


def test_no_two_share_what_a_factory_makes() -> None:
    assert Quick("salt").state is not Quick("salt").state


def test_it_takes_the_same_arguments() -> None:
    assert signature(Quick) == signature(Plain)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        Quick("salt", colour="white")  # type: ignore[call-arg]


def test_a_class_that_does_more_when_it_is_made_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        name: str

        def __post_init__(self) -> None:
            assert self.name

    @dataclass(frozen=True, slots=True)
    class Counted:
        name: str
        count: int = field(default=0, init=False)

    for one in (Checked, Counted):
        with pytest.raises(TypeError, match="does more than to keep its arguments"):
            quickly_made(one)
