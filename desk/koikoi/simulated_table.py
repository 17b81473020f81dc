"""A simulated table of Koi-Koi for the desk: its pictures, its zones, and what its players say."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from desk.tables.recording import Declaration
from desk.tables.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from vision.frames.frame import Frame
from vision.plane.zones import TableZones, zones_of
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.recording import KoiKoiFilm

_T_UNC_NS: Final = 500_000


def frames_of(film: Film) -> Iterator[Frame]:
    """Iterate over a film as a source's frames, gray with colours on demand."""
    for index, (t_ns, picture) in enumerate(film.pictures()):
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        yield Frame(gray, t_ns, _T_UNC_NS, index, render_colour=lambda picture=picture: picture)  # type: ignore[misc]


def zones_of_film(koikoi: KoiKoiFilm) -> TableZones:
    """Return the film's table as the eye knows tables."""
    section = tomllib.loads(koikoi.zones.to_toml())["table"]
    return zones_of(section, "the simulated table")


def words_of(koikoi: KoiKoiFilm) -> list[Declaration]:
    """Return what the players say."""
    lines = koikoi.filmed.declarations
    return [Declaration(float(line["t_ms"]), int(line["player"]), str(line["what"])) for line in lines]


def simulated_koikoi_table(koikoi: KoiKoiFilm, speed: float) -> ScriptedTable:
    """Return the table whose pictures come at the pace of a clock."""
    film = koikoi.film
    return ScriptedTable(lambda: frames_of(film), Source.SIMULATOR, "koikoi", film.fps, speed)


def players_argument(text: str) -> int:
    """Read `--players`."""
    if text not in {"2", "3", "4"}:
        raise argparse.ArgumentTypeError(f"Koi-Koi is played by 2, 3 or 4, got {text!r}")
    return int(text)
