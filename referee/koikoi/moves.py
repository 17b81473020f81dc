"""Judge the cards that players put on the table: hand cards and drawn cards."""

from collections.abc import Callable
from dataclasses import replace

from referee.koikoi.captures import judge_capture
from referee.koikoi.events import Draw, Play
from referee.koikoi.flags import Flag, FlagId, flagged
from referee.koikoi.piles import Pile, month_of, same_month
from referee.koikoi.round import (
    Phase,
    Round,
    Verdict,
    turn_completed,
    with_drawn_card,
    with_hand_card,
    with_unread_draw,
    with_unread_hand_card,
)
from referee.sentence import Sentence

_PutDown = Callable[[Round, int, int, Pile], Round]


def judge_play(table: Round, event: Play, line: int) -> Verdict:
    """Judge a hand card of a round that is not over; the turn before is ended if that was possible."""
    seat, player, other = event.player, f"player {event.player}", f"player {table.turn}"
    if seat != table.turn or table.phase is Phase.DECISION:
        if seat == table.turn:
            text = Sentence("{player} plays a card while that player has to decide", player=player)
        else:
            text = Sentence("{player} plays a card while it is {other}'s turn", player=player, other=other)
        flag = Flag(line, FlagId.OUT_OF_TURN, text)
        return Verdict((flag,), (table, *_played_all_the_same(table, event, line)))
    if table.phase is Phase.DRAW:
        flag = flagged("{player} plays a second hand card", line, FlagId.TWO_HAND_CARDS, player=player)
        both = _hand_card(table, event, line).futures if table.hand_counts[seat] else ()
        return Verdict((flag,), (table, *both))
    played = _hand_card(table, event, line)
    if table.drew_at is None:
        return played
    text = Sentence("{player} drew before playing a hand card", player=player)
    flag = Flag(table.drew_at, FlagId.DREW_FIRST, text)
    return Verdict((flag, *played.flags), tuple(turn_completed(future) for future in played.futures))


def judge_draw(table: Round, event: Draw, line: int) -> Verdict:
    """Judge a drawn card of a round that is not over; the parameters are those of `judge_play`."""
    seat = event.player
    own = seat == table.turn
    if own and table.phase is Phase.DRAW:
        drawn = _drawn_card(table, event, line)
        return Verdict(drawn.flags, tuple(turn_completed(future) for future in drawn.futures))
    if own and table.phase is Phase.HAND_CARD:
        return _drawn_early(table, event, line)
    if own or (seat == table.last_turn and table.phase is Phase.HAND_CARD):
        text = Sentence("{player} turns a second card: put it back on the stock", player=f"player {seat}")
        flag = Flag(line, FlagId.DREW_TWICE, text)
        return Verdict((flag,), (table, *_drawn_card(table, event, line).futures))
    player, other = f"player {seat}", f"player {table.turn}"
    text = Sentence("{player} draws while it is {other}'s turn", player=player, other=other)
    flag = Flag(line, FlagId.OUT_OF_TURN, text)
    jumped = replace(
        table, turn=seat, pile_before=table.piles[seat], phase=Phase.LATE_HAND_CARD, drew_at=line
    )
    mistaken = judge_draw(table, replace(event, player=table.turn), line).futures
    return Verdict((flag,), (table, *_drawn_card(jumped, event, line).futures, *mistaken))


def _drawn_early(table: Round, event: Draw, line: int) -> Verdict:
    """Judge a card drawn before the hand card; the next event shows whether more than the order was wrong.

    If its capture is lawful only after a hand card that nobody recorded, the missing hand card is flagged.
    """
    drawn = _drawn_card(table, event, line)
    late = tuple(replace(future, phase=Phase.LATE_HAND_CARD, drew_at=line) for future in drawn.futures)
    if not drawn.lawful:
        explained = _drawn_card(with_unread_hand_card(table), event, line)
        if explained.lawful:
            flag = no_hand_card(event.player, line)
            return Verdict((flag,), (*map(turn_completed, explained.futures), *late))
    return Verdict(drawn.flags, late)


def no_hand_card(seat: int, line: int) -> Flag:
    player = f"player {seat}"
    return flagged("{player} has drawn and not played a hand card", line, FlagId.NO_HAND_CARD, player=player)


def _played_all_the_same(table: Round, event: Play, line: int) -> tuple[Round, ...]:
    """Return the states if a card out of turn stays, as its player's turn or as that of the seat on turn."""
    futures: tuple[Round, ...] = ()
    seat = event.player
    if table.hand_counts[seat]:
        jumped = replace(table, turn=seat, pile_before=table.piles[seat], phase=Phase.HAND_CARD, drew_at=None)
        futures = _hand_card(jumped, event, line).futures
    if table.phase is Phase.HAND_CARD:
        futures += _hand_card(table, replace(event, player=table.turn), line).futures
    return futures


