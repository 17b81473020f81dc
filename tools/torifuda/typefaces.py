"""The freely licensed typefaces that teach the torifuda reader, and those kept back to examine it.

Debian typefaces come from the packages named below; the others are OFL typefaces from npm packages of the
`@fontsource` scope, unpacked anywhere. Nothing of them is kept in the repository: only the trained weights
are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.torifuda.face_reader import KANA

DEBIAN_FONTS = Path("/usr/share/fonts")
EM_PX = 48
CELL_PX = 72  # a glyph cell leaves room around the em square, because brush strokes leave it


@dataclass(frozen=True, slots=True)
class Typeface:
    """One family: where it comes from and the files that show it in different weights."""

    family: str
    package: str
    files: tuple[str, ...]


TRAINING = (
    Typeface("AR PL Kaiti GB", "fonts-arphic-gkai00mp", ("gkai00mp.ttf",)),
    Typeface("AR PL UKai", "fonts-arphic-ukai", ("ukai.ttc",)),
    Typeface("TW-Kai", "fonts-cns11643-kai", ("TW-Kai-98_1.ttf",)),
    Typeface("cwTeX Kai", "fonts-cwtex-kai", ("cwkai.ttf",)),
    Typeface("Klee One", "fonts-klee", ("KleeOne-Regular.ttf", "KleeOne-SemiBold.ttf")),
    Typeface("kiloji", "fonts-kiloji", ("kiloji.ttf", "kiloji_b.ttf")),
    Typeface("SetoFont", "fonts-seto", ("setofont.ttf",)),
    Typeface("Konatu", "fonts-konatu", ("Konatu.ttf",)),
    Typeface("Mona", "fonts-mona", ("mona.ttf",)),
    Typeface("Ume", "fonts-horai-umefont", ("ume-tmo3.ttf",)),
    Typeface("HanaMin", "fonts-hanazono", ("HanaMinA.ttf",)),
    Typeface("IPA", "fonts-ipafont", ("ipam.ttf", "ipag.ttf")),
    Typeface("Motoya Maruberi", "fonts-motoya-l-maruberi", ("MTLmr3m.ttf",)),
    Typeface("Motoya Cedar", "fonts-motoya-l-cedar", ("MTLc3m.ttf",)),
    Typeface("BIZ UD Mincho", "fonts-morisawa-bizud-mincho", ("BIZUDMincho-Regular.ttf",)),
    Typeface("BIZ UD Gothic", "fonts-morisawa-bizud-gothic", ("BIZUDGothic-Bold.ttf",)),
    Typeface("Sawarabi", "fonts-sawarabi-mincho", ("sawarabi-mincho-medium.ttf",)),
    Typeface("Reggae", "fonts-reggae", ("ReggaeOne-Regular.ttf",)),
    Typeface("YOz antique", "fonts-yozvox-yozfont-antique", ("YOzRA_.ttf", "YOzRA_90i.ttf")),
    Typeface("YOz cute", "fonts-yozvox-yozfont-cute", ("YOzRC_.ttf", "YOzBC_.ttf")),
    Typeface("YOz educational", "fonts-yozvox-yozfont-edu", ("YOzRE_.ttf", "YOzBE_90.ttf")),
    Typeface("YOz new", "fonts-yozvox-yozfont-new-kana", ("YOzRN_.ttf", "YOzBN_i.ttf")),
    Typeface("YOz standard", "fonts-yozvox-yozfont-standard-kana", ("YOzRS_.ttf", "YOzBS_90.ttf")),
    Typeface("Zen Kurenaido", "zen-kurenaido", ("zen-kurenaido-japanese-400-normal.woff",)),
    Typeface("Zen Antique", "zen-antique", ("zen-antique-japanese-400-normal.woff",)),
    Typeface(
        "Zen Old Mincho",
        "zen-old-mincho",
        ("zen-old-mincho-japanese-400-normal.woff", "zen-old-mincho-japanese-900-normal.woff"),
    ),
    Typeface(
        "Kaisei Tokumin",
        "kaisei-tokumin",
        ("kaisei-tokumin-japanese-400-normal.woff", "kaisei-tokumin-japanese-800-normal.woff"),
    ),
    Typeface(
        "Kaisei Decol",
        "kaisei-decol",
        ("kaisei-decol-japanese-400-normal.woff", "kaisei-decol-japanese-700-normal.woff"),
    ),
    Typeface(
        "Kiwi Maru", "kiwi-maru", ("kiwi-maru-japanese-300-normal.woff", "kiwi-maru-japanese-500-normal.woff")
    ),
    Typeface("Potta One", "potta-one", ("potta-one-japanese-400-normal.woff",)),
    Typeface("Hachi Maru Pop", "hachi-maru-pop", ("hachi-maru-pop-japanese-400-normal.woff",)),
    Typeface(
        "Shippori Mincho",
        "shippori-mincho",
        ("shippori-mincho-japanese-500-normal.woff", "shippori-mincho-japanese-800-normal.woff"),
    ),
    Typeface("Slackside One", "slackside-one", ("slackside-one-japanese-400-normal.woff",)),
    Typeface("Yomogi", "yomogi", ("yomogi-japanese-400-normal.woff",)),
)

HELD_OUT = (
    Typeface("New Tegomin", "new-tegomin", ("new-tegomin-japanese-400-normal.woff",)),
    Typeface("Yusei Magic", "yusei-magic", ("yusei-magic-japanese-400-normal.woff",)),
    Typeface("Hina Mincho", "hina-mincho", ("hina-mincho-japanese-400-normal.woff",)),
)
"""Never shown in training: this repository's examination in typefaces nobody has taught the reader."""


def font_files(typefaces: Iterable[Typeface], folders: Sequence[Path]) -> dict[str, list[Path]]:
    """Find each family's files below `folders`.

    Raises FileNotFoundError where a file is missing; the message names the package to install.

    Returns: dict from family name to its files.
    """
    known = {
        path.name: path for folder in folders for path in sorted(folder.rglob("*.[otw]*")) if path.is_file()
    }
    found: dict[str, list[Path]] = {}
    for face in typefaces:
        missing = [name for name in face.files if name not in known]
        if missing:
            raise FileNotFoundError(
                f"{face.family}: {', '.join(missing)} not found below {', '.join(map(str, folders))};"
                f" install or unpack the package {face.package}"
            )
        found[face.family] = [known[name] for name in face.files]
    return found


def glyph_cells(path: Path) -> NDArray[np.uint8]:
    """Draw every kana of one font file with its em square in the middle of a cell.

    Returns: ink, shape (len(KANA), CELL_PX, CELL_PX), uint8: 0 = paper, 255 = ink.
    """
    font = ImageFont.truetype(str(path), EM_PX)
    cells = np.zeros((len(KANA), CELL_PX, CELL_PX), np.uint8)
    # An East Asian em square reaches from 0.88 em above the base line to 0.12 em below it.
    base_line = CELL_PX / 2 + 0.38 * EM_PX
    for index, kana in enumerate(KANA):
        cell = Image.new("L", (CELL_PX, CELL_PX), 0)
        ImageDraw.Draw(cell).text((CELL_PX / 2, base_line), kana, font=font, fill=255, anchor="ms")
        cells[index] = np.asarray(cell)
    inks = cells.reshape(len(KANA), -1).sum(axis=1)
    if not inks.all():
        raise ValueError(f"{path} has no glyph for {''.join(np.array(list(KANA))[inks == 0])}")
    return cells
