"""A bout with its minutes: each event is judged, flagged if a row forbids it, and logged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce

from referee.cards.kendo import Card, Green
from referee.kendo.bout import Bout, changed, new_deal, only, start, with_ippon
from referee.kendo.events import Accept, Declare, Draw, Event, Exchange, Open, Pass, Pile, Play, Word
from referee.kendo.judge import Refused, accepted, judge_play, let_be, passed
from referee.kendo.ruleset import RuleSet
from referee.kendo.standing import Fudoshin, Jodan, Seme, SemeAnswered
from referee.sentence import Sentence


class FlagId(StrEnum):
    """What the referee flags. A flagged event changes nothing unless the players accept it."""

    ILLEGAL_PLAY = "illegal_play"  # the table does not allow the play
    OUT_OF_TURN = "out_of_turn"  # it is the other seat's move
    WRONG_OPENER = "wrong_opener"  # the wrong seat opens
    NOT_DUE = "not_due"  # no exchange or draw is due
    WRONG_PILE = "wrong_pile"  # a draw after a play was not from the red or green pile
    DUTY_MISSED = "duty_missed"  # the exchange or draw after a play is missing
    ILLEGAL_DECLARATION = "illegal_declaration"  # there is nothing to declare
    BOUT_OVER = "bout_over"  # the bout has a winner


COURSE = "a play: exchange, then draw"
OPENING = "who opens"
BOUT = "the second IPPON"


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag."""

    event: int  # number of the event, from 0
    id: FlagId
    row: str  # the row of the table, or the rule, that forbids it
    text: Sentence


@dataclass(frozen=True, slots=True)
class Minutes:
    """A bout, what was flagged in it, and what happened."""

    bout: Bout
    flags: tuple[Flag, ...] = ()
    log: tuple[str, ...] = ()
    neutralised: bool = False  # whether the last play neutralised what stood


_Judged = Bout | tuple[FlagId, str, Sentence]
"""The bout after a lawful event, or what is wrong: id, row, text."""


def begin(rules: RuleSet) -> Minutes:
    """Return the minutes of a bout whose cards were just drawn."""
    return Minutes(start(rules))


def play(rules: RuleSet, events: Iterable[Event]) -> Minutes:
    return reduce(step, events, begin(rules))


def step(minutes: Minutes, event: Event) -> Minutes:
    """Judge one event: a lawful event changes the bout; any other is flagged and changes nothing.

    Raises ValueError if the event names a seat other than 0 or 1.
    """
    if event.player not in (0, 1):
        raise ValueError(f"the seats are 0 and 1, got {event.player}")
    line = len(minutes.log)
    bout, flags = minutes.bout, minutes.flags
    if missed := _missed_duty(bout, event):
        flags = (*flags, Flag(line, FlagId.DUTY_MISSED, COURSE, missed))
    judged = _judged(minutes, event)
    if not isinstance(judged, Bout):
        flag = Flag(line, *judged)
        log = (*minutes.log, f"{_told(event)}: refused, {flag.text}")
        return replace(minutes, flags=(*flags, flag), log=log)
    neutralised = minutes.neutralised
    if isinstance(event, Play):
        neutralised = isinstance(bout.standing, Seme | Fudoshin | Jodan) and bout.actor == event.player
    return Minutes(judged, flags, (*minutes.log, f"{_told(event)}: {_outcome(bout, judged)}"), neutralised)


def _judged(minutes: Minutes, event: Event) -> _Judged:
    bout, seat = minutes.bout, event.player
    if bout.winner is not None:
        return FlagId.BOUT_OVER, BOUT, Sentence("{player} has won the bout", player=_seat(bout.winner))
    if isinstance(event, Exchange):
        return _exchanged(bout, seat)
    if isinstance(event, Draw):
        return _drawn(bout, event)
    if isinstance(event, Declare):
        return _declared(minutes, event)
    if bout.to_act is None:
        # a first play or pass without an `open` event means that its seat opens
        bout = replace(bout, to_act=seat)
    if isinstance(event, Open):
        return _opened(bout, seat)
    if seat != bout.actor:
        mover, standing = _seat(bout.actor), bout.standing.told()
        why = Sentence("it is {player}'s move: {standing}", player=mover, standing=standing)
        return FlagId.OUT_OF_TURN, COURSE, why
    if isinstance(event, Pass):
        return _with_duties(bout, passed(bout))
    if isinstance(event, Accept):
        return _with_duties(bout, accepted(bout, event.cards), event.cards)
    judged = judge_play(bout, event.cards)
    if isinstance(judged, Refused):
        return FlagId.ILLEGAL_PLAY, judged.row, judged.reason
    return _with_duties(bout, judged.bout, event.cards)


def _with_duties(before: Bout, after: Bout, cards: Sequence[Card] = ()) -> Bout:
    """Return the bout with the exchange and the draw that are due before its next play."""
    seat = after.to_act
    if after.rules.readings.exchange_when == "after_play" or after.winner is not None or seat is None:
        return after
    suffered = (after.ippon, after.hansoku) != (before.ippon, before.hansoku)
    parried = Green.BOGYO in cards and seat == before.to_act
    if suffered and not cards:
        # who had not exchanged and drawn yet does so before its next card: only "de nouveau" is ruled out (I)
        drawn = changed(after.draws, seat, before.draws[seat])
        return replace(after, exchanges=only(seat, before.exchanges[seat]), draws=drawn)
    if suffered or parried or isinstance(after.standing, SemeAnswered):
        return replace(after, exchanges=(0, 0), draws=after.draws if suffered else (0, 0))
    if after.rules.readings.exchange_watched and not after.hand_counts[seat]:
        return with_ippon(after, seat)
    return replace(after, exchanges=only(seat, 1), draws=only(seat, 1), refilling=False)


