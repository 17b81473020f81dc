"""The story of a round: each event with the table after it, the yaku it made, and its flags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desk.koikoi.game import Game
from desk.koikoi.scribe.notes import Noted
from desk.panel.koikoi.port import FlagShown, StepShown, StoryShown
from desk.tables.evidence.events import evidence_at
from desk.tables.log_follower import Numbered
from referee.koikoi.events import Deal, Declare, Draw, Event, Missed, Play
from referee.koikoi.match import Match, RoundRecord, step
from referee.koikoi.piles import cards_of

_LAID: Final = ("deal", "play", "draw")
"""Steps at which cards are laid; a word cannot be seen."""


def story(game: Game, number: int, history: Sequence[Numbered] = ()) -> StoryShown | None:
    """Return the story of a round by its number, the latest one if it was redealt; None if there is none.

    Parameters
    ----------
    game : the game to its end, so that corrected mistakes are not flagged.
    number : number of the round, from 1.
    history : the log's events, which name the stored pictures.
    """
    records = game.match.rounds
    index = next((i for i in reversed(range(len(records))) if records[i].table.number == number), None)
    if index is None:
        return None
    told = _story(game, index)
    for each in told["steps"]:
        if each["kind"] in _LAID:
            each["evidence"] = evidence_at(history, each["t_ms"])
    return told


def stories(game: Game) -> list[StoryShown]:
    """Return the story of every round, including redealt ones."""
    return [_story(game, index) for index in range(len(game.match.rounds))]


def _story(game: Game, index: int) -> StoryShown:
    record, steps = game.match.rounds[index], list[StepShown]()
    match = Match(game.opened.rules)
    so_far = game.so_far
    t_ms = 0.0 if so_far.look is None else so_far.look.t_ms
    begun = [Noted(t_ms, event) for event in so_far.begun]
    for line, noted in enumerate([*game.scribe.notes, *begun]):
        before, match = match, step(match, noted.event)
        if len(match.rounds) - 1 == index:
            steps.append(_step(noted, before, match, _flags(game, record, index, line), line))
    result = record.result
    return {
        "number": record.table.number,
        "dealer": record.table.dealer,
        "end": None if result is None else result.ending.value,
        "winner": None if result is None else result.winner,
        "points": list(record.points),
        "formula": "" if result is None else result.formula,
        "steps": steps,
    }


def _step(noted: Noted, before: Match, after: Match, flags: list[FlagShown], line: int) -> StepShown:
    event, table = noted.event, after.table
    assert table is not None, "a round begins with its deal"
    kind = _kind(event)
    return {
        "event": line,
        "t_ms": noted.t_ms,
        "kind": kind,
        "player": event.dealer if isinstance(event, Deal) else getattr(event, "player", None),
        "card": event.card if isinstance(event, Play | Draw) else None,
        "taken": list(event.taken) if isinstance(event, Play | Draw) else [],
        "said": event.what.value if isinstance(event, Declare) else None,
        "field": list(cards_of(table.field)),
        "piles": [list(cards_of(pile)) for pile in table.piles],
        "stock": table.stock,
        "reached": _reached(before, after),
        "flags": flags,
        "evidence": None,
    }


def _kind(event: Event) -> str:
    kinds = {Deal: "deal", Play: "play", Draw: "draw", Declare: "declare", Missed: "missed"}
    return kinds.get(type(event), "end")


def _reached(before: Match, after: Match) -> list[str]:
    """Return the yaku that a step made."""
    old, new = before.table, after.table
    if old is None or new is None or old.number != new.number or len(before.rounds) != len(after.rounds):
        return []
    return [
        row.name
        for seat in range(new.players)
        for row in new.score(seat).yaku
        if row.name not in {each.name for each in old.score(seat).yaku}
    ]


def _flags(game: Game, record: RoundRecord, index: int, line: int) -> list[FlagShown]:
    found: list[FlagShown] = [
        {"event": line, "id": flag.id.value, "text": flag.text, "cards": [], "player": None}
        for flag in record.flags
        if flag.event == line
    ]
    found += [
        {"event": line, "id": flag.id.value, "text": flag.text, "cards": [], "player": None}
        for flag in game.scribe.flags
        if flag.round == index and flag.event == line
    ]
    return found
