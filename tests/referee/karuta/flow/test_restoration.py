"""Between two poems: sent cards, displaced cards, and cards that could not be read."""

from math import nextafter

import pytest

from referee.karuta.flow.follow_ups import Notice, NoticeId, notice
from referee.karuta.flow.restoration import IN_PLACE_M, compare
from referee.layout import Layout, PlacedCard
from referee.notation import format_layout, parse_layout
from referee.sides import BySide, Side

HOME = parse_layout("near 1 2|3/4|/| far 51 52|53/54|/|")
NOTHING = BySide(0, 0)


def lay(line: str) -> Layout:
    return parse_layout(line)


def test_a_field_in_order_misses_nothing() -> None:
    seen = compare(HOME, HOME, NOTHING)
    assert (seen.home, seen.missing, seen.news, seen.sent) == (HOME, (), (), frozenset())


def test_small_shifts_are_followed() -> None:
    shifted = lay("near 1@-405,52 2|3/4|/| far 51 52|53/54|/|")
    seen = compare(HOME, shifted, NOTHING)
    assert (seen.home, seen.missing) == (shifted, ())


def test_displaced_and_missing_cards_are_named_and_keep_their_places() -> None:
    seen = compare(HOME, lay("near 1@-380,51.5|3/4|/| far 51 52|53/54|/|"), NOTHING)
    assert seen.missing == (
        notice(NoticeId.CARD_DISPLACED, side="near", card=1),
        notice(NoticeId.CARD_MISSING, side="near", card=2),
    )
    assert seen.home == HOME


def test_a_sent_card_settles_the_debt_and_belongs_where_it_was_laid() -> None:
    after = lay("near 1|3/4|/| far 51 52|2 53/54|/|")
    seen = compare(HOME, after, BySide(1, 0))
    assert (seen.home, seen.owed, seen.missing) == (after, NOTHING, ())
    assert seen.sent == {2}
    assert seen.news == (notice(NoticeId.CARD_SENT, side="near", card=2),)


def test_the_receiver_may_place_a_sent_card_again_but_the_sender_may_not_take_it_back() -> None:
    sent = lay("near 1|3/4|/| far 51 52|2 53/54|/|")
    placed = lay("near 1|3/4|/| far 51 52|53/54|/|2")
    assert compare(sent, placed, NOTHING, sent=frozenset({2})).home == placed
    back = compare(sent, HOME, NOTHING, sent=frozenset({2}))
    assert back.missing == (notice(NoticeId.SENT_CARD_STAYS, side="near", card=2),)
    assert back.home == sent


def test_what_is_still_owed_is_named() -> None:
    seen = compare(HOME, lay("near 1|3/4|/| far 51 52|2 53/54|/|"), BySide(2, 0))
    assert seen.missing == (notice(NoticeId.OWES_CARDS, side="near", count=1),)
    assert seen.owed == BySide(1, 0)


@pytest.mark.parametrize(("owed", "surplus"), [(NOTHING, 2), (BySide(1, 0), 1)])
def test_sends_without_a_right_go_back(owed: BySide[int], surplus: int) -> None:
    seen = compare(HOME, lay("near |3/4|/| far 51 52|1 2 53/54|/|"), owed)
    assert seen.missing[0] == notice(NoticeId.SENT_WITHOUT_RIGHT, side="near", count=surplus, cards=(1, 2))
    assert (seen.home, seen.owed, seen.sent) == (HOME, owed, frozenset())


def test_announced_rearranging_moves_the_home() -> None:
    moved = lay("near 2|1 3/4|/| far 51|52 53/54|/|")
    seen = compare(HOME, moved, NOTHING, rearranging={Side.NEAR})
    assert seen.missing == (notice(NoticeId.CARD_DISPLACED, side="far", card=52),)
    assert seen.news == (
        notice(NoticeId.REARRANGED, side="near", card=1),
        notice(NoticeId.REARRANGED, side="near", card=2),
    )
    assert format_layout(seen.home) == "near 2|1 3/4|/| far 51 52|53/54|/|"


def test_cards_that_do_not_belong_are_named() -> None:
    seen = compare(HOME, lay("near 1 2|3/4|/| far 51 52|53/54|99/|77"), NOTHING, taken={77})
    assert seen.missing == (
        notice(NoticeId.FOREIGN_CARD, card=99),
        notice(NoticeId.TAKEN_CARD_ON_FIELD, card=77),
    )


