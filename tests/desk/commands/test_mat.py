"""The printed mat: a print of the drawing is recognised as a table."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desk.commands.cli import main
from vision.plane.printed_table import KENDO_TABLE, PrintedTable, koikoi_table
from vision.plane.table_plane import find_markers, register


def printed(svg: str, px_per_mm: float = 2.0) -> Any:
    """Draw the rectangles of a drawing as a printer would."""
    view = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)
    assert view is not None
    x0, y0, width, height = map(float, view.groups())
    paper = np.full((round(height * px_per_mm), round(width * px_per_mm)), 255, np.uint8)
    shape = r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" fill="#(000|fff)"/>'
    for x, y, across, down, ink in re.findall(shape, svg):
        corners = np.array([[float(x), float(y)], [float(x) + float(across), float(y) + float(down)]])
        (left, top), (right, bottom) = np.rint((corners - (x0, y0)) * px_per_mm).astype(int)
        paper[top:bottom, left:right] = 0 if ink == "000" else 255
    return paper


@pytest.mark.parametrize(
    ("game", "table"),
    [
        (["koikoi", "--players", "2"], koikoi_table(2)),
        (["koikoi", "--players", "3"], koikoi_table(3)),
        (["koikoi", "--players", "4"], koikoi_table(4)),
        (["kendo"], KENDO_TABLE),
    ],
    ids=["koikoi 2", "koikoi 3", "koikoi 4", "kendo"],
)
def test_the_eye_finds_a_table_on_a_printed_mat(tmp_path: Path, game: list[str], table: PrintedTable) -> None:
    out = tmp_path / "mat.svg"
    name, *options = game
    assert main([name, "mat", str(out), *options]) == 0
    drawing = out.read_text("utf-8")
    for left, top, right, bottom in (rect for place in table.places for rect in table.rects(place)):
        assert f'x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" rx' in drawing
    picture = printed(drawing)
    size_mm = table.size_mm
    plane = register(find_markers(picture), size_mm)
    assert plane is not None
    corner = plane.pixels(np.array([[0.0, 0.0], [size_mm[0], size_mm[1]]]))
    wanted = (np.array([[0.0, 0.0], [size_mm[0], size_mm[1]]]) + 8) * 2.0
    assert np.abs(corner - wanted).max() < 2.0
