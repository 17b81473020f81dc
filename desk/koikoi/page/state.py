"""A game of Koi-Koi as JSON data: what its page shows in any language, and its record for other programs."""

from collections import Counter
from dataclasses import asdict
from statistics import fmean
from typing import Any

from desk.koikoi.desk import Game, KoiKoiDesk
from desk.koikoi.lines import event_json, flag_json
from referee.koikoi.events import Declare, Draw, Play
from referee.koikoi.match import RoundRecord
from referee.koikoi.piles import cards_of
from referee.koikoi.round import Phase, Round
from referee.koikoi.score import Score

WAITING = "waiting"  # the phase before the first deal
UNSEEN = "unseen"  # the phase after a part that nobody saw, until it is clear whose turn it is


def shown(desk: KoiKoiDesk) -> dict[str, Any]:
    return shown_game(desk.game, desk.last_seq)


def shown_game(game: Game, seq: int) -> dict[str, Any]:
    """Return a game as it stands after event number `seq` of its log.

    Returns
    -------
    JSON data. Cards are numbered 0..47, seats from 0.

    - `phase` is what the round waits for (`hand_card`, `draw`, `late_hand_card`, `decision`, `over`),
      `waiting` before the first deal, or `unseen` if a part was not seen and the turn is not known yet.
    - `deal` is the deal that the referee waits for: `why` (too `few` or too `many` cards, or cards in the
      `piles` already), the numbers of things `seen` and `unread`, and the right `size`.
    - `turn`, `dealer` and `deciding` are seats: who plays, who dealt, who must say koi-koi or stop; or None.
    - `field` and `turned` are cards in the middle, and turned cards that are not placed yet; `stock` is the
      number of cards in the drawing pile, `unseen` are cards that nobody has seen yet in this round.
    - Each of `seats` has its captured cards, `hand` (cards left), `calls`, the `yaku` of its pile and their
      sum `base`, `points` for a stop now with their `formula`, `away` (yaku that any one of `cards`
      completes), and the `total` of all rounds.
    - `flags` are those of the present round, the latest first; `ranking` are seats by total once the game is
      over, best first; equal totals share a place.
    """
    match, table, opened = game.match, game.match.table, game.opened
    totals = match.totals or (0,) * opened.players
    missed = table is not None and table.missed and table.result is None
    undealt = game.reader.undealt
    turn_is_known = not missed or len({reading.turn for reading in match.readings}) == 1
    return {
        "id": opened.id,
        "source": opened.source,
        "rules": opened.rules.name,
        "deck": opened.deck,
        "seq": seq,
        "players": opened.players,
        "phase": WAITING if table is None else table.phase.value if turn_is_known else UNSEEN,
        "deal": None if undealt is None else asdict(undealt),
        "round": 0 if table is None else table.number,
        "rounds_in_game": opened.rules.match.rounds,
        "turn": None if table is None or not turn_is_known else table.turn,
        "dealer": None if table is None else table.dealer,
        "deciding": None if table is None or not turn_is_known else _deciding(table),
        "field": _middle(game, table),
        "turned": sorted(game.so_far.turned),
        "stock": 0 if table is None else table.stock,
        "unseen": [] if table is None else list(cards_of(table.unseen)),
        "seats": [_seat(game, seat, totals[seat]) for seat in range(opened.players)],
        "flags": _flags(game),
        "rounds": [_round(record) for record in match.rounds],
        "statistics": statistics(game),
        "last": event_json(game.scribe.notes[-1].event) if game.scribe.notes else None,
        "over": match.is_over,
        "ranking": [list(place) for place in match.ranking] if match.is_over else [],
    }


