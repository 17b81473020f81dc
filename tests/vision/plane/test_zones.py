"""Zones of a card table: read from a recording's section, and asked where a card belongs."""

import pytest

from vision.plane.zones import zones_of
from vision.recordings.recording import RecordingError

TABLE = {
    "size": [800, 560],
    "field": [150, 180, 560, 380],
    "turn": [600, 290, 650, 370],
    "capture": [[100, 420, 700, 550], [100, 10, 700, 140]],
}
ZONES = zones_of(TABLE, "table")


def test_every_rectangle_is_a_zone() -> None:
    assert ZONES.size_mm == (800.0, 560.0)
    assert [(zone.name, zone.number) for zone in ZONES.zones] == [
        ("field", 0), ("turn", 0), ("capture", 0), ("capture", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({}, "expected size"),
        ({"size": [800]}, "expected 2 numbers"),
        ({"size": [800, 560], "field": [1, 2, 3]}, "expected 4 numbers"),
        ({"size": [800, 560], "field": [500, 2, 300, 4]}, "left, top, right, bottom"),
    ],
)
def test_what_is_no_rectangle_is_refused(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(RecordingError, match=complaint):
        zones_of(table, "recording.toml: [table]")
