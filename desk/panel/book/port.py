"""The port of the club's book: figures of players, as plain JSON data.

Only rulings that were decided, or that an official confirmed or made, count. Times are milliseconds after the
end of the kimariji as it was at that moment; negative if the contact came before it.

Every share and every median has its 95 % interval. A card that the opponent took counts in a player's times:
the player would have needed longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypedDict

CardSet = Literal["due", "slowest", "lost", "confused"]
"""Sets of cards that the book proposes: due for review, the slowest, lost this month, and the families of
cards that were confused."""


class Share(TypedDict):
    """A share, `won` of `n`, and its 95 % interval (Wilson's score); None if n is 0."""

    won: int
    n: int
    share: float | None
    interval: tuple[float, float] | None


class Timing(TypedDict):
    """How soon half of the cards would be reached, if the opponent took none of them (Kaplan and Meier)."""

    n: int
    lost: int
    median_ms: float | None  # the median; None where too few cards were taken to know it
    # the quartiles, the second None where too few were taken; None where the first is
    quartiles_ms: tuple[float, float | None] | None
    # 95 % interval of the median; an end is None where too little is known to close it
    interval_ms: tuple[float | None, float | None]


class Takes(TypedDict):
    """Cards that a player took, as a share of those that either player took, and how fast."""

    takes: Share
    reaction: Timing


class CardFigures(Takes):
    """One poem's card, in matches and in practice alone."""

    poem: int
    practice: Timing
    # shrunk towards the player's mean: of a hundred cards with few takes each the slowest are mostly unlucky;
    # of matches, of practice where no match has a time, None without any
    typical_ms: float | None


class FamilyFigures(Takes):
    """The poems that begin with the same sound; the seven with a first sound of their own are one family."""

    sounds: str  # their first sounds
    poems: list[int]  # all of the family, 1..100


class PlaceFigures(Takes):
    """A part of the field as the player sees it; the twelve intervals hold together in 95 % of all cases."""

    territory: str  # `own` or `opponent`
    row: int  # 0 lies next to the middle line
    half: str  # `left` or `right`


class StageFigures(Takes):
    """A stretch of the match: its poems number `first` to `last`."""

    first: int
    last: int


class WeekFigures(Takes):
    """A week, by the date of its Monday: the matches, the practices and their take times."""

    monday: str
    matches: int
    practices: int
    practice: Timing


class OpponentFigures(Takes):
    """The figures against one opponent; `stronger` is None before a match between them was won."""

    name: str
    matches: int
    matches_won: int
    matches_lost: int
    stronger: RatingDifference | None


class LureFigures(TypedDict):
    """A card that lured the player into otetsuki `n` times, and the poems that were read then."""

    card: int
    n: int
    read: list[int]


class PracticeFigures(TypedDict):
    """What a player did in practice alone."""

    sessions: int
    takes: Share  # cards taken, as a share of those taken, missed or confused with another
    reaction: Timing
    lured: int  # how often a wrong card was touched


class FaultFigures(TypedDict):
    """Otetsuki: how many, of which kinds, and on which cards."""

    n: int
    kinds: dict[str, int]
    lures: list[LureFigures]


class Rating(TypedDict):
    """A player's strength: points as in Elo, the 95 % interval, and the number of matches it rests on."""

    points: int
    interval: tuple[int, int]
    matches: int
    # ratings compare only within a group of players who met, directly or through others, 1, 2, ... of
    # `groups`; the middle of each is 1500
    group: int
    groups: int


class RatingDifference(TypedDict):
    """By how many points a player is stronger than another, with the 95 % interval."""

    points: int
    interval: tuple[int, int]


class PlayerListed(TypedDict):
    """A player of the list; `practices` counts practices alone, and takes are those of matches."""

    name: str
    matches: int
    practices: int
    matches_won: int
    takes: int
    reaction: Timing
    last_day: str
    rating: Rating | None


class PlayerFigures(Takes):
    """All figures of a player, in all matches or in those against one opponent."""

    # player, against, since, until: as in the request; dates are `2026-01-04`, None for no limit
    player: str
    against: str | None
    since: str | None
    until: str | None
    # matches, matches_won, matches_lost: matches that are over; one that nobody won is neither won nor lost
    matches: int
    matches_won: int
    matches_lost: int
    unfinished: int  # matches that are not over, which count nowhere but for the cards to practise
    in_doubt: int  # rulings of these matches that stand although they were in doubt: they count nowhere
    before_kimariji: Share  # timed takes that came before the end of the kimariji
    # cards_sent, cards_received: cards sent to and received from the opponent
    cards_sent: int
    cards_received: int
    faults: FaultFigures
    cards: list[CardFigures]
    families: list[FamilyFigures]
    places: list[PlaceFigures]
    stages: list[StageFigures]
    weeks: list[WeekFigures]
    opponents: list[OpponentFigures]
    # from all matches up to the day `until`, against any opponent; None before the first
    rating: Rating | None
    practice: PracticeFigures | None  # practices alone; None if only one opponent was asked for


class CardChosen(TypedDict):
    """A card to practise, and why."""

    poem: int  # 1..100
    due: str | None  # day of the next review, None if it was never reviewed
    # time of the last three months, shrunk towards the player's mean; None if no time is known
    typical_ms: float | None
    lost: int  # how often it was lost or failed in the last thirty days
    confused: int  # how often cards of its family were confused


class LeftOut(TypedDict):
    """A log that counts nowhere, or without some of its entries."""

    file: str
    # `damaged`, `double` (another file holds the same match or practice) or `future` (it begins later than
    # now: a clock was wrong, and it counts from that day on)
    why: Literal["damaged", "double", "future"]
    detail: str  # what is wrong with it, or with an entry of it; the other file; or when it begins


class NotCounted(TypedDict):
    """Matches and practices that were read but count nowhere, or not as a match."""

    unnamed: int  # matches that count for nobody: no names, or the same name for both players
    simulated: int  # matches and practices of the simulator
    unfinished: int  # matches that are not over, which count nowhere but for the cards to practise


class BookPort(Protocol):
    """The book of a club's matches."""

    def card_set(self, player: str, which: CardSet, count: int = 20) -> list[CardChosen] | None: ...
    def due_days(self, player: str) -> Mapping[int, str]: ...  # the next review of each card ever reviewed
    def left_out(self) -> Sequence[LeftOut]: ...
    def not_counted(self) -> NotCounted: ...
    def players(self, since: str | None = None, until: str | None = None) -> list[PlayerListed]: ...
    def names(self) -> list[str]: ...
    def opponents(self, player: str) -> list[str]: ...

    def figures(
        self, player: str, against: str | None = None, since: str | None = None, until: str | None = None
    ) -> PlayerFigures | None:
        """Return a player's figures, None if the book knows no such player or no such pairing."""
