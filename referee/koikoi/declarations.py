"""Judge what players declare: stop and koi-koi (L79, readings 7-9), teshi and kuttsuki (L122-L128)."""

from dataclasses import replace
from functools import reduce

from referee.koikoi.dealing import HandClaim, claim
from referee.koikoi.events import Call, Declare
from referee.koikoi.flags import Flag, FlagId, flagged
from referee.koikoi.round import (
    Ending,
    Phase,
    Result,
    Round,
    Verdict,
    called,
    claimed,
    lawful,
    stopped,
    turn_passed,
)
from referee.sentence import Sentence


def judge_declaration(table: Round, event: Declare, line: int) -> Verdict:
    """Judge a declaration. `line`: number of the event, which its flags carry."""
    if table.result is not None:
        return _after_the_end(table, table.result, event, line)
    if event.what in {Call.TESHI, Call.KUTTSUKI}:
        return _hand_claim(table, event, line)
    unread = table.unread > 0 and event.player == table.last_turn and table.phase is Phase.HAND_CARD
    if event.player == table.owes or unread:
        return _late_decision(table, event)
    player = f"player {event.player}"
    if table.phase is not Phase.DECISION:
        why = Sentence("{player} has nothing to decide: no base has grown", player=player)
        return _rejected(table, line, why)
    if event.player != table.turn:
        # it does not count, unless the seat on turn said it and another seat was recorded
        meant = judge_declaration(table, replace(event, player=table.turn), line).futures
        return _rejected(
            table, line, Sentence("the decision is {player}'s", player=f"player {table.turn}"), *meant
        )
    if event.what is Call.STOP:
        return lawful(stopped(table, event.player))
    if hindrance := _hindrance(table, event.player):
        # the player may still stop; otherwise the round goes on without the call (reading 9)
        return _rejected(table, line, hindrance, turn_passed(table))
    return lawful(turn_passed(called(table, event.player)))


def _hindrance(table: Round, seat: int) -> Sentence | None:
    """Return why `seat` may not call koi-koi, or None."""
    rules, player = table.rules.calls, f"player {seat}"
    if not table.hand_counts[seat]:
        return Sentence("{player} has no hand card left to go on with and can only stop", player=player)
    if rules.limit and table.calls[seat] >= rules.limit:
        return Sentence(
            "{player} has made all {n} calls of this round and can only stop", player=player, n=rules.limit
        )
    base, least = table.score(seat).base, rules.minimum_base
    if base < least:
        return Sentence(
            "{player} has {n} points and needs {least} to call koi-koi", player=player, n=base, least=least
        )
    return None


def _late_decision(table: Round, event: Declare) -> Verdict:
    """Accept a decision that was flagged as missing, or whose yaku may rest on an unread card."""
    if event.what is Call.STOP:
        return lawful(stopped(table, event.player))
    return lawful(replace(called(table, event.player), owes=None))


def _hand_claim(table: Round, event: Declare, line: int) -> Verdict:
    """Judge a claim from a starting hand; it lapses with the first card (situation 10)."""
    player, said = f"player {event.player}", Sentence(str(event.what))
    if table.started:
        why = Sentence("{claim} must be claimed before the first card", claim=said)
        return _rejected(table, line, why)
    claims = table.claims
    if table.hands is None:
        # the hand was not known before: the claim lays it open
        shown = claim(event.player, event.what, table.players, table.rules)
        claims = () if shown is None else (shown,)
    if not any(held.seat == event.player and held.what is event.what for held in claims):
        return _rejected(table, line, Sentence("{player} cannot claim {claim}", player=player, claim=said))
    ended = claimed(table, claims)
    flags = (misdeal_flag(line, claims),) if claims[0].redeal else ()
    return Verdict(flags, (ended,))


def misdeal_flag(line: int, claims: tuple[HandClaim, ...]) -> Flag:
    """Return the flag for starting hands that require a redeal."""
    hands = [
        Sentence("{player} holds {claim}", player=f"player {held.seat}", claim=Sentence(str(held.what)))
        for held in claims
    ]
    both = reduce(lambda one, other: Sentence("{one} and {other}", one=one, other=other), hands)
    return flagged("{why}: the cards are dealt again", line, FlagId.MISDEAL, why=both)


def _after_the_end(table: Round, result: Result, event: Declare, line: int) -> Verdict:
    """Accept a declaration that repeats the ending, and a second player's claim, which makes a draw."""
    if event.what.value == result.ending.value and result.winner in {event.player, None}:
        return lawful(table)
    by_hand = table.hands is None and result.ending in {Ending.TESHI, Ending.KUTTSUKI}
    if by_hand and (second := claim(event.player, event.what, table.players, table.rules)):
        return lawful(claimed(table, (*table.claims, second)))
    return _rejected(table, line, Sentence("the round is over"))


def _rejected(table: Round, line: int, why: Sentence, *otherwise: Round) -> Verdict:
    flag = flagged("{why}: the declaration does not count", line, FlagId.ILLEGAL_DECLARATION, why=why)
    return Verdict((flag,), (table, *otherwise))
