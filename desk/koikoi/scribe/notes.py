"""What a Koi-Koi scribe notes: events with their instants, faults that only the table shows, corrections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desk.koikoi.scribe.look import Cards
from referee.koikoi.events import Call, Deal, Declare, Draw, Event, Play
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match, step
from referee.koikoi.piles import cards_of
from referee.koikoi.round import Phase


@dataclass(frozen=True, slots=True)
class Noted:
    """An inferred event, and when it was seen."""

    t_ms: float
    event: Event


@dataclass(frozen=True, slots=True)
class TableFlag:
    """A fault that the table shows and no event can express: cards on wrong piles, vanished or returned."""

    round: int  # number of the round among the match's rounds, from 0
    event: int  # number of the event at which it occurred
    t_ms: float
    id: FlagId
    text: str


def cards_on_table(match: Match) -> Cards:
    table = match.table
    if table is None:
        return frozenset()
    return frozenset(cards_of(table.field)).union(*map(cards_of, table.piles))


def may_decide(match: Match, player: int) -> bool:
    """Tell whether a player's decision is due: after his turn, or later if he still owes it."""
    return any(
        table.owes == player or (table.phase is Phase.DECISION and table.turn == player)
        for table in match.readings
    )


def is_early(match: Match, declared: Declare) -> bool:
    """Tell whether a player declares his decision before the resting table shows his turn."""
    table = match.table
    decides = declared.what in {Call.KOIKOI, Call.STOP}
    on_turn = table is not None and table.result is None and table.turn == declared.player
    return decides and on_turn and not may_decide(match, declared.player)


class Doubts:
    """Remembers the flags of a round that say a card may be another one."""

    def __init__(self) -> None:
        self._open: list[tuple[TableFlag, int, Cards]] = []

    def add(self, flag: TableFlag, card: int, rivals: Cards) -> None:
        self._open.append((flag, card, rivals))

    def settled(self, lying: Cards) -> list[TableFlag]:
        """Return and forget the flags that are settled because all other cards lie on the table."""
        settled = [flag for flag, _, rivals in self._open if rivals <= lying]
        self._open = [
            (flag, card, rivals - lying) for flag, card, rivals in self._open if not rivals <= lying
        ]
        return settled

    def dropped(self, names: Mapping[int, int]) -> list[TableFlag]:
        """Return and forget the flags of cards that have been renamed."""
        dropped = [flag for flag, card, _ in self._open if card in names]
        self._open = [each for each in self._open if each[1] not in names]
        return dropped


def judged_anew(
    undealt: Match, notes: Sequence[Noted], names: Mapping[int, int]
) -> tuple[list[Noted], Match]:
    """Return the notes with renamed cards in the latest round, and the match judged from them."""
    deal = max(number for number, noted in enumerate(notes) if isinstance(noted.event, Deal))
    latest = [replace(noted, event=_renamed(noted.event, names)) for noted in notes[deal:]]
    match = undealt
    for noted in latest:
        match = step(match, noted.event)
    return [*notes[:deal], *latest], match


def _renamed(event: Event, names: Mapping[int, int]) -> Event:
    if isinstance(event, Play | Draw):
        taken = tuple(sorted(names.get(card, card) for card in event.taken))
        return replace(event, card=names.get(event.card, event.card), taken=taken)
    return event
