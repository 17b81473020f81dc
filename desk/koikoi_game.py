"""A game of Koi-Koi read out of its log: what counts, with every correction worked in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desk.koikoi_events import (
    CardCorrected,
    GameEvent,
    GameOpened,
    LoggedEvent,
    TableDoubt,
    TableSeen,
    TakenBack,
)
from referee.koikoi.events import Deal, Declare, Draw, End, Play
from referee.koikoi.match import Match, step

Numbered = tuple[int, LoggedEvent]
"""A logged event with its number in the log."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one instant.

    Attributes
    ----------
    opened : players, rules, deck.
    match : the referee's state.
    told : the events that count, with their numbers; `match` numbers them from 0 in the same order.
    table : the table as it was seen last, None before.
    doubts : what the eye could not put into moves, with number and index of the round (0 for the first).
    renamed : for the present round what each misread card really is.
    """

    opened: GameOpened
    match: Match
    told: tuple[tuple[int, GameEvent], ...] = ()
    table: TableSeen | None = None
    doubts: tuple[tuple[int, int, TableDoubt], ...] = ()
    renamed: Mapping[int, int] = field(default_factory=dict)

    @property
    def round_index(self) -> int:
        """Index of the present round, -1 before the first deal."""
        return len(self.match.rounds) - 1


def read_game(history: Sequence[Numbered]) -> Game:
    """Return the game that a log tells.

    Raises
    ------
    ValueError
        Where the log does not begin with `GameOpened` or an event cannot be of this game.
    """
    first = history[0][1] if history else None
    if not isinstance(first, GameOpened):
        raise ValueError(  # noqa: TRY004 (the log is wrong, not its type)
            f"the log of a game begins with its opening, got {first!r}"
        )
    gone = {event.seq for _, event in history if isinstance(event, TakenBack)}
    counting = [(seq, event) for seq, event in history[1:] if seq not in gone]
    renamed = _renamed_by_round(counting)
    game = Game(first, Match(first.rules))
    for seq, event in counting:
        if isinstance(event, Deal):
            game = replace(game, renamed=renamed.get(game.round_index + 1, {}))
        game = followed(game, seq, event)
    return replace(game, renamed=renamed.get(game.round_index, {}))


def followed(game: Game, seq: int, event: LoggedEvent) -> Game:
    """Return the game after one more event; corrections need `read_game` over the whole log.

    Raises
    ------
    ValueError
        The event cannot be of this game.
    """
    if isinstance(event, TableSeen):
        return replace(game, table=_table_as_named(event, game.renamed))
    if isinstance(event, TableDoubt):
        return replace(game, doubts=(*game.doubts, (seq, game.round_index, event)))
    if isinstance(event, GameOpened | CardCorrected | TakenBack):
        return game
    if isinstance(event, Deal) and game.told and game.round_index >= 0 and not _is_new_round(game, event):
        return game
    named = _as_named(event, game.renamed)
    return replace(game, match=step(game.match, named), told=(*game.told, (seq, named)))


def _is_new_round(game: Game, deal: Deal) -> bool:
    """Tell a new deal from the same one told twice."""
    last = game.told[-1][1]
    return not (isinstance(last, Deal) and last == deal)


def _renamed_by_round(counting: Iterable[Numbered]) -> dict[int, dict[int, int]]:
    index, renamed = -1, dict[int, dict[int, int]]()
    for _, event in counting:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, CardCorrected):
            of_round = renamed.setdefault(index, {})
            # the two cards change places, for each exists once
            swap = {event.wrong: event.right, event.right: event.wrong}
            renamed[index] = {
                card: swap.get(of_round.get(card, card), of_round.get(card, card))
                for card in {*of_round, *swap}
            }
    return renamed


def _as_named(event: GameEvent, renamed: Mapping[int, int]) -> GameEvent:
    if not renamed or isinstance(event, Declare | End):
        return event
    if isinstance(event, Deal):
        return replace(event, field=_cards(event.field, renamed))
    assert isinstance(event, Play | Draw)
    return replace(event, card=renamed.get(event.card, event.card), taken=_cards(event.taken, renamed))


def _table_as_named(table: TableSeen, renamed: Mapping[int, int]) -> TableSeen:
    if not renamed:
        return table
    return replace(
        table,
        field=_cards(table.field, renamed),
        captures=tuple(_cards(pile, renamed) for pile in table.captures),
        turned=_cards(table.turned, renamed),
    )


def _cards(cards: Iterable[int], renamed: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(renamed.get(card, card) for card in cards)
