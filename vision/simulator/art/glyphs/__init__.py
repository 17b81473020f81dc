"""The shipped pictures of the 48 kana, made by `tools/render_glyphs.py`."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.frames.frame import Gray

KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん"
"""The 48 hiragana of the torifuda, in the order of the atlas."""
CELL_PX = 64
SHEET_COLUMNS = 8
FOLDER = Path(__file__).parent


@cache
def load_typeface(name: str) -> dict[str, Gray]:
    """Return the ink of each kana, shape (CELL_PX, CELL_PX), 255 for full ink.

    Raises ValueError if no atlas of that name is shipped.
    """
    path = FOLDER / f"{name}.png"
    if not path.exists():
        known = ", ".join(sorted(found.stem for found in FOLDER.glob("*.png")))
        raise ValueError(f"no typeface {name!r} is shipped; choose one of: {known}")
    # Decoding from bytes works for any path, even one that cv2.imread cannot handle.
    sheet = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if sheet is None:
        raise ValueError(f"{path} is not a readable picture: run tools/render_glyphs.py again")
    cells = {}
    for index, kana in enumerate(KANA):
        row, column = divmod(index, SHEET_COLUMNS)
        cells[kana] = np.asarray(
            sheet[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX], np.uint8
        )
    return cells
