"""A simulated game of Koi-Koi."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from calibration.files import typed_numbers as typed
from desk.errors import DeskError
from desk.tables.simulated.simulated_film import opened_film
from desk.tables.simulated.simulator_words import simulator_words
from desk.tables.table_opening import OpenedTable
from referee.complaint import sentence_of
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi

LIVE_PACE: Final = 0.8  # pace of simulated players for viewers; 1 is about 6 s per turn


def simulated_table(text: str, players: int) -> OpenedTable:
    """Return a table from a text such as `seed=7 rounds=3 speed=1 size=1280x720`, or DeskError."""
    readers: Mapping[str, Callable[[str], Any]] = {
        "seed": int,
        "rounds": int,
        "speed": float,
        "fps": float,
        "size": typed.size,
    }
    values = simulator_words(text, readers)
    rounds = values.get("rounds", 3)
    if not 1 <= rounds <= 12:
        raise DeskError("a simulated game has 1 to 12 rounds, got {rounds}", rounds=rounds)
    try:
        koikoi = film_koikoi(
            drawn_deck(),
            seed=values.get("seed", 7),
            players=players,
            rounds=rounds,
            size_px=values.get("size", (1280, 720)),
            fps=values.get("fps", 30.0),
            pace=LIVE_PACE,
        )
    except ValueError as error:
        raise DeskError("the simulator cannot do this: {error}", error=sentence_of(error)) from error
    return opened_koikoi(koikoi, values.get("speed", 1.0))


def opened_koikoi(koikoi: KoiKoiFilm, speed: float = 1.0) -> OpenedTable:
    return opened_film("koikoi", koikoi, koikoi.zones, koikoi.rounds[0].dealer, speed)
