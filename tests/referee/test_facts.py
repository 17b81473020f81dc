"""Facts refuse impossible measurements."""

from collections.abc import Callable

import pytest

from referee.facts import Contact, Gap, KimarijiCompleted, PoemStarted, Touch, Unprovable
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


def test_a_touch_may_be_likelier_late_than_early() -> None:
    even, uneven = Touch(1, Side.NEAR, 100, 9), Touch(1, Side.NEAR, 100, 9, sides_ns=(4, 9))
    assert (even.earliest_ns, even.latest_ns) == (91, 109)
    assert (uneven.earliest_ns, uneven.latest_ns) == (96, 109)
    assert uneven.moved(50, 3) == Touch(1, Side.NEAR, 50, 3)
    for sides_ns in ((4, 8), (0, 9), (9, 10)):
        with pytest.raises(ValueError, match="the larger 9 ns"):
            Touch(1, Side.NEAR, 100, 9, sides_ns=sides_ns)


def test_a_swept_card_is_out_at_the_end_of_its_sweep() -> None:
    swept = Touch(1, Side.NEAR, 100, 9, sides_ns=(4, 9), out_ns=(300, 401))
    out = swept.way_out
    assert out is not None
    assert (out.contact, out.player, out.earliest_ns, out.latest_ns) == (
        Contact.PUSHED_OUT,
        Side.NEAR,
        299,
        401,
    )
    assert out.way_out is out
    assert Touch(1, Side.NEAR, 100, 9).way_out is None
    with pytest.raises(ValueError, match=r"\(300, 300\)"):
        Touch(1, Side.NEAR, 100, 9, out_ns=(300, 300))


def test_a_gap_ends_after_it_begins() -> None:
    assert Gap(5, 5, "dropped_frames").t_to_ns == 5
    with pytest.raises(ValueError, match=r"5\.\.4 ns"):
        Gap(5, 4, "dropped_frames")


def test_a_touch_from_the_opposite_seat() -> None:
    touch = Touch(7, Side.NEAR, 0, 1, territory=Side.FAR)
    assert touch.turned() == Touch(7, Side.FAR, 0, 1, territory=Side.NEAR)
    nameless = Touch(7, None, 0, 1)
    assert nameless.turned() == nameless
