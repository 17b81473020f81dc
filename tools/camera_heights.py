"""Compute how high a camera hangs, as docs/setup.md tells it, and write its table there.

    uv run --no-sync python tools/camera_heights.py [--write]

A box states the angle across the picture's diagonal; what counts is the angle across its width. A phone's
maker states the focal length on film of 36 x 24 mm that spans the same angle across the diagonal of a photo.
"""

from __future__ import annotations

import argparse
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.layout import CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M

SETUP: Final = Path(__file__).parents[1] / "docs" / "setup.md"
ACROSS_M: Final = 1.16
"""Width of the table that the picture must show: the territories, and room to see hands come."""
WIDE: Final = (16, 9)
"""Shape of webcams' and films' pictures."""
PHOTO: Final = (4, 3)
"""Shape of phones' sensors; a film of 16:9 has their full width."""
FILM_DIAGONAL_MM: Final = math.hypot(36, 24)
STABILISED: Final = (0.10, 0.20)
"""Share of the picture's width that phones cut off to steady a film."""
ABOVE_HEADS_M: Final = 1.8
"""Out of the way of people who kneel and lean forward."""
HD_PX: Final = 1280


@dataclass(frozen=True, slots=True)
class View:
    """What a camera sees: half the picture's width at a distance of 1."""

    half_width: float

    @classmethod
    def of_diagonal(cls, degrees: float) -> View:
        """Return the view of a 16:9 picture whose diagonal spans an angle."""
        return cls(math.tan(math.radians(degrees) / 2) * WIDE[0] / math.hypot(*WIDE))

    @classmethod
    def of_focal_length(cls, equivalent_mm: float) -> View:
        """Return the view of a phone's film by the focal length that its maker states."""
        return cls(FILM_DIAGONAL_MM / 2 / equivalent_mm * PHOTO[0] / math.hypot(*PHOTO))

    @classmethod
    def from_height(cls, height_m: float) -> View:
        """Return the view that just holds the field from a height."""
        return cls(ACROSS_M / 2 / height_m)

    @property
    def across_deg(self) -> float:
        """Angle across the picture's width."""
        return math.degrees(2 * math.atan(self.half_width))

    @property
    def diagonal_deg(self) -> float:
        """Angle across the diagonal of the 16:9 picture."""
        return math.degrees(2 * math.atan(self.half_width * math.hypot(*WIDE) / WIDE[0]))

    @property
    def height_m(self) -> float:
        """How high the camera hangs to see `ACROSS_M`."""
        return ACROSS_M / 2 / self.half_width

    def without(self, share: float) -> View:
        """Return the view of a film that lost a share of its width."""
        return View(self.half_width * (1 - share))


CAMERAS: Final = {
    "webcam, 90 degrees on the box": View.of_diagonal(90),
    "webcam, 78 degrees": View.of_diagonal(78),
    "webcam, 65 degrees": View.of_diagonal(65),
    "webcam, 55 degrees": View.of_diagonal(55),
    "phone, main camera, 24 mm": View.of_focal_length(24),
    "phone, main camera, 26 mm": View.of_focal_length(26),
    "phone, 2 x, 50 mm": View.of_focal_length(50),
    "phone, 3 x, 75 mm": View.of_focal_length(75),
}


def table() -> str:
    """Return the table of docs/setup.md."""
    rows = [
        "| camera | angle across the diagonal | angle across the picture | height above the table |",
        "|---|---|---|---|",
    ]
    for name, view in CAMERAS.items():
        angles = f"{view.diagonal_deg:.0f} degrees | {view.across_deg:.0f} degrees"
        rows.append(f"| {name} | {angles} | {view.height_m:.2f} m |")
    return "\n".join(rows)


def sentences() -> list[str]:
    """Return the other figures that docs/setup.md tells, as it words them."""
    far = View.from_height(ABOVE_HEADS_M)
    far_mm = FILM_DIAGONAL_MM / 2 / far.half_width * PHOTO[0] / math.hypot(*PHOTO)
    low, high = (CAMERAS["phone, main camera, 26 mm"].without(share).height_m for share in STABILISED)
    tall_m = ACROSS_M * WIDE[1] / WIDE[0]
    return [
        f"{ACROSS_M:.2f} m wide at the table",
        f"from {ABOVE_HEADS_M:.1f} m the field needs {far.diagonal_deg:.0f} degrees across the diagonal, "
        f"{far.across_deg:.0f} across the picture, or {far_mm:.0f} mm",
        f"from {CAMERAS['phone, main camera, 26 mm'].height_m:.2f} to {low:.2f} to {high:.2f} m",
        f"a card is {HD_PX * CARD_WIDTH_M / ACROSS_M:.0f} pixels wide at 1280 x 720",
        f"{100 * (ACROSS_M / 2 - HALF_WIDTH_M):.0f} cm beside the territories and "
        f"{100 * (tall_m / 2 - HALF_DEPTH_M):.0f} cm behind them",
    ]


def written(text: str) -> str:
    """Return docs/setup.md with the table as computed."""
    found = re.search(r"^\| camera \| angle across the diagonal.*?(?=\n\n)", text, re.DOTALL | re.MULTILINE)
    if found is None:
        raise ValueError(f"{SETUP} has no table that begins with '| camera | angle across the diagonal'")
    return text[: found.start()] + table() + text[found.end() :]


def main() -> None:
    """Print every figure, and write the table where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write the table into {SETUP.name}")
    if parser.parse_args().write:
        SETUP.write_text(written(SETUP.read_text("utf-8")), "utf-8")
    print(table(), *sentences(), sep="\n")


if __name__ == "__main__":
    main()
