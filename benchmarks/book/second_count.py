"""The book's figures counted another way: every match is refereed again, and each contact judged again."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from desk.karuta.engine.engine import Engine
from desk.karuta.engine.minutes import Standing, read_minutes
from desk.log.event_log import EventLog
from desk.panel.book.port import PlayerFigures
from referee.facts import KimarijiCompleted, Touch
from referee.karuta.contacts import Reading, Verdict
from referee.karuta.flow.state import Phase, PoemRecord
from referee.karuta.ruling import Status
from referee.sides import Side

_FAULTS = {Verdict.FAULT, Verdict.EARLY_FAULT, Verdict.WRONG_HAND_FAULT}


@dataclass(slots=True)
class Count:
    """What one player did: the same things as in `desk.panel.book.port.PlayerFigures`."""

    sums: Counter[str] = field(default_factory=Counter)
    cards: Counter[tuple[int, bool]] = field(default_factory=Counter)
    times_ms: dict[int, list[tuple[float, bool]]] = field(default_factory=lambda: defaultdict(list))
    """Time of each take of a card, and whether it was the opponent's."""
    places: Counter[tuple[str, int, str, bool]] = field(default_factory=Counter)
    lures: Counter[int] = field(default_factory=Counter)
    opponents: Counter[str] = field(default_factory=Counter)


def count(logs: Iterable[Path]) -> dict[str, Count]:
    """Count what each player did in some matches."""
    found: dict[str, Count] = defaultdict(Count)
    for path in logs:
        with EventLog.read(path) as log:
            engine = Engine.resume(log)
        names = engine.opened.names
        if None in {names.near, names.far} or names.near == names.far:
            continue
        standing = [
            each.standing
            for each in read_minutes(engine.history)
            if each.standing in {Standing.RULED, Standing.CONFIRMED, Standing.OVERRULED}
        ]
        for side, name in names.items():
            assert name is not None
            of = found[name]
            of.sums["matches"] += engine.state.phase is Phase.ENDED
            of.sums["won"] += engine.state.winner is side
            of.sums["lost"] += engine.state.winner is side.opponent
            of.opponents[names[side.opponent] or ""] += engine.state.phase is Phase.ENDED
            for record, how in zip(engine.state.records, standing, strict=True):
                if how is Standing.RULED and record.ruling.status is Status.REVIEW:
                    of.sums["in_doubt"] += 1
                else:
                    _add(of, side, record, engine)
    return dict(found)


def told(figures: PlayerFigures) -> Count:
    """Return the book's figures in the shape of a count."""
    of = Count()
    of.sums.update(
        {
            "matches": figures["matches"],
            "won": figures["matches_won"],
            "lost": figures["matches_lost"],
            "in_doubt": figures["in_doubt"],
            "sent": figures["cards_sent"],
            "received": figures["cards_received"],
            "faults": figures["faults"]["n"],
            "before": figures["before_kimariji"]["won"],
        }
    )
    for card in figures["cards"]:
        of.cards[card["poem"], True] = card["takes"]["won"]
        of.cards[card["poem"], False] = card["takes"]["n"] - card["takes"]["won"]
    for place in figures["places"]:
        key = (place["territory"], place["row"], place["half"])
        of.places[*key, True] = place["takes"]["won"]
        of.places[*key, False] = place["takes"]["n"] - place["takes"]["won"]
    of.lures.update({lure["card"]: lure["n"] for lure in figures["faults"]["lures"]})
    of.opponents.update({each["name"]: each["matches"] for each in figures["opponents"]})
    return of


def differences(figures: PlayerFigures, counted: Count) -> list[str]:
    """Return in which figures the book differs from a count; empty where all are equal."""
    book = told(figures)
    found = [
        f"{figures['player']}: {name} is {getattr(book, name)} in the book, {getattr(counted, name)} counted"
        for name in ("sums", "cards", "places", "lures", "opponents")
        if getattr(book, name) != getattr(counted, name)
    ]
    for card in figures["cards"]:
        times_ms = sorted(counted.times_ms.get(card["poem"], []))
        reaction = card["reaction"]
        lost = sum(is_lost for _, is_lost in times_ms)
        expected = (len(times_ms) - lost, lost, _middle(times_ms))
        if (reaction["n"], reaction["lost"], reaction["median_ms"]) != expected:
            found.append(f"{figures['player']}: poem {card['poem']} took {reaction}, counted {times_ms}")
    return found


def _middle(times_ms: list[tuple[float, bool]]) -> float | None:
    """Return the median by Efron's way: each lost card hands its weight on to all that come later."""
    weights = [Fraction(1, len(times_ms))] * len(times_ms)
    reached = Fraction(0)
    half: float | None = None
    for place, (ms, lost) in enumerate(times_ms):
        if lost:
            later = len(times_ms) - place - 1
            for after in range(place + 1, len(times_ms)):
                weights[after] += weights[place] / later
            continue
        if half is not None:
            return round((half + ms) / 2, 1)
        reached += weights[place]
        if reached > Fraction(1, 2):
            return round(ms, 1)
        half = ms if reached == Fraction(1, 2) else None
    return None if half is None else round(half, 1)


def _add(of: Count, side: Side, record: PoemRecord, engine: Engine) -> None:
    ruling = record.ruling
    of.sums["sent"] += ruling.sends[side]
    of.sums["received"] += ruling.sends[side.opponent]
    of.sums["faults"] += ruling.faults[side]
    if ruling.taken_by is not None:
        taken = ruling.taken_by is side
        of.cards[ruling.poem, taken] += 1
        lay = record.layout_before.find(ruling.poem)
        if lay is not None:
            seen = lay if side is Side.NEAR else lay.turned()  # everybody sits at the near edge once
            territory = "own" if lay.side is side else "opponent"
            half = "left" if seen.x_m < 0 else "right"
            of.places[territory, lay.row, half, taken] += 1
        decided_ns = [
            fact.t_ns
            for fact in record.facts
            if isinstance(fact, KimarijiCompleted) and fact.poem == ruling.poem
        ]
        if ruling.take is not None and decided_ns:
            response_ns = ruling.take.t_ns - min(decided_ns)
            of.times_ms[ruling.poem].append((response_ns / 1e6, not taken))
            of.sums["before"] += taken and response_ns < 0
    if ruling.faults[side]:
        reading = Reading(ruling.poem, record.layout_before, record.facts, engine.opened.settings.rules)
        first: dict[Any, Touch] = {}
        for touch, verdict in reading.judged:
            where = reading.territory(touch)
            if verdict in _FAULTS and touch.player is side:
                before = first.get(where)
                first[where] = touch if before is None or touch.t_ns < before.t_ns else before
        of.lures.update([touch.card for touch in first.values() if touch.card is not None])
