"""Judge one event of a round: whether it is lawful, what to flag, and how the round may go on."""

from dataclasses import replace

from referee.koikoi.declarations import judge_declaration, misdeal_flag
from referee.koikoi.events import Call, Declare, Draw, End, Play
from referee.koikoi.flags import Flag, FlagId, flagged
from referee.koikoi.moves import judge_draw, judge_play, no_hand_card
from referee.koikoi.round import (
    Phase,
    Round,
    Verdict,
    claimed,
    exhausted,
    joined,
    lawful,
    turn_completed,
    turn_passed,
    with_unread_draw,
    with_unread_hand_card,
)


def judge(table: Round, event: Play | Draw | Declare | End, line: int) -> Verdict:
    """Judge one event of a round; ValueError if it names a seat that is not at the table.

    `line`: number of the event, which its flags carry.
    """
    if isinstance(event, End):
        return close(table, line)
    if not 0 <= event.player < table.players:
        raise ValueError(f"seats are numbered 0..{table.players - 1}, got {event.player}")
    owed, settled = _settle_what_is_owed(table, event, line)
    return joined([_judge_settled(future, event, line) for future in settled]).after(owed)


def _judge_settled(table: Round, event: Play | Draw | Declare, line: int) -> Verdict:
    if isinstance(event, Declare):
        return judge_declaration(table, event, line)
    if table.result is not None:
        return _after_the_end(table, line)
    return judge_play(table, event, line) if isinstance(event, Play) else judge_draw(table, event, line)


def close(table: Round, line: int) -> Verdict:
    """End the round here: by its starting hands if no card was played, else without a winner.

    `line`: number of the event that ends the round; a decision or a turn that is still due is flagged there.
    """
    if table.result is not None:
        return lawful(table)
    if table.claims:
        ended = claimed(table, table.claims)
        redeal = table.claims[0].redeal
        return Verdict((misdeal_flag(table.dealt_at, table.claims),), (ended,)) if redeal else lawful(ended)
    return Verdict((_owed_at_the_end(table, line),), (exhausted(table),))


def unfinished(table: Round, line: int) -> Verdict:
    """Judge a round that no event follows: starting hands count, and a missing hand card is flagged.

    `line`: number that the next event would have.
    """
    if table.claims and table.result is None:
        return close(table, line)
    flags = (_no_hand_card(table),) if table.phase is Phase.LATE_HAND_CARD else ()
    return Verdict(flags, (table,))


def _owed_at_the_end(table: Round, line: int) -> Flag:
    if table.phase is Phase.DECISION:
        return _missing_decision(table, line)
    if table.phase is Phase.DRAW:
        return _no_draw(table, line)
    if table.phase is Phase.LATE_HAND_CARD:
        return _no_hand_card(table)
    return flagged(
        "the round was ended, though {player} has hand cards and the stock is not empty",
        line,
        FlagId.ENDED_EARLY,
        player=f"player {table.turn}",
    )


def _settle_what_is_owed(
    table: Round, event: Play | Draw | Declare, line: int
) -> tuple[tuple[Flag, ...], tuple[Round, ...]]:
    """If `event` shows that the turn is over, flag what the player on turn still owed, and end the turn.

    A missing card either was not played, or was played and not recorded; both states are kept.
    """
    own = event.player == table.turn
    declares = isinstance(event, Declare)
    if isinstance(event, Declare) and not (own and event.what in {Call.STOP, Call.KOIKOI}):
        return (), (table,)
    if table.phase is Phase.DECISION and not own:
        # silence is no call (reading 8): it counts only if the player still makes it
        going_on = replace(turn_passed(table), owes=table.turn)
        return (_missing_decision(table, line),), (going_on,)
    if table.phase is Phase.DRAW and (declares or (isinstance(event, Play) and not own)):
        return (_no_draw(table, line),), _turn_over(table, with_unread_draw(table), declares=declares)
    if table.phase is Phase.LATE_HAND_CARD and (declares or not own):
        played = with_unread_hand_card(table)
        return (_no_hand_card(table),), _turn_over(table, played, declares=declares)
    return (), (table,)


def _turn_over(missing: Round, unread: Round, *, declares: bool) -> tuple[Round, Round]:
    """End a turn that lacks a card; if the player then declares, the unread card may have made the yaku."""
    if declares:
        return turn_completed(missing), replace(unread, phase=Phase.DECISION, drew_at=None)
    return turn_passed(missing), turn_passed(unread)


def _missing_decision(table: Round, line: int) -> Flag:
    player = f"player {table.turn}"
    return flagged(
        "{player}'s base has grown: stop or koi-koi? Hold the game and ask",
        line,
        FlagId.MISSING_DECISION,
        player=player,
    )


def _no_draw(table: Round, line: int) -> Flag:
    player = f"player {table.turn}"
    return flagged("{player} has not turned a card of the stock", line, FlagId.NO_DRAW, player=player)


def _no_hand_card(table: Round) -> Flag:
    assert table.drew_at is not None
    return no_hand_card(table.turn, table.drew_at)


def _after_the_end(table: Round, line: int) -> Verdict:
    """Flag the first card after the end; further ones are not flagged again."""
    if table.late_play_told:
        return lawful(table)
    flag = flagged("the round is over: no further card counts", line, FlagId.PLAY_AFTER_END)
    return Verdict((flag,), (replace(table, late_play_told=True),))
