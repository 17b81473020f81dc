"""Draws poems of the simulator with a path tracer, as recordings with their truth.

`uv run --group traced python tools/trace_films.py OUT [--poems N] [--seed FIRST] [--scenarios NAME ...]
[--until SECONDS]`: poem n has seed FIRST + n, which draws its hall, its people and what happens. A folder of
OUT is a recording as `shinpan judge` reads it. A film broken off goes on where it stopped. A picture takes
some 6 s of one core; run it beside other work with `nice -n 19`.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from contact.styles import drawn_friction, drawn_temper
from make_contact_data import SCENARIOS
from traced.film import Film, told
from traced.hall import drawn_hall

from vision.simulator import SimulatedMatch, single_poem, write_recording
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.play.moving_cards import USUAL


class OutOfTimeError(Exception):
    """The time given is over before the film is."""


def staged(seed: int, scenario: str, fps: float, size: tuple[int, int]) -> SimulatedMatch:
    """Return the poem of a seed, in its hall."""
    rng = np.random.default_rng([seed, 665])
    # The drawn hands are as large as the usual fingers; so is where they touch.
    friction = replace(drawn_friction(rng), fingers_half_m=USUAL.fingers_half_m)
    return single_poem(
        scenario,
        seed,
        fps,
        size,
        drawn_hall(seed).style,
        cards_per_side=int(rng.integers(8, 22)),
        friction=friction,
        temper=drawn_temper(rng),
    )


def drawn(film: Film, ends_s: float) -> Iterator[tuple[int, Pixels]]:
    """Yield a film's pictures until the time is over, and say on the way what they cost.

    Raises OutOfTimeError if the time is over first.
    """
    began_s = time.monotonic()
    for number, picture in enumerate(film.pictures()):
        if time.monotonic() > ends_s:
            raise OutOfTimeError
        print(f"\rpicture {number + 1}: {time.monotonic() - began_s:.0f} s", end="", flush=True)
        yield picture
    print()


def main() -> int:
    """Draw the poems, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the recordings")
    parser.add_argument("--poems", type=int, default=6, help="how many to draw (default: 6)")
    parser.add_argument("--seed", type=int, default=661_000, help="first seed (default: 661000)")
    parser.add_argument("--scenarios", nargs="+", choices=SCENARIOS, default=[*SCENARIOS])
    parser.add_argument("--fps", type=float, default=60.0, help="pictures a second (default: 60)")
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720), help="pixels across and down")
    parser.add_argument("--samples", type=int, default=8, help="light paths for each pixel (default: 8)")
    parser.add_argument("--until", type=float, default=float("inf"), help="stop after so many seconds")
    options = parser.parse_args()
    try:
        from traced.stage import TracedStage  # noqa: PLC0415 - it loads Blender
    except ModuleNotFoundError as error:
        print(f"no module {error.name}: run it with `uv run --group traced`, on Python 3.11", file=sys.stderr)
        return 2
    ends_s = time.monotonic() + options.until
    cv2.setNumThreads(1)
    for number in range(options.poems):
        seed, scenario = options.seed + number, options.scenarios[number % len(options.scenarios)]
        folder = options.out / f"traced-{seed}-{scenario}"
        if (folder / "truth.json").exists():
            continue
        try:
            match = staged(seed, scenario, options.fps, tuple(options.size))
        except ValueError as error:  # the cards of this seed have no room for its scenario
            print(f"{seed}: {error}", file=sys.stderr)
            continue
        hall = drawn_hall(seed)
        film = Film(
            match,
            hall,
            options.out / "light" / folder.name,
            partial(TracedStage, match, hall, options.samples),
        )
        try:
            write_recording(match, folder, "h264", pictures=drawn(film, ends_s))
        except OutOfTimeError:
            print(f"\n{folder.name} goes on from here next time")
            break
        told(hall, folder / "truth.json")
        print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
