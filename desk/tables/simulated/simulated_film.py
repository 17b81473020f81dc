"""A simulated film of a card table as frames of a source, and as an opened table."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, Protocol

import cv2
import numpy as np

from calibration.decks.deck import Deck
from desk.tables.recording import Declaration
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table_opening import OpenedTable
from vision.frames.frame import Frame
from vision.plane.printed_table import PrintedTable
from vision.simulator.cardtable.film import Film

_T_UNC_NS: Final = 500_000


class Spoken(Protocol):
    """The truth of a film, with what its players say."""

    declarations: list[dict[str, Any]]


class SimulatedFilm(Protocol):
    """A film of any card game."""

    @property
    def film(self) -> Film: ...
    @property
    def filmed(self) -> Spoken: ...
    @property
    def deck(self) -> Deck: ...


def frames_of(film: Film) -> Iterator[Frame]:
    """Iterate over a film as gray frames, with colours on demand."""
    for index, (t_ns, picture) in enumerate(film.pictures()):
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        yield Frame(gray, t_ns, _T_UNC_NS, index, render_colour=lambda picture=picture: picture)  # type: ignore[misc]


def opened_film(
    game: str, filmed: SimulatedFilm, table: PrintedTable, dealer: int = 0, speed: float = 1.0
) -> OpenedTable:
    """Return the table of a film, whose pictures come at `speed` times real time."""
    film = filmed.film
    words = tuple(
        Declaration(float(line["t_ms"]), int(line["player"]), str(line["what"]))
        for line in filmed.filmed.declarations
    )
    opening = partial(ScriptedTable, lambda: frames_of(film), Source.SIMULATOR, game, film.fps, speed)
    return OpenedTable(opening, "simulator", filmed.deck, table.zones, words, table.players, dealer)
