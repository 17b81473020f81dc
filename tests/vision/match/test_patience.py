"""Looks at which an eye fails are left out, as long as they are rare."""

import pytest

from vision.match.endurance import SkippedLooks

S = 1_000_000_000


def fail() -> list[int]:
    raise KeyError("a picture " * 1000)


def test_looks_that_fail_are_left_out_until_many_fail() -> None:
    looks = SkippedLooks()
    assert looks.tried(lambda: [7], 0) == [7]
    assert [looks.tried(fail, t_s * S) for t_s in (1, 2, 3, 4, 5)] == [[]] * 5
    assert looks.tried(lambda: [8], 6 * S) == [8]
    with pytest.raises(KeyError):
        looks.tried(fail, 10 * S)
    assert looks.tried(fail, 12 * S) == [], "the first of the five is ten seconds ago"
    assert "KeyError, test_patience.py:" in looks.failures[0]
    assert len(looks.failures) == 6
    assert all(len(failure) < 400 for failure in looks.failures)
