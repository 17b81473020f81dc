"""The scribe derives the events of a bout from the cards on the court."""

import pytest

from desk.kendo.lines import scribe_of
from desk.kendo.scribe import ACCEPT, Scribe
from referee.kendo.events import Accept, Open, Play
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


def opened() -> tuple[Scribe, Court]:
    scribe, court = Scribe(preset()), Court()
    scribe.look(court.lay(0, "men_uchi-2"))
    scribe.look(court.lay(1, "men_uchi-4"))
    scribe.look(court.lay(0, "tsuki-1"))
    return scribe, court


def ids(scribe: Scribe) -> list[str]:
    return [flag.id for flag in scribe.flags]


def test_nothing_is_judged_until_the_court_has_been_swept() -> None:
    scribe, court = opened()
    known = ids(scribe)
    scribe.unseen(3000.0, 9000.0)
    court.plays[0].clear()
    scribe.look(court.lay(1, "seme"))
    scribe.look(court.lay(1, "fudoshin"))
    assert ids(scribe) == [*known, "unsure"]
    court.plays[0].clear()
    court.plays[1].clear()
    scribe.look(court.look(0, 1))
    scribe.look(court.lay(1, "seme"))
    assert ids(scribe) == [*known, "unsure"]
    assert isinstance(scribe.notes[-1].event, Play)
    assert scribe.minutes.bout.to_act == 0
    assert scribe_of(scribe)["certain"] is False


def test_words_of_an_unseen_part_are_not_refused() -> None:
    scribe, court = opened()
    known = ids(scribe)
    scribe.unseen(3000.0, 9000.0)
    scribe.say(5000.0, 1, "cede")
    court.plays[0].clear()
    court.plays[1].clear()
    scribe.look(court.look(0, 1))
    scribe.say(9500.0, 1, "new_deal")
    assert ids(scribe) == [*known, "unsure"]


def with_illegal_play() -> tuple[Scribe, Court]:
    """Seat 1 has answered with a card that no row allows."""
    scribe, court = Scribe(preset()), Court()
    scribe.look(court.lay(0, "oshidashi"))
    scribe.look(court.lay(1, "tsuyoi_kamae"))
    assert scribe.standing_flag is not None
    return scribe, court


def test_an_illegal_play_that_is_taken_up_unseen_was_put_right() -> None:
    scribe, court = with_illegal_play()
    known = ids(scribe)
    scribe.unseen(5000.0, 5400.0)
    court.take_back(1)
    scribe.look(court.look())  # the arm has left by then
    assert scribe.notes[-1].taken_back
    assert ids(scribe) == known
    assert not scribe.is_uncertain


def test_more_may_have_happened_while_nobody_looked_for_long() -> None:
    scribe, court = with_illegal_play()
    scribe.unseen(5000.0, 9000.0)
    scribe.look(court.take_back(1))
    assert scribe.notes[-1].taken_back, "what is illegal and lies there no more does not count"
    assert scribe.is_uncertain
    assert ids(scribe)[-1] == "unsure"
