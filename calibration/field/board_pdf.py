"""Write the calibration sheet as a PDF in true size: filled rectangles and lines of text, without a library.

Coordinates of the drawing are millimetres from the upper left corner of a landscape A4 page; one matrix at
the beginning of the page turns them into PDF's points (1/72 inch) from the lower left.
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.field.charuco import COLUMNS, MARK_MM, ROWS, SQUARE_MM, board, dictionary
from calibration.field.corner_marks import CORNER_IDS, CORNER_MARK_MM
from calibration.files.storage import keep_bytes

PAGE_MM = (297.0, 210.0)
RULER_MM = 100.0
_POINTS_PER_MM = 72 / 25.4
_CELLS = 7  # of a mark: 5 x 5 bits and its border

Rectangle = tuple[float, float, float, float]  # left, top, width and height in millimetres


def write_board(path: Path) -> None:
    """Write the sheet (page 1) and four marks for the corners of the field (page 2)."""
    keep_bytes(path, _document([_sheet(), _corners()]))


def board_origin_mm() -> tuple[float, float]:
    """Return where the sheet's upper left corner lies on its page."""
    return (PAGE_MM[0] - COLUMNS * SQUARE_MM) / 2, (PAGE_MM[1] - ROWS * SQUARE_MM) / 2 - 4


def _sheet() -> str:
    left, top = board_origin_mm()
    rectangles = [
        (left + column * SQUARE_MM, top + row * SQUARE_MM, SQUARE_MM, SQUARE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if (row + column) % 2 == 0
    ]
    for mark, corners in zip(np.asarray(board().getIds()).ravel(), board().getObjPoints(), strict=True):
        x_mm, y_mm = np.asarray(corners)[:, :2].min(axis=0)
        rectangles += _mark(int(mark), left + float(x_mm), top + float(y_mm), MARK_MM)
    low = PAGE_MM[1] - 12
    ruler = [(left, low, RULER_MM, 0.3), (left, low - 2, 0.3, 4.3), (left + RULER_MM, low - 2, 0.3, 4.3)]
    note = (
        f"shinpan - print at 100 %: this line is {RULER_MM:.0f} mm, the squares are {SQUARE_MM:.0f} mm. "
        "Glue it onto something flat."
    )
    return _drawing([*rectangles, *ruler], [(left + RULER_MM + 5, low + 1, note)])


def _corners() -> str:
    rectangles: list[Rectangle] = []
    texts = []
    for number, mark in enumerate(CORNER_IDS):
        left = 30 + 120.0 * (number % 2)
        top = 25 + 90.0 * (number // 2)
        rectangles += _mark(mark, left, top, CORNER_MARK_MM)
        texts.append((left, top + CORNER_MARK_MM + 8, f"corner {number + 1} of 4"))
    note = (
        "Cut out with a white rim; lay each mark's own corner (far from the middle) on a corner of the field."
    )
    return _drawing(rectangles, [*texts, (30, PAGE_MM[1] - 12, note)])


def _mark(mark: int, left_mm: float, top_mm: float, side_mm: float) -> Iterator[Rectangle]:
    """Yield the black cells of a mark; neighbours in a row are drawn as one."""
    bits = np.asarray(cv2.aruco.generateImageMarker(dictionary(), mark, _CELLS)) == 0
    cell = side_mm / _CELLS
    for row in range(_CELLS):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], bits[row], [0]])))
        for begin, end in edges.reshape(-1, 2):
            yield left_mm + begin * cell, top_mm + row * cell, (end - begin) * cell, cell


def _drawing(rectangles: list[Rectangle], texts: list[tuple[float, float, str]]) -> str:
    """Return a page's content stream."""
    scale = _POINTS_PER_MM
    lines = [f"q {scale:.8f} 0 0 {-scale:.8f} 0 {PAGE_MM[1] * scale:.6f} cm 0 g"]
    lines += [f"{x:.4f} {y:.4f} {width:.4f} {height:.4f} re" for x, y, width, height in rectangles]
    lines += ["f", "Q"]
    for x_mm, y_mm, text in texts:
        at = f"{x_mm * scale:.3f} {(PAGE_MM[1] - y_mm) * scale:.3f}"
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        lines.append(f"BT /F1 9 Tf {at} Td ({escaped}) Tj ET")
    return "\n".join(lines)


def _document(pages: list[str]) -> bytes:
    """Put content streams into a PDF 1.4 file, with its table of object offsets."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    width, height = (side * _POINTS_PER_MM for side in PAGE_MM)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, content in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    data = b"%PDF-1.4\n"
    begins = []
    for number, body in enumerate(objects, 1):
        begins.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    table = "".join(f"{begin:010} 00000 n \n" for begin in begins)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return data + f"{end}startxref\n{len(data)}\n%%EOF\n".encode("ascii")
