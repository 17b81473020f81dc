"""How many markers are found, and how many are taken for one that are none.

    python -m benchmarks.photos.markers --pictures 400
    python -m benchmarks.photos.markers --pictures 400 --library
    python -m benchmarks.photos.markers --without FOLDER_OR_FILM ...

Every picture shows a table of 340 x 250 mm with four markers (4 x 4 ArUco, 40 mm) on cloth of some colour,
with white paper of 0 to 25 mm around them, 15 to 80 px large, blurred, noisy, seen at an angle, with cards on
it. `--library` asks the library's detector as it comes. `--without` looks at pictures without any markers.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options
from vision.frames.frame import Gray
from vision.plane.table_plane import Points, find_markers, marker_corners_mm, register

TABLE_MM = (340.0, 250.0)
CLOTHS = {
    "black": (16, 16, 18),
    "charcoal": (46, 44, 44),
    "dark red": (24, 20, 92),
    "red": (40, 36, 180),
    "green": (58, 108, 40),
    "navy": (74, 40, 26),
    "wood": (92, 128, 166),
    "gray": (128, 128, 128),
    "cream": (188, 214, 226),
    "white": (238, 240, 240),
}
"""Colours, blue first."""
MARGINS_MM = (0, 2, 4, 7, 10, 16, 25)
SIZES_PX = (15, 20, 28, 40, 58, 80)
BLURS_PX = (0.0, 0.7, 1.2, 2.0)
_NEAR = 0.08
"""Share of a marker's side by which its corners may be off: 3 mm."""


@dataclass(frozen=True, slots=True)
class Scene:
    """How a picture is made.

    Attributes
    ----------
    cloth : name of its colour.
    margin_mm : white paper around the markers.
    size_px : side of a marker in the picture, about.
    blur_px : sigma of the blur.
    noise : sigma of the noise, gray steps.
    """

    cloth: str
    margin_mm: float
    size_px: float
    blur_px: float
    noise: float


def scene(rng: np.random.Generator) -> Scene:
    """Draw how a picture is made."""
    return Scene(
        str(rng.choice(list(CLOTHS))),
        float(rng.choice(MARGINS_MM)),
        float(rng.choice(SIZES_PX)),
        float(rng.choice(BLURS_PX)),
        float(rng.uniform(0.5, 4.0)),
    )


def rendered(made: Scene, rng: np.random.Generator) -> tuple[Gray, dict[int, Points]]:
    """Return a picture of a table and the true corners of its markers."""
    scale = made.size_px / 40
    rim = 0.12 * scale * TABLE_MM[0] + 0.6 * made.margin_mm * scale + 6
    wide, tall = (round(scale * side + 2 * rim) for side in TABLE_MM)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(TABLE_MM) * scale + rim
    corners = corners + rng.uniform(-0.06, 0.06, (4, 2)) * scale * TABLE_MM[1] * rng.uniform(0, 1)
    outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(TABLE_MM)
    plane = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
    fine = int(np.clip(round(100 / made.size_px), 2, 4))  # samples for a pixel in each direction
    enlarge = np.array([[fine, 0, (fine - 1) / 2], [0, fine, (fine - 1) / 2], [0, 0, 1]])
    size = (wide * fine, tall * fine)
    colour = np.array(CLOTHS[made.cloth], np.float64)
    weave = cv2.resize(rng.standard_normal((tall, wide), np.float32), size, interpolation=cv2.INTER_LINEAR)
    picture = np.clip(colour + 4 * weave[..., None], 0, 255).astype(np.uint8)
    for _ in range(3):
        _paint_card(picture, enlarge @ plane, rng)
    where = marker_corners_mm(TABLE_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ink, paper = float(rng.uniform(14, 34)), float(rng.uniform(190, 245))
    for number, square in where.items():
        middle = square.mean(axis=0)
        sheet = middle + (square - middle) * (1 + made.margin_mm / 20)
        cv2.fillConvexPoly(picture, _at(enlarge @ plane, sheet), (paper,) * 3)
        cells = cv2.aruco.generateImageMarker(dictionary, number, 6) > 0
        for row, column in np.ndindex(6, 6):
            cell = square[0] + 40 / 6 * (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([column, row]))
            tone = paper if cells[row, column] else ink
            cv2.fillConvexPoly(picture, _at(enlarge @ plane, cell), (tone,) * 3)
    small = np.asarray(cv2.resize(picture, (wide, tall), interpolation=cv2.INTER_AREA), np.float32)
    left, right = rng.uniform(0.75, 1.0, 2)
    small *= np.linspace(left, right, wide, dtype=np.float32)[None, :, None]
    if made.blur_px:
        small = np.asarray(cv2.GaussianBlur(small, (0, 0), made.blur_px), np.float32)
    grain = np.float32(made.noise) * rng.standard_normal(small.shape, np.float32)
    seen = np.clip(small + grain, 0, 255).astype(np.uint8)
    truth = {
        number: np.asarray(cv2.perspectiveTransform(square[None], plane)[0], np.float64)
        for number, square in where.items()
    }
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8), truth


