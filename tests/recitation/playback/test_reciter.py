"""The reader at the table, second by second, without sound: its waits, and the effect of each command."""

import pytest

from recitation.playback.reports import Act, Announced, State
from recitation.reading.memorisation import Announcement
from tests.recitation.playback.quiet_table import Table


def test_a_whole_reading_in_time() -> None:
    table = Table()
    table.run(40.0)
    assert table.log == [
        (0.01, "reading 0"),
        (0.5, "17 kami"),
        (5.51, "waiting 1"),
        (7.51, "reading 1"),
        (7.5, "17 shimo"),
        (15.5, "4 kami"),
        (20.51, "waiting 2"),
        (22.51, "reading 2"),
        (22.5, "4 shimo"),
        (29.51, "ended 3"),
    ]
    shimo, kami = table.started[1:3]
    assert kami.t_ns - shimo.t_ns == 8_000_000_000, "4 + 3 + 1 seconds, exactly"


@pytest.mark.parametrize(
    ("by_hand", "script", "heard", "state"),
    [
        # the field is not settled, until it is
        (False, "3 settled=0 20", "17k", "waiting 1"),
        (False, "3 settled=0 20 settled=1 0.1", "17k 17s", "reading 1"),
        (False, "settled=0 1", "", "waiting 0"),
        (False, "settled=0 1 go 6", "17k", "waiting 1"),
        (True, "5", "", "waiting 0"),
        (True, "go 30 go 30 go 30", "17k 17s 4k 4s", "ended 3"),
        (False, "10 repeat 10", "17k 17s 17s 4k", "reading 1"),
        (True, "go 8 repeat 8", "17k 17k", "waiting 1"),
        (True, "repeat 3", "", "waiting 0"),
        (False, "10 skip 10", "17k 17s", "waiting 2"),
        (False, "10 skip 10 go 1", "17k 17s 4s", "reading 2"),
        (True, "skip skip skip skip go 1", "", "ended 3"),
        (False, "10 rewind", "17k 17s", "waiting 1"),
        (False, "10 rewind rewind rewind go 1", "17k 17s 17k", "reading 0"),
        (False, "40 rewind go 1", "17k 17s 4k 4s 4s", "reading 2"),
        (False, "10 stop_after_half 10", "17k 17s", "waiting 1"),
        (False, "10 stop_after_half 10 go 1", "17k 17s 4k", "reading 1"),
        (False, "0.2 stop_after_half 3", "", "waiting 0"),
        (False, "0.2 stop_after_half 3 go 6", "17k", "waiting 1"),
        (False, "10 stop=0.5 5", "17k 17s", "waiting 1"),
        (False, "10 stop=0.5 5 go 9", "17k 17s 17s 4k", "reading 1"),
        (False, "40 again 20", "17k 17s 4k 4s", "waiting 0"),
        (False, "40 again 20 go 40", "17k 17s 4k 4s 17k 17s 4k 4s", "ended 3"),
        # what makes no sense now is ignored
        (True, "pause resume stop stop_after_half 1 go 2", "17k", "reading 0"),
    ],
)
def test_each_command(by_hand: bool, script: str, heard: str, state: str) -> None:
    table = Table(by_hand=by_hand)
    for word in script.split():
        name, _, value = word.partition("=")
        if name.replace(".", "").isdecimal():
            table.run(float(name))
        else:
            table.reciter.do(Act(name), float(value or 0))
    short = [text.replace(" kami", "k").replace(" shimo", "s") for text in table.heard()]
    assert " ".join(short) == heard
    assert f"{table.reciter.state} {table.reciter.step}" == state


def test_a_start_tells_its_moras_and_the_fact_of_a_first_half() -> None:
    table = Table()
    table.run(9.0)
    start, shimo = table.started
    assert (start.step, start.steps, start.samples) == (0, 3, 240_000)
    assert start.fact is not None
    assert (start.fact.poem, start.fact.t_ns) == (17, 500_000_000)
    assert [start.mora_ns(count) for count in (1, 2, 3)] == [700_000_000, 5_500_000_000, None]
    assert shimo.fact is None


def test_a_pause_shifts_the_rest_by_its_own_length() -> None:
    table = Table()
    table.run(10.0)
    table.reciter.do(Act.PAUSE)
    table.run(5.0)
    assert table.reciter.state is State.PAUSED
    table.reciter.do(Act.RESUME)
    table.run(12.0)
    shimo, kami = table.started[1:3]
    assert 12.9 < (kami.t_ns - shimo.t_ns) / 1e9 < 13.1


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_half_that_nobody_heard_is_read_again_when_there_is_sound_and_no_sooner(by_hand: bool) -> None:
    table = Table(by_hand=by_hand)
    table.reciter.do(Act.GO)
    table.run(2.0)
    table.reciter.lose_sound()
    table.run(1.0)
    table.reciter.do(Act.GO)  # somebody presses Next before there is sound again
    table.run(5.0)
    assert table.reciter.state is State.PAUSED
    assert table.heard() == ["17 kami"]
    table.reciter.go_on()
    table.run(2.0)
    assert table.heard() == ["17 kami", "17 kami"]


def test_a_pause_before_the_sound_is_lost_stays_one() -> None:
    table = Table()
    table.run(2.0)
    table.reciter.do(Act.PAUSE)
    table.reciter.lose_sound()
    table.reciter.go_on()
    table.run(1.0)
    assert table.reciter.state.value == "paused"
    table.reciter.lose_sound()
    table.reciter.do(Act.RESUME)
    table.reciter.go_on()
    table.run(1.0)
    assert table.reciter.state.value == "reading"
    assert table.heard() == ["17 kami"], "it was not cut off: it goes on where it paused"


def test_the_rules_have_the_time_to_memorise_announced_and_the_joka_waits_for_its_end() -> None:
    table = Table(by_hand=True)
    table.run(1.0)
    table.reciter.do(Act.TWO_MINUTES)
    table.run(6.0)
    assert table.timeline.is_idle
    assert table.reciter.state is State.WAITING
    table.reciter.do(Act.TIME)
    table.reciter.do(Act.GO)
    table.run(0.5)
    assert table.heard() == [], "what is said is not read over"
    table.run(6.0)
    assert table.heard() == ["17 kami"]
    table.reciter.do(Act.TWO_MINUTES)  # nothing is announced into a poem
    assert Announced(Announcement.TWO_MINUTES) not in table.reciter.reports