def _opened(bout: Bout, seat: int) -> _Judged:
    if bout.opening and seat == bout.actor:
        return bout
    if bout.opening and bout.may_cede:
        return replace(bout, to_act=seat, may_cede=False)
    if seat == bout.actor and (over := let_be(bout)):
        return over
    mover, standing = _seat(bout.actor), bout.standing.told()
    why = Sentence("{player} is to move: {standing}", player=mover, standing=standing)
    return FlagId.WRONG_OPENER, OPENING, why


def _exchanged(bout: Bout, seat: int) -> _Judged:
    if not bout.exchanges[seat] and bout.rules.readings.exchange_watched:
        why = Sentence("{player} has no exchange now: one belongs to each play", player=_seat(seat))
        return FlagId.NOT_DUE, COURSE, why
    return replace(bout, exchanges=changed(bout.exchanges, seat, -1))


def _drawn(bout: Bout, event: Draw) -> _Judged:
    seat, watched = event.player, bout.rules.readings.exchange_watched
    if watched and not bout.draws[seat] and not bout.spare_draws[seat]:
        why = Sentence("{player} has no card to draw now: one belongs to each play", player=_seat(seat))
        return FlagId.NOT_DUE, COURSE, why
    if watched and event.pile is Pile.BROWN and not bout.refilling:
        return FlagId.WRONG_PILE, COURSE, Sentence("a red or a green card is drawn, not a brown one")
    drawn = replace(bout, hand_counts=changed(bout.hand_counts, seat, 1))
    if bout.draws[seat]:
        return replace(drawn, draws=changed(bout.draws, seat, -1))
    return replace(drawn, spare_draws=changed(bout.spare_draws, seat, -1))


def _declared(minutes: Minutes, event: Declare) -> _Judged:
    bout, seat = minutes.bout, event.player
    if event.what is Word.CEDE:
        if bout.may_cede and seat == bout.to_act:
            return replace(bout, to_act=1 - seat, may_cede=False)
        row, why = "TSUBAZERIAI", Sentence("{player} has no opening to cede", player=_seat(seat))
    elif event.what is Word.NEW_DEAL:
        if bout.may_ask_new_deal == seat:
            return new_deal(bout)
        row, why = "JIKAN DESU", Sentence("{player} cannot ask for a new deal", player=_seat(seat))
    elif event.what is Word.NO_CARD:
        if bout.to_act is not None and bout.exchanges[seat] and not bout.rules.readings.exchange_watched:
            return with_ippon(bout, seat)
        row, why = COURSE, Sentence("{player} has no exchange to make now", player=_seat(seat))
    elif minutes.neutralised:
        return bout
    else:
        row, why = "FUDOSHIN", Sentence("the last play neutralised nothing")
    return FlagId.ILLEGAL_DECLARATION, row, why


def _missed_duty(bout: Bout, event: Event) -> Sentence | None:
    """Return what the seats still owe when the next play begins, if exchanges are watched.

    Who does not react puts no card down, and owes nothing before it (I).
    """
    readings = bout.rules.readings
    begins = Play | Accept if readings.exchange_when == "before_play" else Play | Accept | Pass
    if not readings.exchange_watched or bout.to_act != event.player or not isinstance(event, begins):
        return None
    seats = [(seat, _seat(seat)) for seat in (0, 1)]
    missing = [
        *(Sentence("{player} did not exchange", player=who) for seat, who in seats if bout.exchanges[seat]),
        *(Sentence("{player} did not draw", player=who) for seat, who in seats if bout.draws[seat]),
    ]
    if not missing:
        return None
    return reduce(lambda one, other: Sentence("{one}, {other}", one=one, other=other), missing)


def _seat(seat: int) -> str:
    return f"player {seat}"


def _told(event: Event) -> str:
    what = type(event).__name__.lower()
    if isinstance(event, Play | Accept):
        what = f"{'plays' if isinstance(event, Play) else 'may play'} {' + '.join(map(str, event.cards))}"
    elif isinstance(event, Draw):
        what = f"draws {event.pile}"
    elif isinstance(event, Declare):
        what = f"declares {event.what}"
    return f"player {event.player} {what}"


def _outcome(before: Bout, after: Bout) -> str:
    news = []
    for seat in (0, 1):
        if after.ippon[seat] > before.ippon[seat]:
            news.append(f"IPPON for player {seat}")
        if after.hansoku[seat] > before.hansoku[seat]:
            news.append(f"HANSOKU for player {seat}")
    if after.winner is not None:
        news.append(f"player {after.winner} wins {after.ippon[after.winner]}-{after.ippon[1 - after.winner]}")
    elif after.opening:
        news.append("a round is to be opened" if after.to_act is None else f"player {after.to_act} opens")
    else:
        news.append(f"{after.standing} against player {after.to_act}")
    return ", ".join(news)
