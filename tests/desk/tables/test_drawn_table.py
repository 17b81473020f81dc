"""A table drawn over the picture: it is stored, used at once, and refused if invalid."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from desk.panel.table.port import Rectangle, TableDrawn
from desk.tables.drawn_table import NO_TABLE, DrawnTable
from desk.tables.recording import read_zones
from vision.plane.printed_table import koikoi_table
from vision.plane.zones import TableZones, zones_of
from vision.recordings.recording import RecordingError

CORNERS = ((0.1, 0.1), (0.9, 0.12), (0.88, 0.9), (0.12, 0.88))


class Eye:
    """Accepts any table."""

    def __init__(self, zones: TableZones) -> None:
        self.zones = zones
        self.corners: list[tuple[float, float]] | None = None

    def lay(self, zones: TableZones) -> None:
        self.zones = zones

    def preview(self) -> bytes | None:
        return None


def drawing(**changes: object) -> TableDrawn:
    printed = koikoi_table(2)
    zones = {
        "field": [(140, 170, 570, 390)],
        "stock": [printed.stock],
        "turn": [printed.turn],
        "capture": list(printed.capture),
    }
    wanted = {"name": "draw", "size": (800, 560), "zones": zones, "corners": CORNERS, **changes}
    return TableDrawn.model_validate(wanted)


@pytest.fixture
def eye() -> Eye:
    return Eye(koikoi_table(2).zones)


@pytest.fixture
def drawn(eye: Eye, tmp_path: Path) -> DrawnTable:
    watched: Any = eye
    return DrawnTable(watched, eye.zones, tmp_path / "tables" / "koikoi-2.toml")


def test_a_drawn_table_counts_at_once_and_is_read_again_from_its_file(
    eye: Eye, drawn: DrawnTable, tmp_path: Path
) -> None:
    assert drawn.table()["drawn"] is False
    assert drawn.draw(drawing()) is None
    assert eye.zones.corners == CORNERS
    again = read_zones(tmp_path / "tables" / "koikoi-2.toml")
    assert again == eye.zones
    assert drawn.table()["zones"]["field"] == [(140.0, 170.0, 570.0, 390.0)]
    assert (drawn.table()["drawn"], drawn.table()["stored"]) == (True, True)


def test_the_printed_mat_is_taken_again(eye: Eye, drawn: DrawnTable) -> None:
    printed = eye.zones
    drawn.draw(drawing())
    drawn.forget()
    assert eye.zones == printed
    assert drawn.table()["stored"] is False


@pytest.mark.parametrize(
    "changes",
    [
        {"corners": (CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3])},
        {"zones": {"field": [(10, 10, 500, 300)]}},
        {"zones": {**drawing().zones, "stock": [(650, 180, 600, 250)]}},
    ],
)
def test_what_is_no_table_is_refused_and_changes_nothing(
    eye: Eye, drawn: DrawnTable, changes: dict[str, dict[str, list[Rectangle]]]
) -> None:
    printed = eye.zones
    assert drawn.draw(drawing(**changes)) == NO_TABLE
    assert eye.zones is printed
    assert drawn.table()["stored"] is False


def test_a_recording_may_name_the_corners_of_a_table_without_markers() -> None:
    head = koikoi_table(2).to_toml() + "corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]\n"
    zones = zones_of(tomllib.loads(head)["table"], "the table")
    assert zones.corners == ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    crossed = tomllib.loads(head.replace("[0.9, 0.1], [0.9, 0.9]", "[0.9, 0.9], [0.9, 0.1]"))["table"]
    with pytest.raises(RecordingError, match="clockwise"):
        zones_of(crossed, "the table")
    outside = tomllib.loads(head.replace("[0.1, 0.9]]", "[0.1, 1.9]]"))["table"]
    with pytest.raises(RecordingError, match="shares"):
        zones_of(outside, "the table")
