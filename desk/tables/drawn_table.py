"""A card table drawn over the live picture: its corners and zones, kept in a file."""

import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from calibration.files.storage import keep_text
from desk.machine.config import data_folder
from desk.panel.table.port import Rectangle, TableDrawn, TableShown
from desk.tables.eye import CardTableEye
from vision.plane.zones import TableZones, zones_of
from vision.recordings.recording import RecordingError

NO_TABLE = "no_table"
"""Why a drawn table is refused: an empty rectangle, or corners that do not go around the table."""


class DrawnTable:
    """The port of the page on which a table is drawn. `path`: file of the drawn table."""

    def __init__(self, eye: CardTableEye[Any], printed: TableZones, path: Path) -> None:
        self._eye, self._printed, self._path = eye, printed, path
        self.preview = eye.preview

    def table(self) -> TableShown:
        zones = self._eye.zones
        places: dict[str, list[Rectangle]] = {}
        for zone in zones.zones:
            places.setdefault(zone.name, []).append(zone.rect)
        return {
            "size": zones.size_mm,
            "zones": places,
            "corners": self._eye.corners,
            "drawn": zones.corners is not None,
            "stored": self._path.is_file(),
        }

    def draw(self, drawn: TableDrawn) -> str | None:
        there = Counter(zone.name for zone in self._printed.zones)
        if {name: len(rects) for name, rects in drawn.zones.items()} != there:
            return NO_TABLE
        text = _toml(drawn)
        try:
            zones = zones_of(tomllib.loads(text)["table"], "the drawn table")
        except RecordingError:
            return NO_TABLE
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            keep_text(self._path, text)
        except OSError as error:
            # it is still used for this game
            sys.stderr.write(f"shinpan: the drawn table is not kept: {error}\n")
        self._eye.lay(zones)
        return None

    def forget(self) -> None:
        """Use the printed mat again."""
        self._path.unlink(missing_ok=True)
        self._eye.lay(self._printed)


def kept_table(game: str, players: int) -> Path:
    """Return the file of the drawn table for a game and a number of players."""
    return data_folder() / "tables" / f"{game}-{players}.toml"


def _toml(drawn: TableDrawn) -> str:
    rows = [f"size = {list(drawn.size)}"]
    rows += [f"{name} = {[list(rect) for rect in rects]}" for name, rects in drawn.zones.items()]
    if drawn.corners is not None:
        rows.append(f"corners = {[list(corner) for corner in drawn.corners]}")
    return "".join(f"{row}\n" for row in ("[table]", *rows))
