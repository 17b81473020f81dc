"""Judge what players declare: stop and koi-koi (L79, readings 7-9), teshi and kuttsuki (L122-L128)."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from referee.koikoi.dealing import HandClaim, claim
from referee.koikoi.events import Call, Declare
from referee.koikoi.flags import Flag, FlagId
from referee.koikoi.round import Ending, Phase, Result, Round, called, claimed, stopped, turn_passed
from referee.koikoi.verdict import Verdict, lawful
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
    if table.phase is not Phase.DECISION:
        return _rejected(
            table,
            line,
            Sentence("{player} has nothing to decide: no base has grown", player=f"player {event.player}"),
        )
    if event.player != table.turn:
        # it does not count, unless the seat on turn said it and another seat was recorded
        meant = judge_declaration(table, replace(event, player=table.turn), line).futures
        return _rejected(
            table, line, Sentence("the decision is {player}'s", player=f"player {table.turn}"), *meant
        )
    if event.what is Call.STOP:
        return lawful(stopped(table, event.player))
    hindrance = _hindrance(table, event.player)
    if hindrance is not None:
        # the player may still stop; otherwise the round goes on without the call (reading 9)
        return _rejected(table, line, hindrance, turn_passed(table))
    return lawful(turn_passed(called(table, event.player)))


def _hindrance(table: Round, seat: int) -> Sentence | None:
    """Return why `seat` may not call koi-koi, or None."""
    rules = table.rules.calls
    if not table.hand_counts[seat]:
        return Sentence(
            "{player} has no hand card left to go on with and can only stop", player=f"player {seat}"
        )
    if rules.limit and table.calls[seat] >= rules.limit:
        return Sentence(
            "{player} has made all {n} calls of this round and can only stop",
            player=f"player {seat}",
            n=rules.limit,
        )
    base = table.score(seat).base
    if base < rules.minimum_base:
        return Sentence(
            "{player} has {n} points and needs {least} to call koi-koi",
            player=f"player {seat}",
            n=base,
            least=rules.minimum_base,
        )
    return None


def _late_decision(table: Round, event: Declare) -> Verdict:
    """Accept a decision that was flagged as missing, or whose yaku may rest on an unread card."""
    if event.what is Call.STOP:
        return lawful(stopped(table, event.player))
    return lawful(replace(called(table, event.player), owes=None))


def _hand_claim(table: Round, event: Declare, line: int) -> Verdict:
    """Judge a claim from a starting hand; it lapses with the first card (situation 10)."""
    if table.started:
        return _rejected(
            table,
            line,
            Sentence("{claim} must be claimed before the first card", claim=Sentence(str(event.what))),
        )
    claims = table.claims
    if table.hands is None:
        # the hand was not known before: the claim lays it open
        shown = claim(event.player, event.what, table.players, table.rules)
        claims = () if shown is None else (shown,)
    if not any(held.seat == event.player and held.what is event.what for held in claims):
        return _rejected(
            table,
            line,
            Sentence(
                "{player} cannot claim {claim}",
                player=f"player {event.player}",
                claim=Sentence(str(event.what)),
            ),
        )
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
    return Flag(line, FlagId.MISDEAL, Sentence("{why}: the cards are dealt again", why=both))


def _after_the_end(table: Round, result: Result, event: Declare, line: int) -> Verdict:
    """Accept a declaration that repeats the ending, and a second player's claim, which makes a draw."""
    if event.what.value == result.ending.value and result.winner in {event.player, None}:
        return lawful(table)
    if table.hands is None and result.ending in {Ending.TESHI, Ending.KUTTSUKI}:
        second = claim(event.player, event.what, table.players, table.rules)
        if second is not None:
            return lawful(claimed(table, (*table.claims, second)))
    return _rejected(table, line, Sentence("the round is over"))


def _rejected(table: Round, line: int, why: Sentence, *otherwise: Round) -> Verdict:
    flag = Flag(line, FlagId.ILLEGAL_DECLARATION, Sentence("{why}: the declaration does not count", why=why))
    return Verdict((flag,), (table, *otherwise))
