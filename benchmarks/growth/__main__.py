"""How cost grows: measure curves, keep their figures, and draw them for the documentation.

`uv run python -m benchmarks.growth [CURVE ...] [--draw] [--figures FILE] [--to FOLDER]`

A curve is measured in one run, each point beside its floor where there is one. Most are told in time of the
processor, which other work on the machine changes less than the clock. The figures replace those of the same
curve and say how busy the machine was. `--draw` measures nothing and draws the figures that are there.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.growth.curves import CURVES
from benchmarks.growth.plots import drawn

FIGURES: Final = Path(__file__).parent / "figures.json"
IMAGES: Final = Path(__file__).parents[2] / "docs" / "images"
DIGITS: Final = 4
"""That figures keep: no count here is steadier."""


def measured(name: str) -> dict[str, Any]:
    """Return a curve's points, and on what, when and beside how much other work they were measured."""
    module, function = CURVES[name].measured_by
    before = _load()
    points = getattr(importlib.import_module(module), function)()
    return {
        "command": f"python -m benchmarks.growth {name}",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "day": datetime.now(UTC).date().isoformat(),
        "load before and after": [before, _load()],
        "points": [{key: float(f"{value:.{DIGITS}g}") for key, value in point.items()} for point in points],
    }


def pictures(figures: dict[str, Any]) -> dict[str, str]:
    """Return the pictures of all curves that were measured: the file's name, and its text."""
    return {
        f"growth-{name}{'' if language == 'en' else f'.{language}'}.svg": drawn(
            CURVES[name], figures[name]["points"], language
        )
        for name in figures
        for language in ("en", "ja")
    }


def _load() -> float | None:
    """Return how many processes wanted a processor in the last minute; None where nobody counts."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def main() -> int:
    """Measure, keep and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="CURVE", help=f"any of {', '.join(CURVES)} (default: all)"
    )
    parser.add_argument("--draw", action="store_true", help="draw the figures that are there")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="the file that keeps the figures")
    parser.add_argument("--to", type=Path, default=IMAGES, help="the folder of the pictures")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in CURVES]:
        parser.error(f"expected any of {', '.join(CURVES)}, got {unknown[0]!r}")
    figures = json.loads(arguments.figures.read_text("utf-8")) if arguments.figures.exists() else {}
    for name in [] if arguments.draw else arguments.names or CURVES:
        figures[name] = measured(name)
        for point in figures[name]["points"]:
            print(name, *(f"{key} {value:g}" for key, value in point.items()), sep="  ", flush=True)
        kept = {name: figures[name] for name in CURVES if name in figures}
        arguments.figures.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    for file, picture in pictures(figures).items():
        (arguments.to / file).write_text(picture, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
