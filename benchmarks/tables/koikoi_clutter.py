"""Judge simulated Koi-Koi rounds on cloth of many colours with things about that are no cards.

`python -m benchmarks.tables.koikoi_clutter [--films N] [--first K] [--keep FOLDER]`: film K and those after
it, each with a deck, a cloth, a fault or none, and two things: one lies there from the beginning, in the
middle or beside it; the other is put down, moved and taken away while a round is played. A film is right
where every move is, the fault is flagged, and a lawful round has no flag.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.command import read_options
from benchmarks.tables.koikoi_table import DECKS, compared
from calibration.decks.enrolment import FailedEnrolment, enrol_folder
from vision.simulator.cardtable.clutter import CLUTTER, Clutter, move_clutter
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi, write_koikoi_recording
from vision.simulator.cardtable.script import Pose

CLOTHS: Final = {
    "dark red": (30, 22, 96),
    "green": (50, 92, 30),
    "blue": (124, 70, 34),
    "black": (30, 28, 27),
    "white": (196, 204, 206),
}
_FAULTS: Final = (None, "extra_taken", None, "wrong_month", None, "forgotten_hand", None, "no_draw")
_FPS: Final = 15.0
_TURNS: Final = 6


def _places(koikoi: KoiKoiFilm, rng: np.random.Generator, taken: list[Pose], thing: Clutter) -> Pose:
    """Return a place of the middle, or around it, in which no card ever lies, as far from all as there is."""
    cards = [pose for track in koikoi.filmed.script.cards.values() for pose in track.poses]
    lying = np.array([[pose.x_mm, pose.y_mm] for pose in [*cards, *taken]])
    tries = rng.uniform((80, 175), (560, 385), (400, 2))
    gaps = np.abs(tries[:, None] - lying)
    wide = np.array([thing.width_mm + 40, thing.height_mm + 58]) / 2
    free = tries[~(gaps < wide).all(axis=2).any(axis=1)]
    inside = tries[np.argmax(np.hypot(*np.moveaxis(gaps, 2, 0)).min(axis=1))]
    at = free[0] if len(free) else inside
    return Pose(float(at[0]), float(at[1]), float(rng.uniform(-0.15, 0.15)))


def film(number: int) -> tuple[str, KoiKoiFilm]:
    """Return a film and its name."""
    rng = np.random.default_rng(8_800 + number)
    decks = sorted(path for path in DECKS.glob("*") if path.is_dir())
    source = decks[number % len(decks)]
    deck = enrol_folder(source, "hanafuda", source.name)
    if isinstance(deck, FailedEnrolment):
        raise SystemExit(f"{source}: {'; '.join(deck.problems)}")
    cloth = list(CLOTHS)[number % len(CLOTHS)]
    names = [list(CLUTTER)[(number + step) % len(CLUTTER)] for step in (0, 1 + number % 4)]
    lies, comes = (CLUTTER[name](rng) for name in names)
    fault = _FAULTS[number % len(_FAULTS)]
    koikoi = film_koikoi(
        deck, seed=8_800 + number, fault=fault, look="cloth", cloth=CLOTHS[cloth], fps=_FPS,
        longest=_TURNS, clutter=(lies, comes),
    )  # fmt: skip
    script = koikoi.filmed.script
    first = _places(koikoi, rng, [], lies)
    move_clutter(script, lies, 0.0, first)
    there, then = (_places(koikoi, rng, [first], comes) for _ in range(2))
    rests = [table["t0_ms"] / 1000 for table in koikoi.filmed.rounds[0]["tables"]]
    gaps = [rest for before, rest in pairwise([0.0, *rests]) if rest - before > 3]
    put_s, move_s = (gaps or rests)[0], script.length_s * 0.55
    move_clutter(script, comes, put_s, there)
    move_clutter(script, comes, max(move_s, put_s + 3), then)
    move_clutter(script, comes, max(script.length_s * 0.8, put_s + 6), None)
    name = f"{number}-{source.name}-{cloth}-{'-'.join(names)}-{fault or 'lawful'}".replace(" ", "_")
    return name, koikoi


def main() -> int:
    """Judge and print a line for each film; 0 when all of them are right."""
    arguments = read_options(__doc__, films=10, first=0, keep=Path)
    right = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(arguments.first, arguments.first + arguments.films):
            name, koikoi = film(number)
            folder = write_koikoi_recording(koikoi, (arguments.keep or Path(scratch)) / name, "mjpeg")
            told = compared(folder)
            flagged = set(told["flags"])
            is_right = told["moves_right"] == told["moves"] and (
                told["fault_flagged"] if told["fault"] else not flagged
            )
            right += bool(is_right)
            sys.stdout.write(
                f"{'right' if is_right else 'WRONG'} {name}: {told['moves_right']} of {told['moves']} moves, "
                f"fault flagged: {told['fault_flagged']}, flags {told['flags']}, "
                f"{told['cpu_s_per_video_s']:.2f} CPU s/s\n"
            )
            sys.stdout.flush()
    sys.stdout.write(f"{right} of {arguments.films} right\n")
    return 0 if right == arguments.films else 1


if __name__ == "__main__":
    sys.exit(main())
