"""Another table card game on shinpan's eye: *Pairs*, refereed from a film of a real table.

    uv run python examples/pairs_table.py table.mp4 my-deck

All hanafuda lie face up in the middle. In turn each player takes two cards of one month and lays them into
the strip in front of them; brights count 20, animals 10, ribbons 5, chaff 1. The mat is the one of Koi-Koi
for two (`shinpan koikoi mat` makes it). The eye says what lies where whenever the table has come to rest,
and `Pairs.look` is all the rules there are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from calibration.decks.deck import Deck
from desk.errors import DeskError
from desk.machine.decks import open_deck
from referee.cards.hanafuda import HANAFUDA, Category
from vision.frames.frame import Frame
from vision.hanafuda.gallery import CardGallery
from vision.plane.zones import TableZones, zones_of
from vision.sources.source import SourceError
from vision.sources.video_file import VideoSource
from vision.table.watcher import TableFact, TableSettled, TableUnseen, TableWatcher

POINTS = {Category.HIKARI: 20, Category.TANE: 10, Category.TAN: 5, Category.KASU: 1}
NAMES = ("near", "far")
ZONES = zones_of(
    {
        "size": [800, 560],
        "field": [100, 150, 700, 410],
        "capture": [[100, 420, 700, 550], [100, 10, 700, 140]],  # near, far
    },
    "pairs",
)
"""In millimetres from the table's upper left corner; `capture` lies in front of near (0) and far (1)."""


@dataclass
class Pairs:
    """The game so far: feed it what was seen of the table, it answers with lines for people.

    Attributes
    ----------
    strips : the cards in front of each player.
    turn : who takes next; None until the first pair was taken, and after a part that nobody saw.
    """

    strips: list[set[str]] = field(default_factory=lambda: [set(), set()])
    turn: int | None = None

    def see(self, fact: TableFact) -> Iterator[str]:
        """Take in one fact of the eye."""
        if isinstance(fact, TableUnseen):
            self.turn = None  # nobody knows who took meanwhile, so nobody is accused
            yield f"{_at(fact.t_from_ns)}: the table was not seen until {_at(fact.t_to_ns)}"
        elif isinstance(fact, TableSettled):
            yield from (f"{_at(fact.t_ns)}: {line}" for line in self.look(fact))

    def look(self, seen: TableSettled) -> Iterator[str]:
        """Judge what has changed since the table was last at rest."""
        if any(card.card_id is None for card in seen.cards):
            yield "a card cannot be read: lay it free"
            return  # what is not known is not judged; the next look shows both changes
        strips: list[set[str]] = [set(), set()]
        for card in seen.cards:
            if card.card_id is not None and card.zone is not None and card.zone.name == "capture":
                strips[card.zone.number].add(card.card_id)
        for player, (before, now) in enumerate(zip(self.strips, strips, strict=True)):
            new, gone = now - before, before - now
            if gone:
                yield f"{NAMES[player]} has put back {_told(gone)}"
            if len(new) < 2:  # the second card of the pair is still on its way
                strips[player] = now - new
                continue
            if self.turn not in (None, player):
                yield f"{NAMES[player]} takes {_told(new)}, but it is {NAMES[1 - player]}'s turn"
            elif len(new) == 2 and len({HANAFUDA[card].month for card in new}) == 1:
                yield f"{NAMES[player]} takes {_told(new)}: {points(now)} points"
                self.turn = 1 - player
            else:
                yield f"{NAMES[player]} takes {_told(new)}: not two cards of one month"
        self.strips = strips
        if any(strips) and not any(
            card.zone is not None and card.zone.name == "field" for card in seen.cards
        ):
            near, far = map(points, strips)
            yield f"over: near {near}, far {far}"


def points(cards: Iterable[str]) -> int:
    """Return what cards are worth."""
    return sum(POINTS[HANAFUDA[card].category] for card in cards)


def referee(frames: Iterable[Frame], deck: Deck, zones: TableZones = ZONES) -> Iterator[str]:
    """Watch a table and yield what happens, line by line."""
    watcher, game = TableWatcher(CardGallery.of(deck), zones), Pairs()
    for frame in frames:
        for fact in watcher.feed(frame):
            yield from game.see(fact)
    if watcher.plane is None:
        yield "the table was never seen: three of its four markers must be in view"


def _told(cards: Iterable[str]) -> str:
    return " and ".join(HANAFUDA[card].name_en for card in sorted(cards))


def _at(t_ns: int) -> str:
    return f"{t_ns / 1e9:.1f} s"


def main() -> int:
    """Referee the film that the command line names."""
    if len(sys.argv) != 3:
        sys.exit("usage: pairs_table.py FILM DECK")
    try:
        with VideoSource(Path(sys.argv[1])) as film:
            for line in referee(film, open_deck(sys.argv[2])):
                print(line)
    except (DeskError, SourceError) as error:
        sys.exit(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
