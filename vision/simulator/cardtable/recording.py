"""Write a simulated card table as a recording: the shared exam format, with exact truth."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.decks.deck import Deck
from vision.plane.printed_table import KoiKoiTable, koikoi_table
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.koikoi.game import RoundPlan, plan_round
from vision.simulator.cardtable.koikoi.table import Filmed, film_rounds
from vision.simulator.cardtable.looks import LOOKS, Look
from vision.simulator.cardtable.surface import CardSet
from vision.simulator.drawing.film_file import Codec, Encoding, rate_in_toml, write_film
from vision.simulator.drawing.style import Colour, chosen


def visible_cards(film: Film, t_s: float) -> dict[str, Any]:
    """Return the instant, and number, visible share and corners (px, clockwise) of each face-up card at rest.

    Hands are ignored: the share is what other cards leave visible.
    """
    cards = film.script.cards_at(t_s)
    resting = sorted(
        (track.rested_at(t_s), card)
        for card, track in cards.items()
        if track.is_there(t_s) and not track.is_moving(t_s, t_s + 1e-6)
    )
    width, height = film.size_px
    owner = np.full((height, width), -1, np.int16)
    areas: dict[int, float] = {}
    corners: dict[int, Any] = {}
    for _, card in resting:
        pose = cards[card].at(t_s)
        if np.cos(pose[4]) < 0:
            continue
        corners[card] = film.surface.corners_px(pose)
        outline = np.rint(corners[card]).astype(np.int32)
        own = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(own, outline, 1)
        areas[card] = float(own.sum())
        owner[own > 0] = card
    rows = [
        {
            "card": card,
            "visible": round(float((owner == card).sum()) / areas[card], 3),
            "corners_px": [[round(float(x), 2), round(float(y), 2)] for x, y in at],
        }
        for card, at in corners.items()
    ]
    return {"t_ms": round(t_s * 1000, 1), "cards": rows}


_ENCODINGS: Final[Mapping[str, Encoding]] = {
    "mjpeg": Encoding("mjpeg", "yuvj420p", {"qmin": "2", "qmax": "5"}),
    "h264": Encoding("libx264", "yuv420p", {"crf": "20", "preset": "veryfast", "threads": "1"}),
}


@dataclass(frozen=True)
class KoiKoiFilm:
    """A film of Koi-Koi, ready to be drawn or written."""

    film: Film
    filmed: Filmed
    zones: KoiKoiTable
    look: Look
    rounds: tuple[RoundPlan, ...]
    deck: Deck


def film_koikoi(
    deck: Deck,
    *,
    seed: int,
    players: int = 2,
    rounds: int = 1,
    fault: str | None = None,
    look: str = "wood",
    size_px: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    pace: float = 1.0,
    longest: int | None = None,
    cloth: Colour | None = None,
) -> KoiKoiFilm:
    """Plan and stage a film of Koi-Koi.

    Raises ValueError for an unknown look, fault or number of players.

    Parameters
    ----------
    seed : for cards, faults, places, times, camera, light and noise.
    players, rounds : number of players, and of rounds; the deal passes on by the club's rules.
    fault : family of a fault in the last round, None for lawful play; see `koikoi.faults.FAMILIES`.
    look : a name of `looks.LOOKS`.
    pace : factor on all durations; 1 is about 6 s a turn.
    longest : number of turns of a round after which filming ends.
    cloth : blue, green, red of a cloth on the look's table, None for none.
    """
    zones, room = koikoi_table(players), chosen("look", look, LOOKS)
    if cloth is not None:
        room = replace(room, hall=replace(room.hall, floor="felt", floor_colour=cloth))
    plans: list[RoundPlan] = []
    dealer = seed % players
    for number in range(rounds):
        wanted = fault if number == rounds - 1 else None
        plan = plan_round(seed * 101 + number, players, dealer, wanted, longest=longest)
        plans.append(plan)
        if plan.final is not None:
            dealer = int(str(plan.final["next_dealer"]))
    filmed = film_rounds(plans, zones, room, seed=seed, pace=pace)
    cards = CardSet.of_hanafuda(deck, room.back)
    film = Film(filmed.script, cards, zones, room, seed=seed, size_px=size_px, fps=fps)
    return KoiKoiFilm(film, filmed, zones, room, tuple(plans), deck)


def write_koikoi_recording(koikoi: KoiKoiFilm, folder: Path | str, codec: Codec = "h264") -> Path:
    """Render a film of Koi-Koi into `folder`, see `write_table_recording`."""
    about = f'rules = "kasu-2008"\nplayers = {koikoi.zones.players}\ndealer = {koikoi.rounds[0].dealer}\n'
    head = head_of("koikoi", koikoi.film.fps, about, koikoi.zones.to_toml())
    said, truth = koikoi.filmed.declarations, truth_of(koikoi)
    return write_table_recording(koikoi.film, koikoi.deck, folder, codec, head=head, said=said, truth=truth)


def write_table_recording(
    film: Film,
    deck: Deck,
    folder: Path | str,
    codec: Codec,
    *,
    head: str,
    said: Iterable[Mapping[str, Any]],
    truth: Mapping[str, Any],
) -> Path:
    """Render into `folder`: recording.toml, video.mkv, declarations.jsonl, truth.json and the deck.

    Raises ValueError if the codec is not among those offered.

    Returns: the folder.

    `head`: see `head_of`. `said`: what the players say, each with its instant. `truth`: what really happens.
    """
    chosen("codec", codec, _ENCODINGS)  # before anything is written
    folder = Path(folder)
    write_deck_folder(deck, folder / "deck")
    (folder / "recording.toml").write_text(head, encoding="utf-8")
    lines = "".join(json.dumps(line) + "\n" for line in said)
    (folder / "declarations.jsonl").write_text(lines, encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    write_video(film, folder / "video.mkv", codec)
    return folder


def truth_of(koikoi: KoiKoiFilm) -> dict[str, Any]:
    """Return what really happens: for a single round in the shape of the practice recordings.

    For several rounds it has `rounds`, a list of such objects, and `totals`.
    """
    rounds = [dict(each) for each in koikoi.filmed.rounds]
    if len(rounds) > 1:
        paid = [each["final"]["points"] for each in rounds if each["final"] is not None]
        return {"game": "koikoi", "rounds": rounds, "totals": [sum(seat) for seat in zip(*paid, strict=True)]}
    looked_at = 10  # number of instants for which the truth lists every card's corners
    instants = np.linspace(0.02, 0.98, looked_at) * koikoi.filmed.script.length_s
    return {**rounds[0], "visible": [visible_cards(koikoi.film, float(t_s)) for t_s in instants]}


def write_deck_folder(deck: Deck, folder: Path) -> None:
    """Write a deck as a folder with `index.csv` and one picture per card."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["file,card_id"]
    for card, picture in deck.pictures.items():
        cv2.imwrite(str(folder / f"{card}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 93])
        lines.append(f"{card}.jpg,{card}")
    (folder / "index.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def head_of(game: str, fps: float, about: str, table: str) -> str:
    """Return the text of a `recording.toml` from its parts about game, camera, deck and table."""
    return (
        f'format = 1\ngame = "{game}"\nvideo = "video.mkv"\n{about}\n'
        f'[camera]\nfps = {rate_in_toml(fps)}\n\n[deck]\nenrol = "deck"\n\n{table}'
    )


def write_video(film: Film, path: Path, codec: Codec) -> None:
    """Draw a film into a Matroska file, with the instants of its pictures in milliseconds.

    Raises ValueError if the codec is not among those offered.
    """
    write_film(film.pictures(), path, chosen("codec", codec, _ENCODINGS), film.fps, film.size_px)
