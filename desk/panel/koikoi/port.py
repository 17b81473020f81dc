"""What the Koi-Koi page asks of the desk: its only door to a running game. Everything that passes is JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypedDict

from desk.panel.table.replay_port import ReplayPort

CallName = Literal["koikoi", "stop", "teshi", "kuttsuki"]


class YakuShown(TypedDict):
    """A yaku with its points and the cards (0..47) that make it."""

    name: str
    points: int
    cards: list[int]


class AwayShown(TypedDict):
    """A yaku that any one of `cards` completes; `base` is the sum of all yaku the pile then has."""

    name: str
    cards: list[int]
    base: int


class SeatShown(TypedDict):
    """One seat.

    Attributes
    ----------
    name : what the player is called, None without a name.
    captures : captured cards.
    hand : how many hand cards are left.
    calls : koi-koi calls in this round.
    yaku, base : what the pile makes, and its undoubled sum.
    points : what a stop would pay now; `formula` says how it comes about.
    away : yaku that one card would complete.
    total : points of all rounds so far.
    """

    name: str | None
    captures: list[int]
    hand: int
    calls: int
    yaku: list[YakuShown]
    base: int
    points: int
    formula: str
    away: list[AwayShown]
    total: int


class FlagShown(TypedDict):
    """Something to put right.

    `event` is the number of the game's event that it concerns; `cards` are the cards of that event.
    """

    event: int
    id: str
    text: str
    cards: list[int]
    player: int | None


class YakuCount(TypedDict):
    """How often a yaku counted."""

    name: str
    times: int


class StatisticsShown(TypedDict):
    """A seat over the finished rounds of a match.

    Attributes
    ----------
    won : rounds won.
    best : most points in one round.
    calls, calls_paid : koi-koi calls, and rounds won after one.
    captured : captured cards, mean of the rounds.
    faults : moves and declarations that were flagged.
    yaku : what the rounds were won with, the most frequent first.
    """

    won: int
    best: int
    calls: int
    calls_paid: int
    captured: float
    faults: int
    yaku: list[YakuCount]


class RoundShown(TypedDict):
    """A finished or running round."""

    number: int
    dealer: int
    end: str | None
    winner: int | None
    points: list[int]
    calls: list[int]
    yaku: list[list[YakuShown]]
    formula: str
    flags: int


class DealShown(TypedDict):
    """A deal that is not understood yet.

    Attributes
    ----------
    why : `few` cards, or `many`, or cards lie in the `piles` already.
    seen : how many things lie in the middle.
    unread : how many of them cannot be read, or are no cards.
    size : how many cards are dealt there.
    """

    why: str
    seen: int
    unread: int
    size: int


class StepShown(TypedDict):
    """One event of a round's story, with the table as it lay afterwards.

    Attributes
    ----------
    event : its number in the game.
    t_ms : when it was seen, on the source's clock.
    kind : `deal`, `play`, `draw`, `declare`, `missed` or `end`.
    player : whose it was, None where it was nobody's.
    card, taken : the card that was laid, and what it took with it.
    said : what was declared.
    field, piles, stock : the table afterwards.
    reached : yaku that were made by it.
    flags : what was noted about it and never put right.
    evidence : number of the log's event that names its pictures, None where none are kept.
    """

    event: int
    t_ms: float
    kind: str
    player: int | None
    card: int | None
    taken: list[int]
    said: str | None
    field: list[int]
    piles: list[list[int]]
    stock: int
    reached: list[str]
    flags: list[FlagShown]
    evidence: int | None


class StoryShown(TypedDict):
    """A round card by card; `end`, `winner`, `points` and `formula` as in `RoundShown`."""

    number: int
    dealer: int
    end: str | None
    winner: int | None
    points: list[int]
    formula: str
    steps: list[StepShown]


class GameShown(TypedDict):
    """The whole game as the page shows it.

    Attributes
    ----------
    seq : number of the latest event.
    phase : what the round waits for (`hand_card`, `draw`, `late_hand_card`, `decision`, `over`), `waiting`
        before the first deal, `unseen` where a part was missed and whose turn it is has not shown yet.
    deal : while the referee waits for cards of a deal, else None.
    turn, dealer : seats, None before the first deal.
    deciding : seat that must say koi-koi or stop, None while nobody must.
    field, turned : cards in the middle, and cards under way.
    stock : how many cards the pile still holds.
    unseen : cards that nobody has seen yet in this round.
    flags : of the present round, the latest first.
    statistics : of each seat.
    last : the latest move: kind, player, card, taken.
    ranking : seats by total once the game is over, best first; equal totals share a place.
    """

    id: str
    source: str
    rules: str
    deck: str
    seq: int
    players: int
    phase: str
    deal: DealShown | None
    round: int
    rounds_in_game: int
    turn: int | None
    dealer: int | None
    deciding: int | None
    field: list[int]
    turned: list[int]
    stock: int
    unseen: list[int]
    seats: list[SeatShown]
    flags: list[FlagShown]
    rounds: list[RoundShown]
    statistics: list[StatisticsShown]
    last: dict[str, object] | None
    over: bool
    ranking: list[list[int]]


class KoiKoiPort(Protocol):
    """A running game. All methods are called on the loop that owns it and return quickly.

    `replays` are the pictures of its steps.
    """

    @property
    def replays(self) -> ReplayPort: ...  # noqa: D102

    def state(self) -> GameShown:
        """Return the game as it stands."""

    def story(self, number: int) -> StoryShown | None:
        """Return a round card by card, None where there is no round of this number."""

    def declare(self, player: int, what: CallName) -> str | None:
        """Take a player's word; return the id of a refusal, or None."""

    def undo(self) -> str | None:
        """Take the latest word of a person back; return the id of a refusal, or None."""

    def next_round(self) -> str | None:
        """Go on to the next round, which ends an open one; return the id of a refusal, or None."""

    def correct_card(self, wrong: int, right: int) -> str | None:
        """Name a card that was read wrongly; return the id of a refusal, or None."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def card_picture(self, card: int) -> bytes:
        """Return the picture of card 0..47 of the deck on the table, as JPEG."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the table as JPEG, None without a source."""

    def health(self) -> dict[str, object]:
        """Return `fps` (None while no pictures come) and `warnings` (texts)."""
