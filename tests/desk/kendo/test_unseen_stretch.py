"""Events while the court of Kendo cards is out of sight are never flagged."""

from desk.kendo.lines import scribe_of
from desk.kendo.scribe import Scribe
from referee.kendo.events import Play
from referee.kendo.house_rules import preset
from tests.desk.kendo.kendo_script import Court


def opened() -> tuple[Scribe, Court]:
    scribe, court = Scribe(preset()), Court()
    scribe.look(court.lay(0, "men_uchi-2"))
    scribe.look(court.lay(1, "men_uchi-4"))
    scribe.look(court.lay(0, "tsuki-1"))
    return scribe, court


def ids(scribe: Scribe) -> list[str]:
    return [flag.id for flag in scribe.flags]


def test_a_court_that_lies_as_before_costs_nothing() -> None:
    scribe, court = opened()
    before = len(scribe.notes), scribe.flags[:]
    scribe.unseen(3000.0, 9000.0)
    scribe.look(court.look(0))
    assert (len(scribe.notes), scribe.flags) == before
    assert not scribe.is_uncertain


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


def test_the_first_play_of_a_bout_that_is_taken_up_unseen_was_no_sweep() -> None:
    scribe, court = Scribe(preset()), Court()
    scribe.look(court.lay(0, "jodan_no_kamae"))
    assert scribe.standing_flag is not None
    scribe.unseen(1100.0, 1900.0)
    court.take_back(0)
    scribe.look(court.look())
    assert [noted.taken_back for noted in scribe.notes] == [True]
