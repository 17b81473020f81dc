"""Render the 48 kana of the torifuda into the small pictures that the simulator ships.

No Japanese typeface is installed on most machines, so the simulator draws its cards from these atlases.
Run once on a Debian machine with the packages named in `TYPEFACES`; credits are in `docs/credits.md`.

    uv run --group train python tools/render_glyphs.py [--fonts /usr/share/fonts]

"""

import argparse
import sys
from pathlib import Path

import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from vision.simulator.art.glyphs import CELL_PX, FOLDER, KANA, SHEET_COLUMNS

TYPEFACES = {
    "mincho": "ipaexm.ttf",  # fonts-ipaexfont-mincho
    "udmincho": "BIZUDMincho-Regular.ttf",  # fonts-morisawa-bizud-mincho
    "hand": "kiloji.ttf",  # fonts-kiloji
    # npm @fontsource/new-tegomin, unpacked; for the style `holdout`: never shown to the reader in training
    "tegomin": "new-tegomin-japanese-400-normal.woff",
}


def find_font(root: Path, file_name: str) -> Path:
    """Return the one file called `file_name` below `root`."""
    found = next(root.rglob(file_name), None)
    if found is None:
        sys.exit(f"{file_name} is not below {root}: install the Debian package named in TYPEFACES")
    return found


def render_sheet(font_path: Path) -> Image.Image:
    """Draw every kana centred by its em square, white ink on black, `SHEET_COLUMNS` to a line."""
    known = TTFont(font_path, lazy=True).getBestCmap()
    missing = [kana for kana in KANA if ord(kana) not in known]
    if missing:
        sys.exit(f"{font_path} lacks {''.join(missing)}: choose a typeface with all 48 kana")
    font = ImageFont.truetype(str(font_path), CELL_PX)
    rows = -(-len(KANA) // SHEET_COLUMNS)
    sheet = Image.new("L", (SHEET_COLUMNS * CELL_PX, rows * CELL_PX))
    for index, kana in enumerate(KANA):
        cell = Image.new("L", (CELL_PX, CELL_PX))
        ImageDraw.Draw(cell).text((CELL_PX / 2, CELL_PX / 2), kana, fill=255, font=font, anchor="mm")
        sheet.paste(cell, (index % SHEET_COLUMNS * CELL_PX, index // SHEET_COLUMNS * CELL_PX))
    # 16 grey levels look the same on a card and halve the file.
    levels = (np.asarray(sheet, dtype=np.uint16) + 8) // 17 * 17
    return Image.fromarray(levels.astype(np.uint8))


def main() -> None:
    """Write one atlas for each typeface."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--fonts", type=Path, action="append", help="folder searched for the typefaces (repeatable)"
    )
    options = parser.parse_args()
    roots = options.fonts or [Path("/usr/share/fonts")]
    for name, file_name in TYPEFACES.items():
        root = next((root for root in roots if next(root.rglob(file_name), None)), roots[0])
        target = FOLDER / f"{name}.png"
        render_sheet(find_font(root, file_name)).save(target, optimize=True)
        print(f"{target}: {target.stat().st_size / 1024:.1f} kB")


if __name__ == "__main__":
    main()
