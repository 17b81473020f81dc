"""How long a thread may work between two frames."""

import pytest

from vision.poem import spare_time
from vision.poem.spare_time import SpareTime

MS = 1_000_000


class Thread:
    """CPU time of a thread that works as long as it is told."""

    def __init__(self) -> None:
        self.t_ns = 5 * MS

    def thread_time_ns(self) -> int:
        return self.t_ns


@pytest.fixture
def thread(monkeypatch: pytest.MonkeyPatch) -> Thread:
    works = Thread()
    monkeypatch.setattr(spare_time, "time", works)
    return works


def test_most_of_a_frame_may_be_worked(thread: Thread) -> None:
    assert SpareTime().ends_ns(8 * MS) - thread.t_ns == 7_200_000


def test_what_the_frame_itself_took_is_counted(thread: Thread) -> None:
    spare = SpareTime()
    thread.t_ns += 3 * MS
    assert spare.ends_ns(8 * MS) - thread.t_ns == 4_200_000


def test_what_was_worked_too_long_is_taken_from_later_frames(thread: Thread) -> None:
    spare = SpareTime()
    spare.frame_begins(100 * MS)
    thread.t_ns += 20 * MS
    spare.frame_begins(108 * MS)
    assert spare.ends_ns(8 * MS) < thread.t_ns  # 12 ms late: nothing to spare
    spare.frame_begins(116 * MS)
    spare.frame_begins(124 * MS)
    assert spare.ends_ns(8 * MS) - thread.t_ns == 7_200_000


def test_frames_without_work_ahead_are_over_with_what_they_took(thread: Thread) -> None:
    spare = SpareTime()
    for number in range(50):
        spare.frame_begins(100 * MS + number * 8 * MS)
        thread.t_ns += 3 * MS
    assert spare.ends_ns(8 * MS) - thread.t_ns == 4_200_000


def test_time_that_was_not_needed_is_not_saved_up(thread: Thread) -> None:
    spare = SpareTime()
    spare.frame_begins(100 * MS)
    spare.frame_begins(200 * MS)
    assert spare.ends_ns(8 * MS) - thread.t_ns == 7_200_000
