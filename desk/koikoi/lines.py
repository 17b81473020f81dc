"""Koi-Koi as JSON: events in, minutes of matches and of filmed tables out (Koi-Koi rules, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desk.log.json_lines import Line
from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Missed, Play
from referee.koikoi.flags import Flag
from referee.koikoi.match import Match, RoundRecord
from referee.koikoi.piles import DECK_SIZE
from referee.koikoi.score import Score
from referee.sentence import Sentence

if TYPE_CHECKING:  # the scribe knows the eye, and these commands start fast without it
    from desk.koikoi.scribe.look import Look
    from desk.koikoi.scribe.notes import Noted, TableFlag
    from desk.koikoi.scribe.scribe import Scribe
    from desk.koikoi.scribe.unread_deal import LostRound
    from desk.tables.card_game import WatchedTable


class CardLine(Line):
    """A line that names hanafuda by their number 0..47."""

    def card(self, key: str) -> int:
        return self._checked(self._value.get(key))

    def cards(self, key: str) -> tuple[int, ...]:
        return tuple(self._checked(card) for card in self.items(key, "card ids"))

    def hands(self, key: str) -> tuple[tuple[int, ...], ...]:
        hands = self.items(key, "hands")
        if not all(isinstance(hand, list) for hand in hands):
            raise self.refusal(
                "{key!r} must hold a list of card ids for each seat, got {hands!r}", key=key, hands=hands
            )
        return tuple(tuple(self._checked(card) for card in hand) for hand in hands)

    def _checked(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < DECK_SIZE:
            raise self.refusal("a card is a number 0..{last}, got {value!r}", last=DECK_SIZE - 1, value=value)
        return value


def event_of(line: CardLine) -> Event:
    kind = line.word("kind", ("deal", "play", "draw", "declare", "end"))
    if kind == "end":
        return End()
    if kind == "deal":
        number = line.number_of("round") if line.has("round") else None
        hands = line.hands("hands") if line.has("hands") else None
        return Deal(number, line.number_of("players"), line.number_of("dealer"), line.cards("field"), hands)
    player = line.number_of("player")
    if kind == "declare":
        return Declare(player, Call(line.word("what", tuple(Call))))
    move = Play if kind == "play" else Draw
    return move(player, line.card("card"), line.cards("taken"))


def event_json(event: Event) -> dict[str, Any]:
    match event:
        case Deal():
            return {"kind": "deal", "player": event.dealer, "field": list(event.field)}
        case Play() | Draw():
            kind = "play" if isinstance(event, Play) else "draw"
            return {"kind": kind, "player": event.player, "card": event.card, "taken": list(event.taken)}
        case Declare():
            return {"kind": "declare", "player": event.player, "what": event.what.value}
        case Missed() | End():
            return {"kind": type(event).__name__.lower()}


def flag_json(flag: Flag | TableFlag) -> dict[str, Any]:
    """Return a flag of the referee, or one that only the table shows, as JSON."""
    return {"event": flag.event, "id": flag.id.value, "text": flag.text}


def minutes_of(match: Match) -> dict[str, Any]:
    return {
        "rules": match.rules.name,
        "rounds": [_round(record) for record in match.rounds],
        "totals": list(match.totals),
        "next_dealer": match.next_dealer,
        "ranking": [list(place) for place in match.ranking],
        "over": match.is_over,
    }


def yaku_of(score: Score) -> dict[str, int]:
    return {row.name: row.points for row in score.yaku}


def _round(record: RoundRecord) -> dict[str, Any]:
    result = record.result
    return {
        **({"certain": False} if record.table.missed else {}),
        "round": record.table.number,
        "dealer": record.table.dealer,
        "end": None if result is None else result.ending.value,
        "winner": None if result is None else result.winner,
        "points": list(record.points),
        "calls": list(record.table.calls),
        "yaku": [yaku_of(score) for score in record.scores],
        "base": [score.base for score in record.scores],
        "formula": "" if result is None else result.formula,
        "flags": list(map(flag_json, record.flags)),
    }


_LOST = Sentence("its deal was not understood, so nothing is known of this round")


def minutes_of_table(seen: WatchedTable) -> dict[str, Any]:
    """Return the JSON object of the Koi-Koi format, with `events`, `tables` and `stats`."""
    scribe, lost = seen.game.scribe, seen.game.reader.lost_rounds
    hint = None
    if not any(isinstance(noted.event, Deal) for noted in scribe.notes):
        hint = _undealt(scribe.looks)
    elif lost:
        hint = Sentence(
            "the deal of a round was not understood, so the minutes list the round as lost. Lay the dealt "
            "cards apart, clear everything else from the zones, and deal as many as the rules say"
        )
    return {
        **with_lost_rounds(_minutes(scribe), lost),
        "events": [{"t_ms": round(noted.t_ms), **event_json(noted.event)} for noted in scribe.notes],
        "tables": [_table(look, scribe.notes) for look in scribe.looks],
        **({"dealer_assumed": seen.game.opened.dealer} if not seen.dealer_known else {}),
        "stats": {
            **seen.stats.line(seen.failures),
            **({"hint": hint, "not_understood": True} if hint is not None else {}),
        },
    }


def _undealt(looks: Sequence[Look]) -> Sentence:
    """Return the advice for a film in which no deal was understood."""
    most = max((len(look.field) + len(look.unread) for look in looks), default=0)
    return Sentence(
        "no deal was understood, so no round was judged: at most {n} cards were seen in the middle. Lay the "
        "dealt cards apart, clear everything else from the zones, and check [deck] and [table]",
        n=most,
    )


def with_lost_rounds(minutes: dict[str, Any], lost: Sequence[LostRound]) -> dict[str, Any]:
    """Return the minutes with each lost round in its place, marked as uncertain."""
    seats = len(minutes["totals"])
    rounds = list(minutes["rounds"])
    for one in reversed(lost):
        flag = {"event": None, "id": "unsure", "text": _LOST, "t_ms": round(one.t_ms)}
        unknown = dict.fromkeys(("round", "dealer", "end", "winner"))
        nothing: dict[str, Any] = {key: [0] * seats for key in ("points", "calls", "base")}
        yaku = [dict[str, int]() for _ in range(seats)]
        entry = {"certain": False, "lost": True, **unknown, **nothing, "yaku": yaku, "formula": ""}
        rounds.insert(one.before, {**entry, "flags": [flag]})
    return {**minutes, "rounds": rounds, **({"certain": False} if lost else {})}


def lines_of_rounds(judged: Mapping[str, Any]) -> list[str]:
    lines = []
    for played in judged["rounds"]:
        if played.get("lost"):
            lines.append(f"a round at {played['flags'][0]['t_ms'] / 1000:.1f} s: {_LOST}")
            continue
        end = played["end"] or "not over"
        winner = "" if played["winner"] is None else f", player {played['winner']} wins: {played['formula']}"
        certain = "" if played.get("certain", True) else " (not certain: a part was not seen)"
        lines.append(f"round {played['round']}: {end}{winner}{certain}")
        lines += [f"  {flag['t_ms'] / 1000:8.1f} s  {flag['id']}: {flag['text']}" for flag in played["flags"]]
    return [*lines, f"totals: {', '.join(map(str, judged['totals']))}"]


def _minutes(scribe: Scribe) -> dict[str, Any]:
    """Return the minutes with every flag's instant, including flags that only the table shows."""
    minutes = minutes_of(scribe.match)
    for number, played in enumerate(minutes["rounds"]):
        for flag in played["flags"]:
            event = min(flag["event"], len(scribe.notes) - 1)
            flag["t_ms"] = round(scribe.notes[event].t_ms)
        played["flags"] += [
            {**flag_json(flag), "t_ms": round(flag.t_ms)} for flag in scribe.flags if flag.round == number
        ]
        played["flags"].sort(key=lambda flag: (flag["event"], flag["t_ms"]))
    return minutes


def _table(look: Look, notes: list[Noted]) -> dict[str, Any]:
    """Return a table at rest as JSON; `pending` are cards turned up or not collected yet."""
    waiting = _waiting(look, notes)
    return {
        "t_ms": round(look.t_ms),
        "field": sorted(look.field - waiting),
        "captures": [sorted(pile) for pile in look.captures],
        "pending": sorted(look.turn | (look.field & waiting)),
    }


def _waiting(look: Look, notes: list[Noted]) -> set[int]:
    """Return the cards of pairs that lay there and were collected later."""
    cards: set[int] = set()
    for noted in notes:
        if isinstance(noted.event, Play | Draw) and noted.t_ms <= look.t_ms and noted.event.taken:
            cards |= {noted.event.card, *noted.event.taken}
    return cards
