"""A game of Koi-Koi as JSON data for the page."""

from __future__ import annotations

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.game import Game
from desk.koikoi.player_statistics import statistics
from desk.panel.koikoi.port import DealShown, FlagShown, GameShown, RoundShown, SeatShown, YakuShown
from referee.koikoi.events import Deal, Declare, Draw, End, Event, Missed, Play
from referee.koikoi.match import RoundRecord
from referee.koikoi.piles import cards_of
from referee.koikoi.round import Phase, Round
from referee.koikoi.score import Score
from referee.koikoi.standing import standing

WAITING = "waiting"
"""The phase before the first deal."""
UNSEEN = "unseen"
"""The phase after a part that nobody saw, until it is clear whose turn it is."""


def shown(desk: KoiKoiDesk) -> GameShown:
    """Return the game as it stands."""
    return shown_game(desk.game, desk.last_seq)


def shown_game(game: Game, seq: int) -> GameShown:
    """Return a game as it stands after event number `seq` of its log."""
    match, table, opened = game.match, game.match.table, game.opened
    totals = match.totals or (0,) * opened.players
    missed = table is not None and table.missed and table.result is None
    turn_is_known = not missed or len({reading.turn for reading in match.readings}) == 1
    return {
        "id": opened.id,
        "source": opened.source,
        "rules": opened.rules.name,
        "deck": opened.deck,
        "seq": seq,
        "players": opened.players,
        "phase": WAITING if table is None else table.phase.value if turn_is_known else UNSEEN,
        "deal": _deal(game),
        "round": 0 if table is None else table.number,
        "rounds_in_game": opened.rules.match.rounds,
        "turn": None if table is None or not turn_is_known else table.turn,
        "dealer": None if table is None else table.dealer,
        "deciding": _deciding(table) if turn_is_known else None,
        "field": _middle(game, table),
        "turned": sorted(game.so_far.turned),
        "stock": 0 if table is None else table.stock,
        "unseen": [] if table is None else list(cards_of(table.unseen)),
        "seats": [_seat(game, seat, totals[seat]) for seat in range(opened.players)],
        "flags": _flags(game),
        "rounds": [_round(record) for record in match.rounds],
        "statistics": statistics(game),
        "last": _last(game),
        "over": match.is_over,
        "ranking": [list(place) for place in match.ranking] if match.is_over else [],
    }


def _deal(game: Game) -> DealShown | None:
    undealt = game.undealt
    if undealt is None:
        return None
    return {
        "why": undealt.why.value,
        "seen": undealt.seen,
        "unread": undealt.unread,
        "size": undealt.size,
    }


def _deciding(table: Round | None) -> int | None:
    """Return the seat whose decision is due, or is owed because play went on without it."""
    if table is None:
        return None
    return table.turn if table.phase is Phase.DECISION else table.owes


def _seat(game: Game, seat: int, total: int) -> SeatShown:
    names, table = game.opened.names, game.match.table
    name = names[seat] if seat < len(names) else None
    if table is None:
        return {
            "name": name, "captures": [], "hand": 0, "calls": 0, "yaku": [], "base": 0, "points": 0,
            "formula": "", "away": [], "total": total,
        }  # fmt: skip
    stands = standing(table, seat)
    may_come = () if table.phase is Phase.OVER else stands.one_card_away
    return {
        "name": name,
        "captures": list(cards_of(table.piles[seat])),
        "hand": table.hand_counts[seat],
        "calls": table.calls[seat],
        "yaku": _yaku(stands.score),
        "base": stands.score.base,
        "points": stands.points_if_stopped,
        "formula": stands.score.formula if stands.score.base else "",
        "away": [{"name": away.yaku, "cards": list(away.cards), "base": away.base} for away in may_come],
        "total": total,
    }


def _yaku(score: Score) -> list[YakuShown]:
    return [
        {"name": row.name, "points": row.points, "cards": list(score.cards(row.name))} for row in score.yaku
    ]


def _middle(game: Game, table: Round | None) -> list[int]:
    """Return the cards that really lie in the middle, since people compare the page with the table."""
    look = game.so_far.look
    if look is not None:
        return sorted(look.middle)
    return [] if table is None else list(cards_of(table.field))


def _flags(game: Game) -> list[FlagShown]:
    """Return the flags of the present round, the latest first."""
    scribe = game.scribe
    index = len(scribe.match.rounds) - 1
    found: list[FlagShown] = [
        {"event": flag.event, "id": flag.id.value, "text": flag.text, "cards": [], "player": None}
        for flag in scribe.flags
        if flag.round == index
    ]
    for flag in scribe.match.flags:
        event = scribe.notes[flag.event].event if flag.event < len(scribe.notes) else None
        found.append(
            {
                "event": flag.event,
                "id": flag.id.value,
                "text": flag.text,
                "cards": [event.card, *event.taken] if isinstance(event, Play | Draw) else [],
                "player": None if event is None or isinstance(event, Deal | End | Missed) else event.player,
            }
        )
    return sorted(found, key=lambda flag: -flag["event"])


def _last(game: Game) -> dict[str, object] | None:
    if not game.scribe.notes:
        return None
    return _told(game.scribe.notes[-1].event)


def _told(event: Event) -> dict[str, object]:
    if isinstance(event, Play | Draw):
        kind = "play" if isinstance(event, Play) else "draw"
        return {"kind": kind, "player": event.player, "card": event.card, "taken": list(event.taken)}
    if isinstance(event, Declare):
        return {"kind": "declare", "player": event.player, "what": event.what.value}
    return {"kind": "deal", "player": event.dealer} if isinstance(event, Deal) else {"kind": "end"}


def _round(record: RoundRecord) -> RoundShown:
    result = record.result
    return {
        "number": record.table.number,
        "dealer": record.table.dealer,
        "end": None if result is None else result.ending.value,
        "winner": None if result is None else result.winner,
        "points": list(record.points),
        "calls": list(record.table.calls),
        "yaku": [_yaku(score) for score in record.scores],
        "formula": "" if result is None else result.formula,
        "flags": len(record.flags),
    }
