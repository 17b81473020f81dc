"""The sources of a Koi-Koi table's pictures: a camera, a recording, or a simulated table."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from calibration.files import typed_numbers as typed
from desk.errors import DeskError
from desk.koikoi.film import load_koikoi
from desk.koikoi.simulated_table import simulated_koikoi_table, words_of, zones_of_film
from desk.machine.decks import open_deck
from desk.phone.wish import PhoneWish
from desk.tables.camera_table import CameraTable
from desk.tables.drawn_table import kept_table
from desk.tables.recording import read_zones
from desk.tables.simulated.simulator_words import simulator_words
from desk.tables.table_opening import OpenedTable, filmed_table
from referee.sentence import Sentence, sentence_of
from vision.plane.zones import TableZones
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import film_koikoi
from vision.simulator.cardtable.zones import koikoi_zones

LIVE_PACE: Final = 0.8
"""Pace of simulated players for viewers; 1 is about 6 s per turn."""


def camera_table(
    where: str,
    deck: str,
    players: int,
    dealer: int = 0,
    drawn: Path | None = None,
    *,
    phone: PhoneWish | None = None,
) -> OpenedTable:
    """Return a table under a camera.

    Parameters
    ----------
    where : the camera's number or device, the address of a stream, or `phone`.
    deck : the enrolled deck on the table.
    players, dealer : number of players, and the first dealer.
    drawn : a TOML file with the table's zones; by default the drawn zones, or else the printed ones.
    phone : how a phone connects.

    Raises
    ------
    DeskError
        If deck or table cannot be used.
    """
    zones = _zones(drawn, players)
    opening = partial(CameraTable, where, phone)
    return OpenedTable(opening, "camera", open_deck(deck), zones, (), players, dealer)


def recorded_table(folder: Path) -> OpenedTable:
    """Return a recorded table with the players, dealer, deck and zones of its recording.

    Raises
    ------
    DeskError
        If something is missing or wrong.
    """
    recording = load_koikoi(folder)
    return OpenedTable(
        partial(filmed_table, recording.video, recording.filmed_fps),
        "video",
        recording.deck,
        recording.zones,
        recording.declarations,
        recording.players,
        recording.dealer or 0,
    )


def simulated_table(text: str, players: int) -> OpenedTable:
    """Return a simulated table from a text such as `seed=7 rounds=3 speed=1 fps=30 size=1280x720`.

    Raises
    ------
    DeskError
        If the text is wrong.
    """
    values = simulator_words(
        text, {"seed": int, "rounds": int, "speed": float, "fps": float, "size": typed.size}
    )
    rounds, deck = values.get("rounds", 3), drawn_deck()
    if not 1 <= rounds <= 12:
        raise DeskError(f"a simulated game has 1 to 12 rounds, got {rounds}")
    try:
        koikoi = film_koikoi(
            deck,
            seed=values.get("seed", 7),
            players=players,
            rounds=rounds,
            size_px=values.get("size", (1280, 720)),
            fps=values.get("fps", 30.0),
            pace=LIVE_PACE,
        )
    except ValueError as error:
        raise DeskError(
            Sentence("the simulator cannot do this: {error}", error=sentence_of(error))
        ) from error
    return OpenedTable(
        partial(simulated_koikoi_table, koikoi, values.get("speed", 1.0)),
        "simulator",
        deck,
        zones_of_film(koikoi),
        tuple(words_of(koikoi)),
        players,
        koikoi.rounds[0].dealer,
    )


def _zones(path: Path | None, players: int) -> TableZones:
    kept = kept_table("koikoi", players)
    zones = read_zones(kept if path is None and kept.is_file() else path, koikoi_zones(players).to_toml())
    strips = sum(zone.name == "capture" for zone in zones.zones)
    if strips < players:
        raise DeskError(f"{path}: capture needs a rectangle for each of {players} players, got {strips}")
    return zones
