"""Judge one event of a round: whether it is lawful, what is flagged, and how the round may go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.koikoi.declarations import judge_declaration, misdeal_flag
from referee.koikoi.events import Call, Declare, Draw, End, Play
from referee.koikoi.flags import Flag, FlagId
from referee.koikoi.moves import judge_draw, judge_play
from referee.koikoi.round import Phase, Round, claimed, exhausted, turn_completed, turn_passed
from referee.koikoi.verdict import Verdict, lawful


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
    owed, round_ = _settle_what_is_owed(round_, event, line)
    if isinstance(event, Declare):
        return judge_declaration(round_, event, line).after(owed)
    if round_.result is not None:
        return _after_the_end(round_, line).after(owed)
    verdict = judge_play(round_, event, line) if isinstance(event, Play) else judge_draw(round_, event, line)
    return verdict.after(owed)


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
    return Verdict(tuple(_owed_at_the_end(round_, line)), (exhausted(round_),))


def _owed_at_the_end(round_: Round, line: int) -> Iterable[Flag]:
    if round_.phase is Phase.DECISION:
        yield _missing_decision(round_, line)
    elif round_.phase is Phase.DRAW:
        yield _no_draw(round_, line)
    elif round_.phase is Phase.LATE_HAND_CARD:
        yield _no_hand_card(round_)


def _settle_what_is_owed(
    round_: Round, event: Play | Draw | Declare, line: int
) -> tuple[tuple[Flag, ...], Round]:
    """Flag what the player on turn still owed when `event` shows that his turn is over, and end the turn."""
    own = event.player == round_.turn
    if isinstance(event, Declare):
        if not own or event.what not in {Call.STOP, Call.KOIKOI}:
            return (), round_
        if round_.phase is Phase.DRAW:
            return (_no_draw(round_, line),), turn_completed(round_)
        if round_.phase is Phase.LATE_HAND_CARD:
            return (_no_hand_card(round_),), turn_completed(round_)
    elif not own:
        if round_.phase is Phase.DECISION:
            # the call is not counted until it is made good: silence is no call (reading 8)
            going_on = turn_passed(round_)
            return (_missing_decision(round_, line),), replace(going_on, owes=round_.turn)
        if round_.phase is Phase.DRAW and isinstance(event, Play):
            return (_no_draw(round_, line),), turn_passed(round_)
        if round_.phase is Phase.LATE_HAND_CARD:
            return (_no_hand_card(round_),), turn_passed(round_)
    return (), round_


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
