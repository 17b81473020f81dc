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


def test_what_a_start_tells() -> None:
    table = Table()
    table.run(1.0)
    (start,) = table.started
    assert (start.step, start.steps, start.samples) == (0, 3, 240_000)
    assert start.t_unc_ns > 0
    assert start.fact is not None
    assert (start.fact.poem, start.fact.t_ns) == (17, 500_000_000)
    assert start.mora_ns(1) == 500_000_000 + 200_000_000
    assert start.mora_ns(2) == 500_000_000 + 5_000_000_000
    assert start.mora_ns(3) is None


def test_only_first_halves_are_facts() -> None:
    table = Table()
    table.run(9.0)
    assert [start.fact is None for start in table.started] == [False, True]


def test_it_waits_for_the_field_to_settle() -> None:
    table = Table()
    table.run(3.0)
    table.reciter.do(Act.SETTLED, 0)
    table.run(20.0)
    assert table.heard() == ["17 kami"]
    table.reciter.do(Act.SETTLED, 1)
    table.run(0.1)
    assert table.heard() == ["17 kami", "17 shimo"]


def test_go_overrules_an_unsettled_field_and_the_wait() -> None:
    table = Table(wait_s=500.0)
    table.reciter.do(Act.SETTLED, 0)
    table.run(1.0)
    assert table.heard() == []
    table.reciter.do(Act.GO)
    table.run(6.0)
    assert table.heard() == ["17 kami"]
    table.reciter.do(Act.GO)
    table.run(0.1)
    assert table.heard() == ["17 kami", "17 shimo"]


def test_by_hand_every_step_waits_for_go() -> None:
    table = Table(by_hand=True)
    table.run(5.0)
    assert table.heard() == []
    for _ in range(3):
        table.reciter.do(Act.GO)
        table.run(30.0)
    assert table.heard() == ["17 kami", "17 shimo", "4 kami", "4 shimo"]
    assert table.reciter.state is State.ENDED


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


def test_repeat_reads_the_last_half_again_and_goes_on() -> None:
    table = Table()
    table.run(10.0)
    table.reciter.do(Act.REPEAT)
    table.run(10.0)
    assert table.heard() == ["17 kami", "17 shimo", "17 shimo", "4 kami"]


def test_repeat_while_waiting_reads_only_the_last_half() -> None:
    table = Table(by_hand=True)
    table.reciter.do(Act.GO)
    table.run(8.0)
    table.reciter.do(Act.REPEAT)
    table.run(8.0)
    assert table.heard() == ["17 kami", "17 kami"]
    assert table.reciter.step == 1


def test_repeat_before_anything_was_read_does_nothing() -> None:
    table = Table(by_hand=True)
    table.reciter.do(Act.REPEAT)
    table.run(3.0)
    assert table.heard() == []


def test_skip_leaves_out_the_rest_of_the_step_and_waits() -> None:
    table = Table()
    table.run(10.0)
    table.reciter.do(Act.SKIP)
    table.run(10.0)
    assert table.reciter.state is State.WAITING
    assert table.reciter.step == 2
    table.reciter.do(Act.GO)
    table.run(1.0)
    assert table.heard() == ["17 kami", "17 shimo", "4 shimo"]


def test_skipping_the_last_step_ends_the_reading() -> None:
    table = Table(by_hand=True)
    for _ in range(3):
        table.reciter.do(Act.SKIP)
    assert table.reciter.state is State.ENDED
    table.reciter.do(Act.SKIP)
    table.reciter.do(Act.GO)
    table.run(1.0)
    assert table.heard() == []


def test_rewind_takes_the_current_step_back_and_then_the_one_before() -> None:
    table = Table()
    table.run(10.0)
    table.reciter.do(Act.REWIND)
    assert table.reciter.step == 1
    table.reciter.do(Act.REWIND)
    assert table.reciter.step == 0
    table.reciter.do(Act.REWIND)
    table.reciter.do(Act.GO)
    table.run(2.0)
    assert table.heard() == ["17 kami", "17 shimo", "17 kami"]


def test_rewind_goes_on_after_the_end() -> None:
    table = Table((17,))
    table.run(30.0)
    table.reciter.do(Act.REWIND)
    table.reciter.do(Act.GO)
    table.run(1.0)
    assert "ended 2" in [text for _, text in table.log]
    assert table.heard() == ["17 kami", "17 shimo", "17 shimo"]


def test_stop_after_the_half_reads_it_to_its_end_and_goes_on_with_the_next() -> None:
    table = Table()
    table.run(10.0)
    table.reciter.do(Act.STOP_AFTER_HALF)
    table.run(10.0)
    assert table.heard() == ["17 kami", "17 shimo"]
    assert table.reciter.state is State.WAITING
    table.reciter.do(Act.GO)
    table.run(1.0)
    assert table.heard() == ["17 kami", "17 shimo", "4 kami"]


def test_stop_after_the_half_before_the_first_sound_reads_nothing() -> None:
    table = Table()
    table.run(0.2)
    table.reciter.do(Act.STOP_AFTER_HALF)
    table.run(3.0)
    assert table.heard() == []
    table.reciter.do(Act.GO)
    table.run(6.0)
    assert table.heard() == ["17 kami"]


def test_stop_fades_and_reads_the_broken_half_again() -> None:
    table = Table()
    table.run(10.0)
    table.reciter.do(Act.STOP, 0.5)
    table.run(5.0)
    assert table.reciter.state is State.WAITING
    table.reciter.do(Act.GO)
    table.run(9.0)
    assert table.heard() == ["17 kami", "17 shimo", "17 shimo", "4 kami"]


def test_nothing_to_read_has_ended() -> None:
    table = Table(())
    table.run(1.0)
    assert table.reciter.state is State.ENDED


@pytest.mark.parametrize("act", [Act.PAUSE, Act.RESUME, Act.STOP, Act.STOP_AFTER_HALF])
def test_acts_that_make_no_sense_now_are_ignored(act: Act) -> None:
    table = Table(by_hand=True)
    table.reciter.do(act)
    table.run(1.0)
    assert table.reciter.state is State.WAITING
    table.reciter.do(Act.GO)
    table.run(2.0)
    assert table.heard() == ["17 kami"]


def test_at_most_two_steps_of_clips_are_kept() -> None:
    table = Table(tuple(range(1, 30)), wait_s=0.0)
    table.run(60.0)
    assert len(table.reciter._clips) <= 4


def test_the_same_order_again_after_the_game() -> None:
    table = Table(wait_s=0.1)
    table.run(40.0)
    assert table.heard() == ["17 kami", "17 shimo", "4 kami", "4 shimo"]
    table.reciter.do(Act.AGAIN)
    table.run(20.0)
    assert len(table.heard()) == 4, "it waits for the players"
    table.reciter.do(Act.GO)
    table.run(40.0)
    assert table.heard()[4:] == ["17 kami", "17 shimo", "4 kami", "4 shimo"]


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
