"""`shinpan koikoi mat`, `kendo mat`: a table's markers, or the mat with its zones, to print at true size."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.files.storage import keep_text
from desk.errors import DeskError
from desk.machine.output_file import add_output

if TYPE_CHECKING:
    from vision.plane.printed_table import PrintedTable

Rect = tuple[float, float, float, float]

_A4_MM: Final = (210.0, 297.0)
_QUIET_MM: Final = 8.0  # width of white paper around a marker
_CELLS: Final = 6  # cells along a marker's side: four bits and the black border
_NAMES: Final = {
    "field": "場 field",
    "stock": "山札 stock",
    "turn": "めくり turn",
    "capture": "取り札 {}",
    "court": "court {}",
    "marks": "ippon, hansoku {}",
    "piles": "cards to draw {}: 1 brown, 2 red, 3 green",
    "done": "played cards",
}
"""The text beside a zone; several zones of one name are numbered."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_output(parser, "out", type=Path, metavar="FILE", help="drawing to write, such as mat.svg")
    parser.add_argument(
        "--markers",
        action="store_true",
        help="only the four corner markers, on an A4 sheet to cut up (default: the whole mat)",
    )


def run(arguments: argparse.Namespace, table: PrintedTable) -> int:
    if arguments.out.suffix != ".svg":
        raise DeskError("{file}: expected the name of a drawing that ends in .svg", file=arguments.out)
    text = marker_sheet() if arguments.markers else mat(table)
    with DeskError.wrapping("{file}: {why}", OSError, file=arguments.out):
        keep_text(arguments.out, text)
    sys.stdout.write(f"drawn on {arguments.out}: print it at 100 %; the black squares then measure 40 mm\n")
    return 0


def mat(table: PrintedTable) -> str:
    """Return this table as SVG in millimetres: markers in the corners, zones outlined."""
    shapes = [
        shape
        for number, (left, top, _, _) in enumerate(table.markers)
        for shape in _marker(number, left, top)
    ]
    for name in table.places:
        for number, rect in enumerate(table.rects(name), start=1):
            shapes += _zone(rect, _NAMES[name].format(number))
    width, height = table.size_mm
    around = _QUIET_MM
    return _drawing((-around, -around, width + 2 * around, height + 2 * around), shapes)


def marker_sheet() -> str:
    """Return the four markers on an A4 sheet as SVG in millimetres."""
    shapes = []
    for number, (x, y) in enumerate(((35, 40), (135, 40), (135, 140), (35, 140))):
        shapes += [*_marker(number, x, y), _text(x, y + 40 + 14, f"{number}")]
    shapes.append(
        _text(20, 230, "0 upper left, 1 upper right, 2 lower right, 3 lower left, all upright to player 1;")
    )
    shapes.append(_text(20, 238, "leave white paper around them; outer corners on the table's corners."))
    return _drawing((0, 0, *_A4_MM), shapes)


def _marker(number: int, left: float, top: float) -> Iterator[str]:
    import cv2

    from vision.plane.printed_table import MARKER_MM

    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = cv2.aruco.generateImageMarker(dictionary, number, _CELLS)
    cell = MARKER_MM / _CELLS
    yield f'<rect x="{left:g}" y="{top:g}" width="{MARKER_MM:g}" height="{MARKER_MM:g}" fill="#000"/>'
    for row in range(_CELLS):
        for column in range(_CELLS):
            if bits[row, column]:
                x, y = left + column * cell, top + row * cell
                yield f'<rect x="{x:.3f}" y="{y:.3f}" width="{cell:.3f}" height="{cell:.3f}" fill="#fff"/>'


def _zone(rect: Rect, label: str) -> Iterator[str]:
    left, top, right, bottom = rect
    yield (
        f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" rx="3" '
        'fill="none" stroke="#999" stroke-width="0.5" stroke-dasharray="4 3"/>'
    )
    yield _text(left + 2, top - 1.5, label)


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="5" font-family="sans-serif" fill="#777">{text}</text>'


def _drawing(view: Rect, shapes: Sequence[str]) -> str:
    x, y, width, height = view
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="{x:g} {y:g} {width:g} {height:g}">'
    )
    paper = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="#fff"/>'
    return "\n".join([head, paper, *shapes, "</svg>"]) + "\n"
