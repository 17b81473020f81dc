"""A live bout of the Kendo cards: eye, desk and page."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from calibration.decks.deck import Deck
from desk.kendo.desk import KendoDesk, Refused
from desk.kendo.events import CourtSeen, CourtUnseen
from desk.kendo.film import CourtWatcher
from desk.kendo.port import LiveKendoPort
from desk.panel.kendo.app import create_kendo_app
from desk.tables.live_table import LiveTable, serve_table
from desk.tables.preview_picture import preview_of
from desk.tables.recording import Declaration
from desk.tables.table import Table
from vision.frames.frame import Frame
from vision.plane.zones import TableZones

PATIENCE_MS: Final = 6000.0
"""How long a word that comes before the court is at rest waits for its turn to be seen."""


class KendoEye:
    """Watches a court frame by frame.

    Parameters
    ----------
    deck : the faces.
    zones : the table.
    """

    def __init__(self, deck: Deck, zones: TableZones) -> None:
        self._watcher = CourtWatcher(deck, zones)
        self._latest: Frame | None = None

    @property
    def sees_table(self) -> bool:
        """Whether the table's markers have been found."""
        return self._watcher.has_seen_the_table

    @property
    def markers(self) -> frozenset[int]:
        """The numbers of the largest set of markers that were seen together."""
        return self._watcher.markers

    @property
    def blank_looks(self) -> int:
        """How often the court came to rest while no card has ever been named."""
        return self._watcher.blank_looks

    @property
    def failures(self) -> Sequence[str]:
        """What went wrong at each look that was left out, for people."""
        return self._watcher.failures

    def feed(self, frame: Frame) -> list[CourtSeen | CourtUnseen]:
        """Look at one more frame; returns what has just been seen, which is mostly nothing."""
        self._latest = frame
        return self._watcher.feed(frame)

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG."""
        return preview_of(self._latest)


class KendoAttendant:
    """Submits to the desk what is seen, and what the players of a film say, at the right time.

    Attributes
    ----------
    unheard : words that never fitted what was seen.
    """

    def __init__(self, desk: KendoDesk, words: Iterable[Declaration] = ()) -> None:
        self.unheard: list[Declaration] = []
        self._desk, self._words = desk, deque(words)

    @property
    def failures(self) -> Sequence[str]:
        """The errors of the desk's scribe, for people."""
        return self._desk.failures

    def seen(self, event: CourtSeen | CourtUnseen) -> None:
        """Submit what the eye has seen."""
        self._desk.tell(event)

    def at(self, t_ms: float) -> None:
        """Submit the words that are due at `t_ms` on the table's clock."""
        while self._words and self._words[0].t_ms <= t_ms:
            word = self._words[0]
            if isinstance(self._desk.say(word.player, word.what, t_ms=word.t_ms), Refused):
                if t_ms - word.t_ms <= PATIENCE_MS:
                    return
                self.unheard.append(word)
            self._words.popleft()


class LiveKendo(LiveTable[CourtSeen | CourtUnseen]):
    """Watches a court and reports to the desk.

    Attributes
    ----------
    port : the port of the page.
    attendant : submits events to the desk.

    Parameters
    ----------
    desk : the bout; it runs in the loop given to `begin`.
    table : the source of the pictures.
    deck, zones : the cards and the places for them.
    words : the declarations of a film's or a simulated table's players.
    """

    def __init__(
        self,
        desk: KendoDesk,
        table: Table,
        deck: Deck,
        zones: TableZones,
        words: Iterable[Declaration] = (),
    ) -> None:
        eye = KendoEye(deck, zones)
        self.attendant = KendoAttendant(desk, words)
        super().__init__(table, eye, self.attendant)
        self.keep_evidence(desk, _rest_ms)
        self.port = LiveKendoPort(desk, deck, preview=eye.preview, health=self.health)


def _rest_ms(event: CourtSeen | CourtUnseen) -> float | None:
    return event.look.t_ms if isinstance(event, CourtSeen) else None


async def serve_kendo(live: LiveKendo, wanted_port: int, *, lan: bool) -> None:
    """Watch and serve the page until Ctrl-C.

    Raises
    ------
    DeskError
        If no port is free.
    """
    await serve_table(live, partial(create_kendo_app, live.port), "/kendo", wanted_port, 2, lan=lan)