def test_an_unread_card_is_the_one_whose_place_it_fills() -> None:
    seen = compare(HOME, lay("near 1 ?@-355,52|3/4|/| far 51 52|53/?|/|"), NOTHING)
    assert seen.missing == ()
    assert seen.home.find(2) is not None
    assert seen.home.side_of(54) is Side.FAR


def test_a_misread_card_is_the_one_whose_place_it_fills() -> None:
    seen = compare(HOME, lay("near 1 99|3/4|/| far 51 52|53/54|/|"), NOTHING)
    assert (seen.missing, seen.home) == ((), HOME)


def test_two_unread_cards_fill_two_places() -> None:
    seen = compare(HOME, lay("near ?@-400,51.5 ?@-375,51.5|3/4|/| far 51 52|53/54|/|"), NOTHING)
    assert seen.missing == ()
    first, second = seen.home.find(1), seen.home.find(2)
    assert first is not None
    assert second is not None
    assert (first.x_m, second.x_m) == (-0.4, -0.375)


def test_an_unread_card_is_not_looked_for_across_the_middle_line() -> None:
    home = lay("near 1@0,2|/|/| far 51@300,-2|/|/|")
    seen = compare(home, lay("near |/|/| far ?@0,-2 51@300,-2|/|/|"), NOTHING)
    assert seen.missing[0] == notice(NoticeId.CARD_MISSING, side="near", card=1)


def test_an_unread_card_is_nobody_who_is_seen_elsewhere() -> None:
    seen = compare(HOME, lay("near 1 ?|3/4 2|/| far 51 52|53/54|/|"), NOTHING)
    assert seen.missing == (
        notice(NoticeId.CARD_DISPLACED, side="near", card=2),
        notice(NoticeId.CARD_UNREAD, side="near", count=1),
    )


def test_an_unread_card_stays_when_another_is_sent() -> None:
    after = lay("near ?@-380,52|3/4|/| far 51 52|1/|/|")
    seen = compare(lay("near 1 ?@-380,52|3/4|/| far 51 52|/|/|"), after, BySide(1, 0))
    assert (seen.home, seen.missing) == (after, ())


def test_an_unread_card_elsewhere_is_nobody() -> None:
    seen = compare(HOME, lay("near 1|3/4|?/| far 51 52|53/54|/|"), NOTHING)
    assert seen.missing == (
        notice(NoticeId.CARD_MISSING, side="near", card=2),
        notice(NoticeId.CARD_UNREAD, side="near", count=1),
    )


def test_a_card_that_was_never_read_is_named_once_it_is_seen() -> None:
    unread = lay("near 1 ?|3/4|/| far 51 52|53/54|/|")
    assert compare(unread, unread, NOTHING).missing == ()
    named = compare(unread, HOME, NOTHING)
    assert (named.home, named.missing) == (HOME, ())


SWEPT = notice(NoticeId.CARD_DISPLACED, side="near", card=2)
ASLANT = notice(NoticeId.CROOKED, side="far", card=2)


@pytest.mark.parametrize(
    ("mark", "missing"), [("", None), ("!", SWEPT), ("^0.2", None), ("^0.21", ASLANT), ("^0.21!", SWEPT)]
)
def test_a_card_across_was_sent_if_straight_and_facing_its_taker(mark: str, missing: Notice | None) -> None:
    across = lay(f"near 1|3/4|/| far 51 52|2{mark} 53/54|/|")
    seen = compare(HOME, across, BySide(1, 0))
    assert (seen.sent == {2}, seen.owed == NOTHING) == (missing is None, missing is None)
    assert [each for each in seen.missing if each in (SWEPT, ASLANT)] == [missing] * (missing is not None)
    assert compare(HOME, across, BySide(1, 0), swept=False).sent == {2}


def test_a_card_that_lies_aslant_across_was_swept_if_nothing_is_owed() -> None:
    assert compare(HOME, lay("near 1|3/4|/| far 51 52|2^0.21 53/54|/|"), NOTHING).missing == (SWEPT,)


def test_a_card_is_displaced_from_the_least_distance_on_that_can_be_told() -> None:
    home = Layout((PlacedCard(1, Side.NEAR, 0, 0.0, 0.05),))
    for x_m, is_displaced in ((IN_PLACE_M, False), (nextafter(IN_PLACE_M, 1), True)):
        seen = Layout((PlacedCard(1, Side.NEAR, 0, x_m, 0.05),))
        ids = [each.id for each in compare(home, seen, NOTHING).missing]
        assert ids == [NoticeId.CARD_DISPLACED] * is_displaced
