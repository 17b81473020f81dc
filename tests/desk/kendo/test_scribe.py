"""The scribe derives the events of a bout from the cards on the court."""

import pytest

from desk.kendo.scribe import ACCEPT, PASS, Scribe
from referee.kendo.events import Accept, Open, Pass, Play
from referee.kendo.house_rules import preset
from tests.desk.kendo.kendo_script import Court


@pytest.fixture
def court() -> Court:
    return Court()


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(preset())


def kinds(scribe: Scribe) -> list[str]:
    return [f"{type(noted.event).__name__} {noted.event.player}" for noted in scribe.notes]


def flagged(scribe: Scribe) -> str | None:
    flag = scribe.standing_flag
    return None if flag is None else f"{flag.id}: {flag.row}"


def test_the_higher_brown_number_opens(scribe: Scribe, court: Court) -> None:
    for look in (court.lay(0, "men_uchi-2"), court.lay(1, "tsuki-4")):
        scribe.look(look)
    assert scribe.notes == []
    court.plays[0].clear()
    scribe.look(court.look(0))
    court.plays[1].clear()
    scribe.look(court.look(1))
    assert [noted.event for noted in scribe.notes] == [Open(1)]


def test_equal_numbers_are_turned_again(scribe: Scribe, court: Court) -> None:
    for numbers in ((3, 3), (5, 1)):
        scribe.look(court.lay(0, f"men_uchi-{numbers[0]}"))
        scribe.look(court.lay(1, f"kote_uchi-{numbers[1]}"))
        for side in court.plays:
            side.clear()
        scribe.look(court.look(0, 1))
    assert [noted.event for noted in scribe.notes] == [Open(0)]


def test_without_a_reveal_the_first_play_opens(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(1, "seme"))
    assert kinds(scribe) == ["Play 1"]
    assert scribe.minutes.bout.to_act == 0


def test_two_brown_cards_and_a_third_were_plays_from_the_beginning(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "men_uchi-2"))
    scribe.look(court.lay(1, "men_uchi-4"))
    scribe.look(court.lay(0, "tsuki-1"))
    assert kinds(scribe) == ["Play 0", "Play 1", "Play 0"]
    assert scribe.flags == []


def test_the_example_chain_and_a_sweep_that_gives_the_point(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "seme"))
    scribe.look(court.sweep(1))
    assert kinds(scribe) == ["Play 0", "Pass 1"]
    assert scribe.minutes.bout.ippon == (1, 0)


def test_a_pair_laid_card_by_card_is_one_play(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "jodan_no_kamae"))
    assert [flag.id for flag in scribe.flags] == ["illegal_play"]
    scribe.look(court.join(0, "do_uchi-3"))
    assert scribe.flags == []
    assert kinds(scribe) == ["Play 0"]
    assert "JODAN" in str(scribe.minutes.bout.standing)


def test_an_illegal_play_names_its_row_and_changes_nothing_until_taken_back(
    scribe: Scribe, court: Court
) -> None:
    scribe.look(court.lay(0, "oshidashi"))
    before = scribe.minutes.bout
    scribe.look(court.lay(1, "tsuyoi_kamae"))
    assert scribe.minutes.bout == before
    assert flagged(scribe) == "illegal_play: TSUYOI KAMAE"
    scribe.look(court.take_back(1))
    assert flagged(scribe) is None
    assert [noted.taken_back for noted in scribe.notes] == [False, True]
    scribe.look(court.lay(1, "kaihi_suru"))
    assert scribe.minutes.bout.opening
    assert [flag.row for flag in scribe.flags] == ["TSUYOI KAMAE"]


def test_an_illegal_play_that_is_accepted_ends_the_round(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "oshidashi"))
    scribe.look(court.lay(1, "tsuyoi_kamae"))
    scribe.say(court.t_ms, 1, ACCEPT)
    assert isinstance(scribe.notes[-1].event, Accept)
    assert scribe.standing_flag is None
    assert scribe.minutes.bout.to_act == 0


def test_a_lawful_play_taken_back_by_its_own_hand_has_not_been(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "seme"))
    scribe.look(court.lay(1, "men_uchi-3"))
    scribe.look(court.take_back(1))
    assert scribe.minutes.bout.to_act == 1
    scribe.look(court.lay(1, "tsuki-3"))
    assert [str(noted.event.cards[0]) for noted in scribe.notes if isinstance(noted.event, Play)] == [
        "seme",
        "men_uchi",
        "tsuki",
    ]
    assert "tsuki" in str(scribe.minutes.bout.standing)


def test_a_card_out_of_turn_is_flagged(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "seme"))
    scribe.look(court.lay(0, "oshidashi"))
    assert [flag.id for flag in scribe.flags] == ["out_of_turn"]


def test_who_cannot_open_says_so(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "bogyo"))
    scribe.look(court.take_back(0))
    scribe.say(court.t_ms, 0, PASS)
    assert isinstance(scribe.notes[-1].event, Pass)
    assert scribe.minutes.bout.hansoku == (1, 0)


def test_nothing_is_judged_while_a_card_cannot_be_told(scribe: Scribe, court: Court) -> None:
    scribe.look(court.lay(0, "kote-do", ""))
    assert scribe.notes == []
    assert [flag.id for flag in scribe.flags] == ["unsure"]
    court.plays[0][0][1] = "mushin"
    scribe.look(court.look())
    assert [flag.id for flag in scribe.flags] == ["unsure", "illegal_play"]
    assert scribe.flags[-1].row == "MUSHIN + red"


def test_markers_that_stay_wrong_are_flagged_with_the_next_play(scribe: Scribe, court: Court) -> None:
    court.marks = (("hajime",), ("hajime",))
    scribe.look(court.lay(0, "seme"))
    scribe.look(court.sweep(1))
    assert scribe.minutes.bout.ippon == (1, 0)
    scribe.look(court.lay(1, "seme"))
    assert [flag.id for flag in scribe.flags] == ["marker_differs"]
    court.marks = (("ippon",), ("hajime",))
    scribe.look(court.look())
    scribe.look(court.lay(0, "tsuki-2"))
    assert len(scribe.flags) == 1
