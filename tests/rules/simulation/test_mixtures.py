"""Mixtures side by side: which was touched last, and which are groups."""

from hypothesis import given
from hypothesis import strategies as st

from npn.rules.simulation.states import TOUCHED, Mixtures

DEEDS = st.tuples(
    st.sampled_from(["begin", "join", "take out", "divide", "touch"]),
    st.integers(0, 5),
    st.integers(0, 5),
)


@given(st.lists(DEEDS))
def test_the_last_touched_and_the_groups_are_known_whatever_was_done(
    deeds: list[tuple[str, int, int]],
) -> None:
    mixtures = Mixtures()
    for deed, i, j in deeds:
        one, other = mixtures.holding(i), mixtures.holding(j)
        if deed == "begin" and one is None:
            mixtures.begin([i])
        elif deed == "join" and one is not None and other is not None:
            mixtures.join([one, other])
        elif deed == "take out" and one is not None:
            mixtures.take_out([i])
            mixtures.touch(one)  # which may be gone
        elif deed == "divide" and one is not None:
            mixtures.divide(i)
        elif deed == "touch" and one is not None:
            mixtures.touch(one)
        assert mixtures.last() is max(mixtures.all, key=TOUCHED, default=None)
        besides = mixtures.all[:1]
        assert mixtures.last(besides) is max(mixtures.all[1:], key=TOUCHED, default=None)
        several = {tuple(sorted(m.members)) for m in mixtures.all if len(m.members) > 1}
        assert mixtures.groups == tuple(sorted(several))
        assert mixtures.copy().groups == mixtures.groups