def _at(plane: NDArray[np.float64], points: Points) -> NDArray[np.int32]:
    seen = cv2.perspectiveTransform(np.asarray(points, np.float64)[None], plane)[0]
    return np.asarray(np.rint(seen), np.int32)


def _paint_card(picture: Any, plane: NDArray[np.float64], rng: np.random.Generator) -> None:
    x, y = rng.uniform((75, 60), (230, 140))
    card = np.array([[0, 0], [33, 0], [33, 54], [0, 54]]) + np.array([x, y])
    cv2.fillConvexPoly(picture, _at(plane, card), (36, 34, 40))
    cv2.fillConvexPoly(picture, _at(plane, card + np.array([[2, 2], [-2, 2], [-2, -2], [2, -2]])), (205,) * 3)
    for _ in range(6):
        left, top = card[0] + rng.uniform((4, 4), (20, 40))
        patch = np.array([[0, 0], [8, 1], [9, 9], [1, 8]]) + np.array([left, top])
        tone = tuple(map(float, rng.choice([[30, 30, 30], [40, 30, 170], [60, 120, 50], [90, 190, 220]])))
        cv2.fillConvexPoly(picture, _at(plane, patch), tone)


def library_markers(gray: Gray) -> dict[int, Points]:
    """Return what the library's detector finds as it comes."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(family, parameters).detectMarkers(gray)
    numbers = np.asarray(ids if len(corners) else []).ravel()
    return {
        int(number): np.asarray(quad, np.float64).reshape(4, 2)
        for number, quad in zip(numbers, corners, strict=True)
        if number < 4
    }


def _is_at(found: Points, true: Points) -> bool:
    side = float(np.sqrt(cv2.contourArea(true.astype(np.float32))))
    return bool(np.linalg.norm(found - true, axis=1).max() <= max(_NEAR * side, 1.5))


def sweep(find: Callable[[Gray], dict[int, Points]], pictures: int, seed: int) -> None:
    """Print how many markers of how many are found, by each property of the pictures."""
    rng = np.random.default_rng(seed)
    asked, found = Counter[str](), Counter[str]()
    wrong, seen_tables, three, spent_ns = 0, 0, 0, 0
    for _ in range(pictures):
        made = scene(rng)
        gray, truth = rendered(made, rng)
        started_ns = time.perf_counter_ns()
        markers = find(gray)
        spent_ns += time.perf_counter_ns() - started_ns
        right = {n for n, quad in markers.items() if n in truth and _is_at(quad, truth[n])}
        wrong += len(markers) - len(right)
        keys = ["all", f"cloth {made.cloth}", f"margin {made.margin_mm:2.0f} mm"]
        keys += [f"size {made.size_px:2.0f} px", f"blur {made.blur_px} px"]
        keys += [f"size {made.size_px:2.0f} px, blur {made.blur_px} px"]
        keys += ["margin 0 on black"] if made.margin_mm == 0 and made.cloth == "black" else []
        for key in keys:
            asked[key] += 4
            found[key] += len(right)
        seen_tables += register(markers, TABLE_MM) is not None
        hidden = int(rng.integers(4))
        three += register({n: q for n, q in markers.items() if n != hidden}, TABLE_MM) is not None
    for key in sorted(asked, key=lambda key: (key != "all", key)):
        print(f"{key:<26} {found[key]:5} of {asked[key]:5}  {found[key] / asked[key]:6.1%}")
    print(
        f"{seen_tables} of {pictures} tables, {three} with one marker hidden; {wrong} wrong markers; "
        f"{spent_ns / pictures / 1e6:.1f} ms a picture"
    )


def without(find: Callable[[Gray], dict[int, Points]], places: list[Path]) -> None:
    """Print how many markers are found in pictures that show none."""
    count, false, spent_ns = 0, 0, 0
    for gray in _pictures(places):
        started_ns = time.perf_counter_ns()
        markers = find(gray)
        spent_ns += time.perf_counter_ns() - started_ns
        count, false = count + 1, false + len(markers)
    print(
        f"{false} markers in {count} pictures without any; {spent_ns / max(count, 1) / 1e6:.1f} ms a picture"
    )


def _pictures(places: list[Path]) -> Iterator[Gray]:
    for place in places:
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for file in files:
            if file.suffix.lower() in {".jpg", ".jpeg", ".png"}:
                gray = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
                if gray is not None:
                    yield np.asarray(gray, np.uint8)
            elif file.suffix.lower() in {".mkv", ".mp4", ".avi"}:
                film = cv2.VideoCapture(str(file))
                number = 0
                while film.grab():
                    number += 1
                    if number % 40 == 1:
                        yield np.asarray(cv2.cvtColor(film.retrieve()[1], cv2.COLOR_BGR2GRAY), np.uint8)


def main() -> None:
    """Measure and print."""
    arguments = read_options(__doc__, pictures=400, seed=1, library=False, without=[Path])
    find = library_markers if arguments.library else find_markers
    if arguments.without:
        without(find, arguments.without)
    else:
        sweep(find, arguments.pictures, arguments.seed)


if __name__ == "__main__":
    main()
