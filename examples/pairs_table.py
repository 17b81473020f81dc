"""Another card game, *Pairs*: all that a new game brings along, from its rules to its page.

    uv run python examples/pairs_table.py serve        # set it up at /pairs/set-up
    uv run python examples/pairs_table.py judge film.mp4 --game pairs --deck my-deck

All hanafuda lie face up in the middle. In turn each player takes two cards of one month and lays them into
the strip in front of them; brights count 20, animals 10, ribbons 5, chaff 1. The mat is the one of Koi-Koi
for two (`shinpan koikoi mat` makes it). `Pairs.look` is all the rules there are; `PairsGame` tells the desk
of them, and one entry in `CARD_GAMES` brings the live table, the log, the page and the judge of films.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desk.card_games import CARD_GAMES
from desk.commands.cli import main
from desk.errors import DeskError
from desk.log.event_codec import EventCodec, EventShape
from desk.panel.films.port import FilmPage, FilmPart
from desk.panel.words import Words
from desk.tables.card_game import CardGame, WatchedTable
from desk.tables.desk import TableDesk
from desk.tables.evidence.events import EvidenceKept
from desk.tables.eye import CardTableEye
from desk.tables.log_follower import Numbered, TableGame, counting, followed
from desk.tables.recording import Declaration
from desk.tables.table_events import AtRest, Lying, TakenBack, Unseen
from desk.tables.table_opening import OpenedTable
from referee.cards.hanafuda import HANAFUDA, Category
from vision.hanafuda.gallery import CardGallery
from vision.plane.printed_table import KoiKoiTable, koikoi_table
from vision.plane.zones import TableZones
from vision.table.watcher import TableFact, TableSettled, TableUnseen

POINTS = {Category.HIKARI: 20, Category.TANE: 10, Category.TAN: 5, Category.KASU: 1}
NAMES = ("near", "far")


# --- what the log holds ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class PairsLook:
    """The table at rest: the cards in the strip of each player, in the middle, and how many are unread."""

    t_ms: float
    strips: tuple[frozenset[str], frozenset[str]]
    field: frozenset[str]
    unread: int = 0

    @property
    def cards_seen(self) -> Lying:
        """The number of cards that lie there."""
        return Lying(len(self.field.union(*self.strips)), self.unread)


@dataclass(frozen=True)
class PairsOpened:
    """The first event of every log."""

    id: str
    source: str
    deck: str
    names: tuple[str | None, ...]


@dataclass(frozen=True)
class PairsSeen(AtRest):
    """The table at rest."""

    look: PairsLook


@dataclass(frozen=True)
class PairsUnseen(Unseen):
    """Nobody saw the table for a while."""


# --- the rules ---------------------------------------------------------------------------------------------
class Pairs(TableGame):
    """The game so far, with its `lines` for people, each with its instant in ms."""

    is_over = False

    def __init__(self, opened: PairsOpened) -> None:
        self.opened = opened
        self.strips: list[frozenset[str]] = [frozenset(), frozenset()]
        self.turn: int | None = None  # until the first pair is taken, and after a part that nobody saw
        self.lines: list[tuple[float, str]] = []

    @classmethod
    def read(cls, history: Sequence[Numbered]) -> Pairs:
        """Return the game of a log."""
        opened, events = counting(history, PairsOpened)
        return followed(cls(opened), events)

    def follow(self, event: object) -> None:
        """Follow one more event."""
        if isinstance(event, PairsUnseen):
            self.turn = None  # nobody knows who took meanwhile, so nobody is accused
            self.lines.append((event.from_ms, f"the table was not seen until {event.to_ms / 1000:.1f} s"))
        elif isinstance(event, PairsSeen):
            self.lines += [(event.look.t_ms, line) for line in self.look(event.look)]

    def look(self, seen: PairsLook) -> Iterator[str]:
        """Judge what has changed since the table was last at rest."""
        if seen.unread:
            yield "a card cannot be read: lay it free"
            return  # what is not known is not judged; the next look shows both changes
        for player, now in enumerate(seen.strips):
            new, gone = now - self.strips[player], self.strips[player] - now
            if gone:
                yield f"{NAMES[player]} has put back {_listed(gone)}"
            if len(new) < 2:  # the second card of the pair is still on its way
                self.strips[player] = now - new
                continue
            if self.turn not in (None, player):
                yield f"{NAMES[player]} takes {_listed(new)}, but it is {NAMES[1 - player]}'s turn"
            elif len(new) == 2 and len({HANAFUDA[card].month for card in new}) == 1:
                yield f"{NAMES[player]} takes {_listed(new)}: {points(now)} points"
                self.turn = 1 - player
            else:
                yield f"{NAMES[player]} takes {_listed(new)}: not two cards of one month"
            self.strips[player] = now
        self.is_over = any(self.strips) and not seen.field

    @property
    def sentence(self) -> str:
        """How the game stands."""
        near, far = map(points, self.strips)
        turn = "anybody may take" if self.turn is None else f"{NAMES[self.turn]} takes next"
        return f"{'over' if self.is_over else turn}: near {near}, far {far}"


def points(cards: Iterable[str]) -> int:
    """Return what cards are worth."""
    return sum(POINTS[HANAFUDA[card].category] for card in cards)


def _listed(cards: Iterable[str]) -> str:
    return " and ".join(HANAFUDA[card].name_en for card in sorted(cards))


# --- what the desk needs to know ---------------------------------------------------------------------------
class PairsDesk(TableDesk[Pairs]):
    """The one writer of a game."""

    codec = EventCodec(map(EventShape, (PairsOpened, PairsSeen, PairsUnseen, TakenBack, EvidenceKept)))
    corrections = words = ()
    unseen = PairsUnseen
    read = staticmethod(Pairs.read)

    @staticmethod
    def word(spoken: Declaration) -> object:
        """Refuse a word: nothing is said in Pairs."""
        raise DeskError(f"nothing is said in Pairs, got {spoken.what!r}")


class OneRuleSet:
    """The house rules of a game that has no others."""

    names, default = ("pairs",), "pairs"

    def house(self, text: str, name: str, overrides: Sequence[str] = ()) -> None:
        """Return no rules: they are all in `Pairs`."""


class PairsGame(CardGame[None]):
    """Pairs as a card game of the desk."""

    name, title, cards, own_deck = "pairs", "Pairs", "hanafuda", "shinpan"
    presets: Any = OneRuleSet()
    film_rules, own_zone = "pairs", "capture"
    desk = PairsDesk

    @staticmethod
    def printed(players: int) -> KoiKoiTable:
        """Return the table of the printed mat."""
        return koikoi_table(players)

    def eye(self, opened: OpenedTable) -> CardTableEye[PairsSeen | PairsUnseen]:
        """Return what watches the table."""
        return CardTableEye(CardGallery.of(opened.deck), opened.zones, seen_by)

    def opening(
        self, game_id: str, opened: OpenedTable, _: None, names: tuple[str | None, ...]
    ) -> PairsOpened:
        """Return the first event of a log."""
        return PairsOpened(game_id, opened.source, opened.deck.name, names)

    @staticmethod
    def state(desk: PairsDesk) -> dict[str, Any]:
        """Return a running game for its page; see `desk.panel.table.plain.PlainGame`."""
        game, notes = desk.game, [f"{t_ms / 1000:.1f} s: {line}" for t_ms, line in desk.game.lines]
        about = {"id": game.opened.id, "seq": desk.last_seq, "title": "Pairs", "names": game.opened.names}
        return {**about, "sentence": game.sentence, "over": game.is_over, "notes": notes}

    @staticmethod
    def minutes(seen: WatchedTable) -> dict[str, Any]:
        """Return what `shinpan judge` writes of a film."""
        told = [{"t_ms": round(t_ms), "text": line} for t_ms, line in seen.game.lines]
        return {"result": seen.game.sentence, "events": told, "stats": seen.stats.line(seen.failures)}

    @staticmethod
    def lines(judged: Mapping[str, Any]) -> list[str]:
        """Return these minutes as lines for people."""
        return [f"{event['t_ms'] / 1000:.1f} s: {event['text']}" for event in judged["events"]]

    @staticmethod
    def film_page(judged: Mapping[str, Any], _: Sequence[Any], _said: Words) -> FilmPage:
        """Return what the page of a film shows of these minutes."""
        steps = [{**event, "flags": [], "reached": [], "taken_back": False} for event in judged["events"]]
        part: FilmPart = {"title": "", "more": "", "doubt": "", "late": [], "steps": steps}
        return {"sentence": judged["result"], "parts": [part]}


def seen_by(fact: TableFact, _: TableZones) -> PairsSeen | PairsUnseen | None:
    """Return a fact of the eye as an event of the log."""
    if isinstance(fact, TableUnseen):
        return PairsUnseen(fact.t_from_ns / 1e6, fact.t_to_ns / 1e6)
    if not isinstance(fact, TableSettled):
        return None  # a glimpse while hands move
    strips, field = (set[str](), set[str]()), set[str]()
    for card in fact.cards:
        if card.card_id is not None and card.zone is not None:
            (strips[card.zone.number] if card.zone.name == "capture" else field).add(card.card_id)
    unread = sum(card.card_id is None for card in fact.cards)
    near, far = map(frozenset, strips)
    return PairsSeen(PairsLook(fact.t_ns / 1e6, (near, far), frozenset(field), unread))


PAIRS = PairsGame()

if __name__ == "__main__":
    CARD_GAMES[PAIRS.name] = PAIRS
    sys.exit(main(sys.argv[1:]))
