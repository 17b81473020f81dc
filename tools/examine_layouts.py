"""Examines the layout reader in typefaces it has never seen, and prints how many cards it found and named.

    python tools/examine_layouts.py --fonts FOLDER_OF_UNPACKED_NPM_FONTS --fields 20

`--kimariji` examines cards from 30 to 70 px wide, plain and with their kimariji printed large across them in
a pink, red, blue, green or orange ink. With `--samples FOLDER` it also writes a few of the fields as JPEG
with their truth, which the tests read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from torifuda.field import INKS, Camera, Deck, Kimariji, picture, random_layout
from torifuda.typefaces import DEBIAN_FONTS, HELD_OUT, OVERPRINTED, font_files, glyph_cells

from referee.cards.poems import POEMS
from referee.layout import CARD_WIDTH_M, Layout
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Gray

TOLERANCE_MM = 20.0
COVERED = 0.02


@dataclass(frozen=True, slots=True)
class Paper:
    """One examination paper: how it is taken, and what it is called in the table."""

    name: str
    width: int = 1280
    height: int = 720
    tilt_deg: float = 6.0
    hands: int = 0
    card_px: float | None = None
    ink: str | None = None


PAPERS = (
    Paper("1280x720"),
    Paper("640x360", 640, 360),
    Paper("1280x720, two hands in view", hands=2),
    Paper("1280x720, tilted up to 15 degrees", tilt_deg=15.0),
)
ACROSS_MM = 1180.0
CARDS_PX = (30, 40, 50, 70)


def overprinted_papers() -> list[Paper]:
    """Return papers of cards so many pixels wide: plain, and with kimariji across them in each ink."""
    papers = []
    for card_px in CARDS_PX:
        width = round(card_px * ACROSS_MM / (1e3 * CARD_WIDTH_M))
        for ink in (None, *INKS):
            name = f"cards of {card_px} px, {f'{ink} kimariji' if ink else 'plain'}"
            papers.append(Paper(name, width, round(width * 9 / 16), card_px=card_px, ink=ink))
    return papers


def draw_field(
    paper: Paper, glyphs: NDArray[np.uint8], seed: int, across: Sequence[NDArray[np.uint8]] = ()
) -> tuple[Gray, Layout, NDArray[np.float64], NDArray[np.float64]]:
    """Draw a field; returns the picture, its layout, the true corners and each card's covered share.

    Parameters
    ----------
    across : glyphs of the typefaces in which a kimariji is printed across the cards.
    """
    rng = np.random.default_rng(seed)
    layout = random_layout(rng, int(rng.integers(8, 51)))
    deck = Deck.draw(rng)
    camera = Camera.draw(rng, paper.width, paper.height, paper.tilt_deg)
    if paper.card_px is not None:
        camera = replace(camera, mm_across=ACROSS_MM)
    if paper.ink is not None:
        own = np.random.default_rng(seed)  # so that the field is the same as without
        deck = replace(deck, kimariji=Kimariji.draw(across[seed % len(across)], paper.ink, own))
    texts = {number: poem.torifuda for number, poem in POEMS.items()}
    gray, corners, covered = picture(layout, texts, glyphs, deck, camera, rng, hands=paper.hands)
    return gray, layout, corners, covered


def mark(truth: Layout, covered: NDArray[np.float64], reading: LayoutReading | None) -> tuple[int, int, int]:
    """Return how many cards lay open, how many of them were found, and how many names were wrong."""
    open_cards = {placed.card for placed, share in zip(truth, covered, strict=True) if share < COVERED}
    if reading is None:
        return len(open_cards), 0, 0
    read = {placed.card: placed for placed in reading.layout if placed.card is not None}
    real = {placed.card: placed for placed in truth if placed.card is not None}
    wrong = len(set(read) - set(real))
    both = sorted(set(read) & set(real))
    if len(both) < 2:
        return len(open_cards), 0, wrong
    seen_mm = 1e3 * np.array([[read[card].x_m, read[card].y_m] for card in both])
    true_mm = 1e3 * np.array([[real[card].x_m, real[card].y_m] for card in both])
    off_mm = np.linalg.norm(_rigidly_fitted(seen_mm, true_mm) - true_mm, axis=1)
    found = 0
    for card, off in zip(both, off_mm, strict=True):
        wrong += off > 1.5 * TOLERANCE_MM
        found += off < TOLERANCE_MM and read[card].side is real[card].side and card in open_cards
    return len(open_cards), found, wrong


def _rigidly_fitted(points: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    seen, real = points - points.mean(axis=0), target - target.mean(axis=0)
    left, _, right = np.linalg.svd(seen.T @ real)
    turn = left @ np.diag([1.0, np.sign(np.linalg.det(left @ right))]) @ right
    return np.asarray(seen @ turn + target.mean(axis=0))


def examine(
    paper: Paper,
    faces: Mapping[str, Sequence[Path]],
    fields: int,
    first_seed: int,
    across: Sequence[NDArray[np.uint8]] = (),
) -> str:
    """Return one row of the table."""
    glyphs = [glyph_cells(path) for paths in faces.values() for path in paths]
    lay = found = wrong = 0
    spent_ms = []
    for seed in range(first_seed, first_seed + fields):
        gray, layout, _, covered = draw_field(paper, glyphs[seed % len(glyphs)], seed, across)
        began = time.process_time()
        reading = read_layout([gray])
        spent_ms.append(1e3 * (time.process_time() - began))
        marks = mark(layout, covered, reading if isinstance(reading, LayoutReading) else None)
        lay, found, wrong = lay + marks[0], found + marks[1], wrong + marks[2]
    share, spent = found / lay, np.median(spent_ms)
    return f"{paper.name:36s} {found:5d} of {lay:5d} ({share:8.3%}), wrong {wrong}, {spent:4.0f} ms CPU"


def write_samples(folder: Path, faces: Mapping[str, Sequence[Path]]) -> None:
    """Write one field per unseen typeface at 720p and one at 360p, with truth beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = [(family, PAPERS[0]) for family in faces] + [(next(iter(faces)), PAPERS[1])]
    for number, (family, paper) in enumerate(sheets):
        gray, layout, corners, covered = draw_field(paper, glyph_cells(faces[family][0]), 9000 + number)
        name = f"{family.lower().replace(' ', '-')}-{paper.height}"
        cv2.imwrite(str(folder / f"{name}.jpg"), gray, [cv2.IMWRITE_JPEG_QUALITY, 88])
        cards = [
            {
                "card": placed.card,
                "side": str(placed.side),
                "row": placed.row,
                "x_mm": round(1e3 * placed.x_m, 2),
                "y_mm": round(1e3 * placed.y_m, 2),
                "corners_px": np.round(quad, 2).tolist(),
            }
            for placed, quad, _ in zip(layout, corners, covered, strict=True)
        ]
        (folder / f"{name}.json").write_text(
            json.dumps({"typeface": family, "layout": cards}), encoding="utf-8"
        )


def main() -> None:
    """Print the table, and write the samples where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="more folders with fonts")
    parser.add_argument("--fields", type=int, default=20, help="fields per row of the table")
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--samples", type=Path, help="folder for sample fields")
    parser.add_argument(
        "--kimariji", action="store_true", help="cards of several sizes, plain and with kimariji across them"
    )
    options = parser.parse_args()
    folders = [DEBIAN_FONTS, *options.fonts]
    faces = font_files(HELD_OUT, folders)
    if options.samples:
        write_samples(options.samples, faces)
    if options.kimariji:
        across = [glyph_cells(path) for paths in font_files(OVERPRINTED, folders).values() for path in paths]
        for paper in overprinted_papers():
            print(examine(paper, faces, options.fields, options.seed, across), flush=True)
        return
    for number, paper in enumerate(PAPERS if options.fields else ()):
        print(examine(paper, faces, options.fields, options.seed + 1000 * number), flush=True)


if __name__ == "__main__":
    main()
