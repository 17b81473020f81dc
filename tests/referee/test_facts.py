"""Facts refuse what no measurement can say."""

from collections.abc import Callable

import pytest

from referee.facts import Gap, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.sides import Side


@pytest.mark.parametrize(
    "make",
    [
        lambda t_unc_ns: PoemStarted(1, 0, t_unc_ns),
        lambda t_unc_ns: KimarijiCompleted(1, 0, t_unc_ns),
        lambda t_unc_ns: Touch(1, Side.NEAR, 0, t_unc_ns),
        lambda t_unc_ns: Unprovable(1, None, 0, t_unc_ns, "under_head"),
    ],
)
def test_no_measurement_is_perfect(make: Callable[[int], object]) -> None:
    make(1)
    for t_unc_ns in (0, -1):
        with pytest.raises(ValueError, match=f"positive number of nanoseconds .*got {t_unc_ns}"):
            make(t_unc_ns)


@pytest.mark.parametrize("confidence", [-0.01, 1.01])
def test_confidence_is_a_probability(confidence: float) -> None:
    with pytest.raises(ValueError, match=r"0\.\.1"):
        Touch(1, Side.NEAR, 0, 1, confidence=confidence)


def test_a_gap_ends_after_it_begins() -> None:
    assert Gap(5, 5, "dropped_frames").t_to_ns == 5
    with pytest.raises(ValueError, match=r"5\.\.4 ns"):
        Gap(5, 4, "dropped_frames")


def test_a_touch_from_the_opposite_seat() -> None:
    touch = Touch(7, Side.NEAR, 0, 1, territory=Side.FAR)
    assert touch.turned() == Touch(7, Side.FAR, 0, 1, territory=Side.NEAR)
    nameless = Touch(7, None, 0, 1)
    assert nameless.turned() == nameless
