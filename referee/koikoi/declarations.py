"""Judge what players declare: stop and koi-koi (L79, readings 7-9), teshi and kuttsuki (L122-L128)."""

from __future__ import annotations

from dataclasses import replace

from referee.koikoi.dealing import HandClaim, claim
from referee.koikoi.events import Call, Declare
from referee.koikoi.flags import Flag, FlagId
from referee.koikoi.round import Ending, Phase, Result, Round, called, claimed, stopped, turn_passed
from referee.koikoi.verdict import Verdict, lawful


def judge_declaration(round_: Round, event: Declare, line: int) -> Verdict:
    """Judge a declaration.

    Parameters
    ----------
    round_ : the table before it.
    event : who declares what.
    line : number of the event, which its flags carry.
    """
    if round_.result is not None:
        return _after_the_end(round_, round_.result, event, line)
    if event.what in {Call.TESHI, Call.KUTTSUKI}:
        return _hand_claim(round_, event, line)
    unread = round_.unread > 0 and event.player == round_.last_turn and round_.phase is Phase.HAND_CARD
    if event.player == round_.owes or unread:
        return _late_decision(round_, event)
    if round_.phase is not Phase.DECISION:
        return _rejected(round_, line, f"player {event.player} has nothing to decide: no base has grown")
    if event.player != round_.turn:
        # it does not count, unless it was the decider's own and only taken for somebody else's
        meant = judge_declaration(round_, replace(event, player=round_.turn), line).futures
        return _rejected(round_, line, f"the decision is player {round_.turn}'s", *meant)
    if event.what is Call.STOP:
        return lawful(stopped(round_, event.player))
    hindrance = _hindrance(round_, event.player)
    if hindrance is not None:
        # he may still stop; if he does not, the round goes on and his call counts for nothing (reading 9)
        return _rejected(round_, line, hindrance, turn_passed(round_))
    return lawful(turn_passed(called(round_, event.player)))


def _hindrance(round_: Round, seat: int) -> str | None:
    """Return why `seat` may not call koi-koi, or None."""
    rules = round_.rules.calls
    if not round_.hand_counts[seat]:
        return f"player {seat} has no hand card left to go on with: he can only stop"
    if rules.limit and round_.calls[seat] >= rules.limit:
        return f"player {seat} has made all his {rules.limit} calls of this round: he can only stop"
    base = round_.score(seat).base
    if base < rules.minimum_base:
        return f"player {seat} has {base} points and needs {rules.minimum_base} to call koi-koi"
    return None


def _late_decision(round_: Round, event: Declare) -> Verdict:
    """Accept a decision whose absence was flagged, or whose yaku may lie in an unread card."""
    if event.what is Call.STOP:
        return lawful(stopped(round_, event.player))
    return lawful(replace(called(round_, event.player), owes=None))


def _hand_claim(round_: Round, event: Declare, line: int) -> Verdict:
    """Judge a claim from a starting hand: it must hold, and it lapses with the first card (situation 10)."""
    if round_.started:
        return _rejected(round_, line, f"{event.what} must be claimed before the first card")
    claims = round_.claims
    if round_.hands is None:
        # nobody has seen the hand before: it is laid open now
        shown = claim(event.player, event.what, round_.players, round_.rules)
        claims = () if shown is None else (shown,)
    if not any(held.seat == event.player and held.what is event.what for held in claims):
        return _rejected(round_, line, f"player {event.player} cannot claim {event.what}")
    ended = claimed(round_, claims)
    flags = (misdeal_flag(line, claims),) if claims[0].redeal else ()
    return Verdict(flags, (ended,))


def misdeal_flag(line: int, claims: tuple[HandClaim, ...]) -> Flag:
    """Return the flag for starting hands that ask for a redeal."""
    hands = " and ".join(f"player {held.seat} holds {held.what}" for held in claims)
    return Flag(line, FlagId.MISDEAL, f"{hands}: the cards are dealt again")


def _after_the_end(round_: Round, result: Result, event: Declare, line: int) -> Verdict:
    """Accept what only repeats the ending, and a second player's claim, which makes the round a draw."""
    if event.what.value == result.ending.value and result.winner in {event.player, None}:
        return lawful(round_)
    if round_.hands is None and result.ending in {Ending.TESHI, Ending.KUTTSUKI}:
        second = claim(event.player, event.what, round_.players, round_.rules)
        if second is not None:
            return lawful(claimed(round_, (*round_.claims, second)))
    return _rejected(round_, line, "the round is over")


def _rejected(round_: Round, line: int, why: str, *otherwise: Round) -> Verdict:
    flag = Flag(line, FlagId.ILLEGAL_DECLARATION, f"{why}: the declaration does not count")
    return Verdict((flag,), (round_, *otherwise))
