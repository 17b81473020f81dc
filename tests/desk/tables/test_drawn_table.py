"""A table drawn over the picture: it is stored, used at once, and refused if invalid."""

from pathlib import Path
from typing import Any

import pytest

from desk.panel.table.port import Rectangle, TableDrawn
from desk.tables.drawn_table import NO_TABLE, DrawnTable
from desk.tables.eye import CardTableEye
from desk.tables.recording import read_zones
from vision.hanafuda.gallery import CardGallery
from vision.plane.printed_table import koikoi_table
from vision.simulator.art.hanafuda import drawn_deck

CORNERS = ((0.1, 0.1), (0.9, 0.12), (0.88, 0.9), (0.12, 0.88))


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
def eye() -> CardTableEye[Any]:
    return CardTableEye(CardGallery.of(drawn_deck()), koikoi_table(2).zones, lambda *_: None)


@pytest.fixture
def drawn(eye: CardTableEye[Any], tmp_path: Path) -> DrawnTable:
    return DrawnTable(eye, eye.zones, tmp_path / "tables" / "koikoi-2.toml")


def test_a_drawn_table_counts_at_once_and_is_read_again_from_its_file(
    eye: CardTableEye[Any], drawn: DrawnTable, tmp_path: Path
) -> None:
    assert drawn.table()["drawn"] is False
    assert drawn.draw(drawing()) is None
    assert eye.zones.corners == CORNERS
    again = read_zones(tmp_path / "tables" / "koikoi-2.toml")
    assert again == eye.zones
    assert drawn.table()["zones"]["field"] == [(140.0, 170.0, 570.0, 390.0)]
    assert (drawn.table()["drawn"], drawn.table()["stored"]) == (True, True)


def test_the_printed_mat_is_taken_again(eye: CardTableEye[Any], drawn: DrawnTable) -> None:
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
    eye: CardTableEye[Any], drawn: DrawnTable, changes: dict[str, dict[str, list[Rectangle]]]
) -> None:
    printed = eye.zones
    assert drawn.draw(drawing(**changes)) == NO_TABLE
    assert eye.zones is printed
    assert drawn.table()["stored"] is False
