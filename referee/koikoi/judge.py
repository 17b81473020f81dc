"""Judge one event of a round: whether it is lawful, what is flagged, and how the round may go on."""

from __future__ import annotations

from dataclasses import replace

from referee.koikoi.declarations import judge_declaration, misdeal_flag
from referee.koikoi.events import Call, Declare, Draw, End, Play
from referee.koikoi.flags import Flag, FlagId
from referee.koikoi.moves import judge_draw, judge_play
from referee.koikoi.round import (
    Phase,
    Round,
    claimed,
    exhausted,
    turn_completed,
    turn_passed,
    with_unread_draw,
    with_unread_hand_card,
)
from referee.koikoi.verdict import Verdict, joined, lawful


def judge(round_: Round, event: Play | Draw | Declare | End, line: int) -> Verdict:
    """Judge one event of a round.

    Parameters
    ----------
    round_ : the table before the event.
    event : what happened.
    line : number of the event, which its flags carry.

    Raises
    ------
    ValueError : the event names a seat that is not at the table.
    """
    if isinstance(event, End):
        return close(round_, line)
    if not 0 <= event.player < round_.players:
        raise ValueError(f"seats are numbered 0..{round_.players - 1}, got {event.player}")
    owed, settled = _settle_what_is_owed(round_, event, line)
    return joined([_judge_settled(future, event, line) for future in settled]).after(owed)


def _judge_settled(round_: Round, event: Play | Draw | Declare, line: int) -> Verdict:
    if isinstance(event, Declare):
        return judge_declaration(round_, event, line)
    if round_.result is not None:
        return _after_the_end(round_, line)
    return judge_play(round_, event, line) if isinstance(event, Play) else judge_draw(round_, event, line)


def close(round_: Round, line: int) -> Verdict:
    """End the round here: by its starting hands where they were not played, else without a winner.

    Parameters
    ----------
    round_ : the table.
    line : number of the event that ends the round; a decision that is still open is flagged there.
    """
    if round_.result is not None:
        return lawful(round_)
    if round_.claims:
        ended = claimed(round_, round_.claims)
        redeal = round_.claims[0].redeal
        return Verdict((misdeal_flag(round_.dealt_at, round_.claims),), (ended,)) if redeal else lawful(ended)
    return Verdict(_owed_at_the_end(round_, line), (exhausted(round_),))


def unfinished(round_: Round, line: int) -> Verdict:
    """Judge a round after which nothing more is known: starting hands count, and a hand card that never came.

    Parameters
    ----------
    round_ : the table.
    line : number that the next event would have.
    """
    if round_.claims and round_.result is None:
        return close(round_, line)
    flags = (_no_hand_card(round_),) if round_.phase is Phase.LATE_HAND_CARD else ()
    return Verdict(flags, (round_,))


def _owed_at_the_end(round_: Round, line: int) -> tuple[Flag, ...]:
    if round_.phase is Phase.DECISION:
        return (_missing_decision(round_, line),)
    if round_.phase is Phase.DRAW:
        return (_no_draw(round_, line),)
    return (_no_hand_card(round_),) if round_.phase is Phase.LATE_HAND_CARD else ()


def _settle_what_is_owed(
    round_: Round, event: Play | Draw | Declare, line: int
) -> tuple[tuple[Flag, ...], tuple[Round, ...]]:
    """Flag what the player on turn still owed when `event` shows that his turn is over, and end the turn.

    A card that is missing among the events either was not played, or was and nobody recorded it.
    """
    own = event.player == round_.turn
    declares = isinstance(event, Declare)
    if isinstance(event, Declare) and not (own and event.what in {Call.STOP, Call.KOIKOI}):
        return (), (round_,)
    if round_.phase is Phase.DECISION and not own:
        # the call is not counted until it is made good: silence is no call (reading 8)
        going_on = replace(turn_passed(round_), owes=round_.turn)
        return (_missing_decision(round_, line),), (going_on,)
    if round_.phase is Phase.DRAW and (declares or (isinstance(event, Play) and not own)):
        return (_no_draw(round_, line),), _turn_over(round_, with_unread_draw(round_), declares=declares)
    if round_.phase is Phase.LATE_HAND_CARD and (declares or not own):
        played = with_unread_hand_card(round_)
        return (_no_hand_card(round_),), _turn_over(round_, played, declares=declares)
    return (), (round_,)


def _turn_over(missing: Round, unread: Round, *, declares: bool) -> tuple[Round, Round]:
    """End a turn that lacks a card; a player who then declares says that the unread card made his yaku."""
    if declares:
        return turn_completed(missing), replace(unread, phase=Phase.DECISION, drew_at=None)
    return turn_passed(missing), turn_passed(unread)


def _missing_decision(round_: Round, line: int) -> Flag:
    text = f"player {round_.turn}'s base has grown: stop or koi-koi? Hold the game and ask"
    return Flag(line, FlagId.MISSING_DECISION, text)


def _no_draw(round_: Round, line: int) -> Flag:
    return Flag(line, FlagId.NO_DRAW, f"player {round_.turn} has not turned a card of the stock")


def _no_hand_card(round_: Round) -> Flag:
    assert round_.drew_at is not None
    text = f"player {round_.turn} has drawn and not played a hand card"
    return Flag(round_.drew_at, FlagId.NO_HAND_CARD, text)


def _after_the_end(round_: Round, line: int) -> Verdict:
    """Flag the first card after the end; a table that does not listen is not told again for every card."""
    if round_.late_play_told:
        return lawful(round_)
    flag = Flag(line, FlagId.PLAY_AFTER_END, "the round is over: no further card counts")
    return Verdict((flag,), (replace(round_, late_play_told=True),))
