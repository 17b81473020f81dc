"""What the club's book costs by the number of matches that it holds."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from benchmarks.book.__main__ import measured
from benchmarks.book.season import played, season
from benchmarks.cost import cpu_ms
from benchmarks.growth.matches import read_rows

MATCHES = (20, 40, 80, 160)
"""Of ten players each has played in the shortest of these seasons."""
PLAYED = 4


def by_matches() -> list[dict[str, float]]:
    """Return seconds of the processor for a first index, beside reading the rows alone, and for a page."""
    points = []
    with tempfile.TemporaryDirectory() as name:
        originals = [played(number, Path(name)) for number in range(PLAYED)]
        for matches in MATCHES:
            folder = Path(name, str(matches))
            folder.mkdir()
            season(folder, matches, originals)
            rows_s = cpu_ms(partial(_read_all, folder)) / 1e3
            found = measured(folder, looks=1)
            points.append(
                {
                    "matches": matches,
                    "indexed": found["of the processor s"],
                    "rows": rows_s,
                    "page": found["of the processor p95 ms"],
                    "later": found["of the processor, later s"] * 1e3,
                }
            )
    return points


def _read_all(folder: Path) -> None:
    for log in folder.glob("*.sqlite"):
        read_rows(log)
