"""The port between the Koi-Koi page and a running game: plain JSON data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypedDict

from desk.panel.table.replay_port import ReplayedPort

CallName = Literal["koikoi", "stop", "teshi", "kuttsuki"]


class YakuShown(TypedDict):
    """A yaku with its points and its cards (0..47)."""

    name: str
    points: int
    cards: list[int]


class AwayShown(TypedDict):
    """A yaku that any one of `cards` completes; `base` is then the sum of all yaku of the pile."""

    name: str
    cards: list[int]
    base: int


class SeatShown(TypedDict):
    """One seat.

    Attributes
    ----------
    name : name of the player, None without one.
    captures : captured cards.
    hand : number of hand cards left.
    calls : number of koi-koi calls in this round.
    yaku, base : the yaku of the pile, and their sum before doubling.
    points : points for a stop now; `formula` has the calculation.
    away : yaku that one more card would complete.
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
    """A flag: an irregularity to be corrected.

    `event` is the number of the event that it concerns; `cards` are the cards of that event.
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
    """The statistics of a seat over the finished rounds of a match.

    Attributes
    ----------
    won : number of rounds won.
    best : most points in one round.
    calls, calls_paid : number of koi-koi calls, and of rounds won after one.
    captured : mean number of captured cards per round.
    faults : number of flagged moves and declarations.
    yaku : the yaku of the rounds won, the most frequent first.
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
    """A deal that is not recognised yet.

    Attributes
    ----------
    why : too `few` or too `many` cards, or cards in the `piles` already.
    seen : number of objects in the middle.
    unread : number of those that cannot be read or are no cards.
    size : number of cards that belong there after the deal.
    """

    why: str
    seen: int
    unread: int
    size: int


class StepShown(TypedDict):
    """One event of a round's story, with the table after it.

    Attributes
    ----------
    event : its number in the game.
    t_ms : when it was seen, on the source's clock.
    kind : `deal`, `play`, `draw`, `declare`, `missed` or `end`.
    player : the seat, None if it was nobody's event.
    card, taken : the card that was played, and the cards that it took.
    said : the declaration.
    field, piles, stock : the table after it.
    reached : yaku that it completed.
    flags : its flags that were never corrected.
    evidence : number of the log's event that names its pictures, None without pictures.
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


class YakuRow(TypedDict):
    """What a yaku is worth under the rules of a table.

    Attributes
    ----------
    points, extra : for the yaku, and for each further card of its kind.
    after_call : instead of `points` once its owner has called koi-koi; None if it is the same.
    count : how many cards make it.
    cards : the cards of which it is made; empty for the cards of the month.
    among : those of them without which it is not made, if others may be lacking.
    """

    name: str
    points: int
    extra: int
    after_call: int | None
    count: int
    cards: list[int]
    among: list[int]


class RulesShown(TypedDict):
    """The rules of a table.

    Attributes
    ----------
    name : id of the preset.
    players : the numbers of players for whom they are.
    settings : the setting of each switch of `desk.koikoi.agreement.SWITCHES`, empty if it is none of them.
    yaku : the yaku that are played.
    threshold : the sum that is doubled, as the switch `seven` says.
    hands : points for teshi and kuttsuki; 0 if they do not win.
    """

    name: str
    players: list[int]
    settings: dict[str, str]
    yaku: list[YakuRow]
    threshold: int
    hands: int


class GameShown(TypedDict):
    """The state of the game.

    Attributes
    ----------
    seq : number of the latest event.
    phase : what the round waits for (`hand_card`, `draw`, `late_hand_card`, `decision`, `over`), `waiting`
        before the first deal, `unseen` if a part was not seen and the turn is not known yet.
    deal : the deal that the referee waits for, else None.
    turn, dealer : seats, None before the first deal.
    deciding : seat that must say koi-koi or stop, None if no seat must.
    field, turned : cards in the middle, and turned cards that are not placed yet.
    stock : number of cards left in the drawing pile.
    unseen : cards that nobody has seen yet in this round.
    flags : flags of the present round, the latest first.
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


class KoiKoiPort(ReplayedPort, Protocol):
    """A running game. All methods are called in the loop that owns it and return quickly."""

    def state(self) -> GameShown:
        """Return the state of the game."""

    def rules(self) -> RulesShown:
        """Return the rules of the table."""

    def story(self, number: int) -> StoryShown | None:
        """Return a round card by card, None if there is no round of this number."""

    def declare(self, player: int, what: CallName) -> str | None:
        """Log a player's declaration; return the id of a refusal, or None."""

    def undo(self) -> str | None:
        """Undo the latest command of a person; return the id of a refusal, or None."""

    def next_round(self) -> str | None:
        """Go on to the next round and end the open one; return the id of a refusal, or None."""

    def correct_card(self, wrong: int, right: int) -> str | None:
        """Correct a card that was misread; return the id of a refusal, or None."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def card_picture(self, card: int) -> bytes:
        """Return the picture of card 0..47 of the deck on the table, as JPEG."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the table as JPEG, None without a source."""

    def health(self) -> dict[str, object]:
        """Return `fps` (None while no pictures come), `warnings` (texts), and maybe a `hindrance`."""
