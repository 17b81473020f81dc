"""A bout of the Kendo cards as a film, and as a recording in the shared exam format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.decks.deck import Deck
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.cardtable.card_set import BACK, CardSet, plain_back
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.kendo.table import KendoFilmed, KendoMove, film_bout
from vision.simulator.cardtable.looks import find_look
from vision.simulator.cardtable.recording import head_of, write_table_recording
from vision.simulator.drawing.film_file import Codec


@dataclass(frozen=True)
class KendoFilm:
    """A film of a bout, ready to be drawn or written."""

    film: Film
    filmed: KendoFilmed
    deck: Deck


def film_kendo(
    deck: Deck,
    moves: Sequence[KendoMove],
    *,
    seed: int,
    look: str = "wood",
    size_px: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    pace: float = 1.0,
) -> KendoFilm:
    """Stage a bout.

    Parameters
    ----------
    deck : the faces of a box of Kendo cards.
    seed : for places, times, camera, light and noise.
    look : a name of `looks.LOOKS`, or `holdout`.
    pace : factor on all durations; 1 for unhurried people.
    """
    chosen = find_look(look)
    filmed = film_bout(moves, chosen, seed=seed, pace=pace)
    back_colour = (96, 60, 44)
    back = plain_back(deck.picture_size_px, back_colour)
    faces = {card: back if name == "back" else deck.pictures[name] for card, name in enumerate(filmed.faces)}
    cards = CardSet({**faces, BACK: back}, back, deck.width_mm, deck.height_mm)
    film = Film(filmed.script, cards, KENDO_TABLE, chosen, seed=seed, size_px=size_px, fps=fps)
    return KendoFilm(film, filmed, deck)


def write_kendo_recording(kendo: KendoFilm, folder: Path | str, codec: Codec = "h264") -> Path:
    """Render a bout into `folder`, see `write_table_recording`."""
    head = head_of("kendo", kendo.film.fps, 'rules = "seed-003"\n', KENDO_TABLE.to_toml())
    said, truth = kendo.filmed.declarations, {"moves": kendo.filmed.moves}
    return write_table_recording(kendo.film, kendo.deck, folder, codec, head=head, said=said, truth=truth)