def _hand_card(table: Round, event: Play, line: int) -> Verdict:
    """Judge a hand card, no matter whose turn it is."""
    seat, card = event.player, event.card
    place = _place_on_table(table, card)
    hands = table.hands
    if place is None and hands is not None and not hands[seat] >> card & 1:
        holders = [other for other, hand in enumerate(hands) if hand >> card & 1]
        if not holders:
            text = Sentence("card {card} was not in {player}'s hand", card=str(card), player=f"player {seat}")
            flag = Flag(line, FlagId.NO_HAND_CARD, text)
            played = _captured(table, event, line, with_hand_card)
            return Verdict((flag, *played.flags), (*played.futures, table))
        place = Sentence("in {player}'s hand", player=f"player {holders[0]}")
    if place is not None:
        # in truth another card was played: the turn goes on with an unknown card
        unknown = replace(with_unread_hand_card(table), phase=Phase.DRAW, drew_at=None)
        return Verdict((_duplicate(line, card, place),), (unknown, table))
    return _captured(table, event, line, with_hand_card)


def _drawn_card(table: Round, event: Draw, line: int) -> Verdict:
    """Judge a drawn card, no matter whose turn it is; the turn does not end yet."""
    place = _place_on_table(table, event.card)
    if place is None:
        for seat, hand in enumerate(table.hands or ()):
            if hand >> event.card & 1:
                place = Sentence("in {player}'s hand", player=f"player {seat}")
    if place is not None:
        unknown = with_unread_draw(table)
        return Verdict((_duplicate(line, event.card, place),), (unknown,))
    return _captured(table, event, line, with_drawn_card)


def _captured(table: Round, event: Play | Draw, line: int, put_down: _PutDown) -> Verdict:
    """Judge what a card took, and put the card on the table by `put_down`."""
    # the card itself always goes with what it takes, so naming it changes nothing
    named = [card for card in event.taken if card != event.card]
    flags = [_not_on_field(table, card, line) for card in named if not table.field >> card & 1]
    taken = 0
    for card in named:
        taken |= 1 << card & table.field
    earlier = table.played if isinstance(event, Draw) else None
    mandatory = table.rules.capture.mandatory
    capture = judge_capture(event.card, taken, table.field, mandatory=mandatory, earlier_card=earlier)
    has_faults = flags or capture.faults
    if table.unread and has_faults and (explained := _with_unread_card(table, event)):
        return _captured(explained, event, line, put_down)
    # if a card was taken that was not on the field, the capture is not flagged a second time
    flags = flags or [Flag(line, fault, text) for fault, text in capture.faults]
    futures = (put_down(table, event.player, event.card, take) for take in capture.takes)
    return Verdict(tuple(flags), tuple(futures))


def _with_unread_card(table: Round, event: Play | Draw) -> Round | None:
    """Return the table if a card that nobody read explains the capture, else None.

    Either the unread card took the match that seems to be left, or it is the taken card that was never seen.
    """
    known = replace(table, unread=table.unread - 1)
    if not event.taken:
        return replace(known, field=table.field & ~same_month(event.card, table.field))
    strangers = [card for card in event.taken if not table.seen >> card & 1]
    if len(strangers) == 1 and all(month_of(card) == month_of(event.card) for card in event.taken):
        return replace(known, field=table.field | 1 << strangers[0])
    return None


def _not_on_field(table: Round, card: int, line: int) -> Flag:
    if place := _place_on_table(table, card):
        text = Sentence("card {card} was taken and lay {place}: put it back", card=str(card), place=place)
        return Flag(line, FlagId.WRONG_STRIP, text)
    text = Sentence("card {card} was taken and had never been on the field", card=str(card))
    return Flag(line, FlagId.WRONG_COUNT, text)


def _duplicate(line: int, card: int, place: Sentence) -> Flag:
    text = Sentence("card {card} is already {place}: each card exists once", card=str(card), place=place)
    return Flag(line, FlagId.DUPLICATE_CARD, text)


def _place_on_table(table: Round, card: int) -> Sentence | None:
    """Return where a card lies face up, or None."""
    if table.field >> card & 1:
        return Sentence("on the field")
    for seat, pile in enumerate(table.piles):
        if pile >> card & 1:
            return Sentence("in {player}'s pile", player=f"player {seat}")
    return None
