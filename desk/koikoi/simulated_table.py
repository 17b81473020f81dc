"""A simulated Koi-Koi table for the desk: its pictures, its zones, and its players' declarations."""

from __future__ import annotations

import tomllib

from desk.tables.recording import Declaration
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.simulated.simulated_film import frames_of, spoken
from desk.tables.source_kind import Source
from vision.plane.zones import TableZones, zones_of
from vision.simulator.cardtable.recording import KoiKoiFilm


def zones_of_film(koikoi: KoiKoiFilm) -> TableZones:
    """Return the film's table as zones for the eye."""
    section = tomllib.loads(koikoi.zones.to_toml())["table"]
    return zones_of(section, "the simulated table")


def words_of(koikoi: KoiKoiFilm) -> list[Declaration]:
    """Return the players' declarations."""
    return spoken(koikoi.filmed.declarations)


def simulated_koikoi_table(koikoi: KoiKoiFilm, speed: float) -> ScriptedTable:
    """Return the table, whose pictures come at the pace of a clock."""
    film = koikoi.film
    return ScriptedTable(lambda: frames_of(film), Source.SIMULATOR, "koikoi", film.fps, speed)
