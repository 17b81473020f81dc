"""The hall's clock on a scripted real one: real time, faster, late, and standing still."""

import pytest

from desk.tables.simulated.scripted_table import ScriptedClock

MS = 1_000_000


class RealTime:
    """A stand-in for the real clock that advances only by sleeping or when the test says so."""

    def __init__(self) -> None:
        self.now_ns = 77 * MS

    def __call__(self) -> int:
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)


@pytest.fixture
def real() -> RealTime:
    return RealTime()


def clock_of(real: RealTime, speed: float = 1.0) -> ScriptedClock:
    return ScriptedClock(speed, 20 * MS, real.sleep, real)


@pytest.mark.parametrize(("speed", "real_ms"), [(1.0, 1000), (4.0, 250), (0.5, 2000)])
def test_a_picture_is_shown_when_its_time_has_come(real: RealTime, speed: float, real_ms: int) -> None:
    clock, begin_ns = clock_of(real, speed), real.now_ns
    for t_ms in range(0, 1001, 20):
        clock.show(t_ms * MS)
    assert real.now_ns - begin_ns == pytest.approx(real_ms * MS, abs=100)
    assert clock() == 1000 * MS
    assert clock.late_ns == 0


def test_a_hall_that_is_too_slow_slows_its_time_down(real: RealTime) -> None:
    clock = clock_of(real)
    clock.show(20 * MS)
    real.sleep(1.0)
    clock.show(40 * MS)
    assert clock.late_ns == 980 * MS
    assert clock() == 40 * MS
    begin_ns = real.now_ns
    clock.show(60 * MS)
    assert real.now_ns - begin_ns == 20 * MS, "it does not hurry after the lost time"
    assert clock.late_ns == 0


def test_it_never_runs_backwards(real: RealTime) -> None:
    clock = clock_of(real)
    seen = []
    for t_ms, pause_s in ((20, 0.001), (40, 0.3), (60, 0.001), (90, 0.02), (110, 0.15), (130, 0.0)):
        clock.show(t_ms * MS)
        seen.append(clock())
        real.sleep(pause_s)
        seen.append(clock())
    assert seen == sorted(seen)