def _seat(game: Game, seat: int, total: int) -> dict[str, Any]:
    names, table = game.opened.names, game.match.table
    name = names[seat] if seat < len(names) else None
    if table is None:
        return {
            "name": name, "captures": [], "hand": 0, "calls": 0, "yaku": [], "base": 0, "points": 0,
            "formula": "", "away": [], "total": total,
        }  # fmt: skip
    score = table.score(seat)
    may_come = () if table.phase is Phase.OVER else table.one_card_away(seat)
    return {
        "name": name,
        "captures": list(cards_of(table.piles[seat])),
        "hand": table.hand_counts[seat],
        "calls": table.calls[seat],
        "yaku": _yaku(score),
        "base": score.base,
        "points": score.points,
        "formula": score.formula if score.base else "",
        "away": [{"name": away.yaku, "cards": list(away.cards), "base": away.base} for away in may_come],
        "total": total,
    }


def _yaku(score: Score) -> list[dict[str, Any]]:
    return [
        {"name": row.name, "points": row.points, "cards": list(score.cards(row.name))} for row in score.yaku
    ]


def _middle(game: Game, table: Round | None) -> list[int]:
    """Return the cards that really lie in the middle, since people compare the page with the table."""
    look = game.so_far.look
    if look is not None:
        return sorted(look.middle)
    return [] if table is None else list(cards_of(table.field))


def _flags(game: Game) -> list[dict[str, Any]]:
    """Return the flags of the present round, the latest first, with the cards and players of their events."""
    scribe = game.scribe
    index = len(scribe.match.rounds) - 1
    found = [{**flag_json(flag), "cards": [], "player": None} for flag in scribe.flags if flag.round == index]
    for flag in scribe.match.flags:
        event = scribe.notes[flag.event].event if flag.event < len(scribe.notes) else None
        cards = [event.card, *event.taken] if isinstance(event, Play | Draw) else []
        player = event.player if isinstance(event, Play | Draw | Declare) else None
        found.append({**flag_json(flag), "cards": cards, "player": player})
    return sorted(found, key=lambda flag: -int(flag["event"]))


def round_json(record: RoundRecord) -> dict[str, Any]:
    """Return how a round ended, or that it is being played (`end` is None)."""
    result = record.result
    return {
        "number": record.table.number,
        "dealer": record.table.dealer,
        "end": None if result is None else result.ending.value,
        "winner": None if result is None else result.winner,
        "points": list(record.points),
        "formula": "" if result is None else result.formula,
    }


def _round(record: RoundRecord) -> dict[str, Any]:
    return {
        **round_json(record),
        "calls": list(record.table.calls),
        "yaku": [_yaku(score) for score in record.scores],
        "flags": len(record.flags),
    }


def statistics(game: Game) -> list[dict[str, Any]]:
    finished = [record for record in game.match.rounds if record.result is not None]
    faults = _faults(game)
    return [_of_seat(seat, finished, faults[seat]) for seat in range(game.opened.players)]


def _of_seat(seat: int, finished: list[RoundRecord], faults: int) -> dict[str, Any]:
    won = [record for record in finished if record.result is not None and record.result.winner == seat]
    yaku = Counter(row.name for record in won for row in record.scores[seat].yaku)
    piles = [len(cards_of(record.table.piles[seat])) for record in finished]
    return {
        "won": len(won),
        "best": max((record.points[seat] for record in finished), default=0),
        "calls": sum(record.table.calls[seat] for record in finished),
        "calls_paid": sum(record.table.calls[seat] > 0 for record in won),
        "captured": round(fmean(piles), 1) if piles else 0.0,
        "faults": faults,
        "yaku": [{"name": name, "times": times} for name, times in yaku.most_common()],
    }


def _faults(game: Game) -> Counter[int]:
    notes = game.scribe.notes
    events = {flag.event for record in game.match.rounds for flag in record.flags}
    flagged = (notes[event].event for event in events if event < len(notes))
    return Counter(event.player for event in flagged if isinstance(event, Play | Draw | Declare))


def _deciding(table: Round) -> int | None:
    """Return the seat whose decision is due, or is owed because play went on without it."""
    return table.turn if table.phase is Phase.DECISION else table.owes
