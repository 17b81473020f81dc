"""Draw the pictures of docs/setup.md: where the camera hangs, what it should see, and what will not do.

uv run --no-sync python tools/draw_setup.py [--to FOLDER]
"""

import argparse
import math
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.finding import Status
from referee.layout import TERRITORY_DEPTH_M, TERRITORY_GAP_M, TERRITORY_WIDTH_M
from vision.frames.frame import Frame
from vision.match.camera_check import check_camera
from vision.simulator.hall.match import SimulatedMatch

RESULTS = Path(__file__).parents[1] / "benchmarks" / "touches" / "RESULTS.md"
IMAGES = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1280, 720)
ACROSS_M = 1.16  # width of the table that the picture must show: the territories, and room to see hands come
_STYLE = (
    "<style>text{font:14px sans-serif;fill:#222}.thin{stroke:#444;stroke-width:1.5;fill:none}"
    ".dash{stroke:#2a6f97;stroke-width:1.5;stroke-dasharray:6 4;fill:none}.bold{font-weight:bold}"
    ".card{fill:#fffdf2;stroke:#3c5a28;stroke-width:1}.floor{fill:#d9d2a6}.lamp{fill:#f4c430}</style>"
)
Picture = NDArray[np.uint8]


def main() -> None:
    """Write every picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=IMAGES)
    folder = parser.parse_args().to
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "setup-side.svg").write_text(side_view(), "utf-8")
    (folder / "setup-view.svg").write_text(camera_view(), "utf-8")
    (folder / "setup-second.svg").write_text(second_camera(), "utf-8")
    (folder / "setup-accuracy.svg").write_text(accuracy(), "utf-8")
    cv2.imwrite(str(folder / "setup-pictures.jpg"), good_and_bad(), [cv2.IMWRITE_JPEG_QUALITY, 82])


def _svg(width: int, height: int, *parts: str) -> str:
    body = "\n".join(parts)
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    ground = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{_STYLE}{ground}\n{body}\n</svg>\n'


def _text(x: float, y: float, words: str, extra: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {extra}>{words}</text>'


def side_view() -> str:
    """Return the table from the side: camera, lamps, players."""
    floor_y, middle_x, camera_y = 380, 360, 70
    half = 130
    above_heads_m = 1.8
    diagonal_deg = math.degrees(2 * math.atan(ACROSS_M / 2 / above_heads_m * math.hypot(*SIZE) / SIZE[0]))
    return _svg(
        720,
        440,
        f'<rect class="floor" x="40" y="{floor_y}" width="640" height="16"/>',
        f'<rect class="card" x="{middle_x - half}" y="{floor_y - 4}" width="{2 * half}" height="4"/>',
        f'<path class="dash" d="M{middle_x} {camera_y + 16} L{middle_x - 190} {floor_y} '
        f'M{middle_x} {camera_y + 16} L{middle_x + 190} {floor_y}"/>',
        f'<path class="thin" d="M60 20 H660 M{middle_x} 20 V{camera_y - 16}"/>',
        f'<rect x="{middle_x - 20}" y="{camera_y - 16}" width="40" height="30" rx="4" fill="#333"/>',
        f'<circle cx="{middle_x}" cy="{camera_y + 16}" r="7" fill="#2a6f97"/>',
        '<path class="lamp" d="M90 90 l46 -18 l10 26 l-46 18 z M630 90 l-46 -18 l-10 26 l46 18 z"/>',
        '<path d="M140 105 L300 360 M580 105 L420 360" stroke="#f4c430" stroke-width="2" opacity=".6"/>',
        *(
            f'<g transform="translate({x} 300) scale({turn} 1)"><circle r="22" fill="#777"/>'
            '<path d="M-14 22 q-40 40 -30 58 h60 q10 -30 -6 -58 z" fill="#999"/>'
            '<path d="M-2 44 L60 76" stroke="#b98" stroke-width="12" stroke-linecap="round"/></g>'
            for x, turn in ((120, 1), (600, -1))
        ),
        _text(middle_x - 130, camera_y + 60, "camera straight above the middle, at most", 'class="bold"'),
        _text(
            middle_x - 130,
            camera_y + 78,
            f"15 degrees aslant, best {above_heads_m:.1f} m up:",
            'class="bold"',
        ),
        _text(
            middle_x - 130, camera_y + 96, f"a lens of {diagonal_deg:.0f} degrees (diagonal)", 'class="bold"'
        ),
        _text(40, 66, "lamps from two sides, ..."),
        _text(510, 66, "... none behind a player"),
        _text(middle_x - 70, floor_y + 40, "both territories, 51 cm"),
        _text(60, floor_y + 40, "near player"),
        _text(590, floor_y + 40, "far player"),
    )


def second_camera() -> str:
    """Return where a second camera and a microphone stand, seen from one end of the field."""
    floor_y, middle_x, stand_x, stand_y = 330, 300, 610, 130
    return _svg(
        720,
        390,
        f'<rect class="floor" x="40" y="{floor_y}" width="640" height="16"/>',
        f'<rect class="card" x="{middle_x - 150}" y="{floor_y - 4}" width="300" height="4"/>',
        f'<rect x="{middle_x - 20}" y="24" width="40" height="26" rx="4" fill="#333"/>',
        f'<circle cx="{middle_x}" cy="52" r="7" fill="#2a6f97"/>',
        f'<path class="dash" d="M{middle_x} 52 L{middle_x - 190} {floor_y} M{middle_x} 52 '
        f'L{middle_x + 190} {floor_y}"/>',
        f'<path class="thin" d="M{stand_x} {stand_y} V{floor_y} M{stand_x} {floor_y - 60} l-26 60 '
        f'M{stand_x} {floor_y - 60} l26 60"/>',
        f'<g transform="translate({stand_x} {stand_y}) rotate(57)"><rect x="-20" y="-13" width="40" '
        'height="26" rx="4" fill="#333"/><circle cx="0" cy="15" r="7" fill="#b5651d"/></g>',
        f'<path d="M{stand_x - 12} {stand_y + 8} L{middle_x - 170} {floor_y} M{stand_x - 12} {stand_y + 8} '
        f'L{middle_x + 170} {floor_y}" stroke="#b5651d" stroke-width="1.5" stroke-dasharray="2 4" '
        'fill="none"/>',
        f'<circle cx="{middle_x}" cy="{floor_y - 66}" r="20" fill="#777"/>',
        f'<path d="M{middle_x - 14} {floor_y - 46} q-20 22 -16 40 h60 q4 -18 -16 -40 z" fill="#999"/>',
        f'<path class="thin" d="M80 {floor_y} v-34"/><circle cx="80" cy="{floor_y - 40}" r="8" fill="#333"/>',
        _text(middle_x + 30, 40, "first camera, from above", 'class="bold"'),
        _text(420, 84, "second camera: beside the field, 30 to 55", 'class="bold"'),
        _text(420, 102, "degrees aslant, all cards in view", 'class="bold"'),
        _text(44, floor_y - 74, "microphone,"),
        _text(44, floor_y - 56, "about 1 m away"),
        _text(middle_x - 110, floor_y + 40, "what a head hides from one, the other sees"),
    )


def measured() -> list[tuple[str, float, float]]:
    """Return what the page of touches says: how filmed, error of half and of nine in ten contacts, ms.

    Raises ValueError where its tables are written in another way than this expects.
    """
    text = RESULTS.read_text("utf-8")
    rows = re.findall(r"\n\| (\d+) \| \d+ \| ([\d.]+) / ([\d.]+) ms \|", text)
    by_fps = {int(fps): (float(half), float(most)) for fps, half, most in rows}
    if not {30, 60, 120, 240} <= set(by_fps):
        raise ValueError(f"{RESULTS} has no rows '| 60 | n | p50 / p90 ms |' for 30, 60, 120 and 240")
    return [(f"{fps} fps", *by_fps[fps]) for fps in sorted(by_fps)]


def accuracy() -> str:
    """Return how far off a told instant is, as the benchmarks found it."""
    left, top, px_per_ms = 150, 46, 46.0
    rows = measured()
    parts = [
        f'<path d="M{left + ms * px_per_ms:.0f} {top - 8} V{top + 40 * len(rows)}" stroke="#ddd"/>'
        + _text(left + ms * px_per_ms - 8, top - 14, f"{ms} ms")
        for ms in range(0, 11, 2)
    ]
    for number, (name, half, most) in enumerate(rows):
        y = top + 40 * number
        parts += [
            f'<rect x="{left}" y="{y}" width="{most * px_per_ms:.0f}" height="24" fill="#cfe0ea"/>',
            f'<rect x="{left}" y="{y}" width="{half * px_per_ms:.0f}" height="24" fill="#2a6f97"/>',
            _text(16, y + 17, name, 'class="bold"'),
        ]
    parts.append(_text(left, top + 40 * len(rows) + 20, "dark: half of all contacts, light: nine in ten"))
    return _svg(680, top + 40 * len(rows) + 34, *parts)


def camera_view() -> str:
    """Return what the camera's picture should hold: both territories and a hand's width around them."""
    width, height = 720, 405
    scale = width / ACROSS_M  # pixels for a metre
    half_w, gap, depth = TERRITORY_WIDTH_M / 2 * scale, TERRITORY_GAP_M / 2 * scale, TERRITORY_DEPTH_M * scale
    x0, y0 = width / 2, height / 2
    cards = []
    for side in (-1, 1):
        for row in range(3):
            for column in (*range(4), *range(12, 16)):
                x = x0 - half_w + column * 52e-3 * scale
                y = y0 + side * (gap + (row + 0.5) * depth / 3) - 36e-3 * scale
                size = f'width="{50e-3 * scale:.1f}" height="{71e-3 * scale:.1f}"'
                cards.append(f'<rect class="card" x="{x:.1f}" y="{y:.1f}" {size}/>')
    across = f'width="{2 * half_w:.1f}"'
    outlines = [
        f'<rect class="dash" x="{x0 - half_w:.1f}" y="{y:.1f}" {across} height="{depth:.1f}"/>'
        for y in (y0 - gap - depth, y0 + gap)
    ]
    return _svg(
        width,
        height + 30,
        f'<rect class="floor" width="{width}" height="{height}"/>',
        *cards,
        *outlines,
        _text(x0 - 75, 22, "far player (top edge)", 'class="bold"'),
        _text(x0 - 82, height - 10, "near player (bottom edge)", 'class="bold"'),
        _text(
            10,
            height + 20,
            "A hand's width (4 cm or more) of floor is seen all around: hands are followed as they come.",
        ),
    )


def good_and_bad() -> Picture:
    """Return a good picture of a field beside spoiled ones, each with what `shinpan calibrate` says of it."""
    frames = list(islice(SimulatedMatch(3, 60, SIZE, "tatami", 25), 12))
    kinds: list[tuple[str, str, Callable[[Picture], Picture]]] = [
        ("good", "field", lambda gray: gray),
        ("too dark", "light", lambda gray: np.asarray(gray * 0.13, np.uint8)),
        ("washed out", "light", lambda gray: np.asarray(np.clip(gray * 1.75, 0, 255), np.uint8)),
        ("out of focus", "focus", lambda gray: np.asarray(cv2.GaussianBlur(gray, (0, 0), 3.2), np.uint8)),
        ("cut off", "view", lambda gray: np.asarray(np.roll(gray, -190, axis=1)[:, :-190], np.uint8)),
        ("aslant", "angle", _aslant),
    ]
    tiles = []
    for name, told_by, change in kinds:
        seen = [Frame(change(frame.gray), frame.t_ns, frame.t_unc_ns, frame.index) for frame in frames]
        found = next(each for each in check_camera(seen) if each.name == told_by)
        assert (found.status is Status.OK) == (name == "good"), found
        tiles.append(_tile(seen[0].gray, name, found.found))
    rows = [np.hstack(tiles[at : at + 3]) for at in (0, 3)]
    return np.asarray(np.vstack(rows), np.uint8)


def _aslant(gray: Picture) -> Picture:
    width, height = SIZE
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array(
        [[230, 170], [width - 230, 170], [width - 40, height - 70], [40, height - 70]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(corners, seen)
    return np.asarray(cv2.warpPerspective(gray, matrix, SIZE, borderValue=95), np.uint8)


def _tile(gray: Picture, name: str, words: str) -> Picture:
    small = cv2.resize(gray, (426, 240), interpolation=cv2.INTER_AREA)
    tile = np.full((282, 432), 255, np.uint8)
    tile[:240, :426] = small
    for y, text, scale in ((258, name, 0.55), (276, words[:58], 0.42)):
        cv2.putText(tile, text, (4, y), cv2.FONT_HERSHEY_SIMPLEX, scale, 0, 1, cv2.LINE_AA)
    return tile


if __name__ == "__main__":
    main()
