"""The sources of a Kendo court's pictures: a camera, a recording, or a simulated bout."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path
from typing import Final

from calibration.files import typed_numbers as typed
from desk.errors import DeskError
from desk.kendo.film import load_court
from desk.kendo.look import SEATS
from desk.kendo.scribe import WORDS
from desk.kendo.simulation import plan_bout
from desk.machine.decks import open_deck
from desk.phone.wish import PhoneWish
from desk.tables.camera_table import CameraTable
from desk.tables.recording import Declaration, declarations_in, read_zones
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.simulated.simulated_film import frames_of, spoken
from desk.tables.simulated.simulator_words import simulator_words
from desk.tables.source_kind import Source
from desk.tables.table_opening import OpenedTable, filmed_table
from referee.kendo.house_rules import preset
from referee.sentence import Sentence, sentence_of
from vision.plane.zones import TableZones, zones_of
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.film import KendoFilm, film_kendo
from vision.simulator.cardtable.kendo.table import KENDO_TABLE

LIVE_PACE: Final = 0.9
"""Pace of simulated players for viewers; 1 is the pace of unhurried people."""
FAULTS: Final = 1
"""Number of illegal plays that simulated players make, to show how the referee reacts."""


def camera_table(
    where: str, deck: str, drawn: Path | None = None, *, phone: PhoneWish | None = None
) -> OpenedTable:
    """Return a court under a camera.

    Parameters
    ----------
    where : the camera's number or device, the address of a stream, or `phone`.
    deck : the enrolled box on the table.
    drawn : a TOML file with the court's zones; by default the printed ones.
    phone : how a phone connects.

    Raises
    ------
    DeskError
        If box or court cannot be used.
    """
    zones = read_zones(drawn, KENDO_TABLE.to_toml())
    return OpenedTable(partial(CameraTable, where, phone), "camera", open_deck(deck), zones)


def recorded_table(folder: Path) -> OpenedTable:
    """Return a recorded court with the deck and zones of its recording.

    Raises
    ------
    DeskError
        If something is missing or wrong.
    """
    court = load_court(folder)
    words = declarations_in(folder, SEATS, WORDS)
    return OpenedTable(
        partial(filmed_table, court.video, court.filmed_fps), "video", court.deck, court.zones, words
    )


def simulated_table(text: str) -> OpenedTable:
    """Return a simulated bout from a text such as `seed=7 speed=1 fps=30 size=1280x720`.

    Raises
    ------
    DeskError
        If the text is wrong.
    """
    values = simulator_words(text, {"seed": int, "speed": float, "fps": float, "size": typed.size})
    deck, seed, fps = drawn_kendo_deck(), values.get("seed", 7), values.get("fps", 30.0)
    moves = plan_bout(preset(), seed, faults=FAULTS).moves
    try:
        size_px = values.get("size", (1280, 720))
        kendo = film_kendo(deck, moves, seed=seed, size_px=size_px, fps=fps, pace=LIVE_PACE)
    except ValueError as error:
        raise DeskError(
            Sentence("the simulator cannot do this: {error}", error=sentence_of(error))
        ) from error
    return OpenedTable(
        partial(scripted_court, kendo, values.get("speed", 1.0)),
        "simulator",
        deck,
        zones_of_court(),
        tuple(words_of(kendo)),
    )


def scripted_court(kendo: KendoFilm, speed: float) -> ScriptedTable:
    """Return the court, whose pictures come at the pace of a clock."""
    film = kendo.film
    return ScriptedTable(lambda: frames_of(film), Source.SIMULATOR, "kendo", film.fps, speed)


def zones_of_court() -> TableZones:
    """Return the printed court as zones for the eye."""
    return zones_of(tomllib.loads(KENDO_TABLE.to_toml())["table"], "the printed court")


def words_of(kendo: KendoFilm) -> list[Declaration]:
    """Return the players' declarations."""
    return spoken(kendo.filmed.declarations)
