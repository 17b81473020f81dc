"""Read layouts on pictures of the product's simulator, and compare with the truth.

`uv run python -m benchmarks.photos.layouts [--fields N] [--only WORD] [--typefaces FILE ...] [--json OUT]`: a
table of cards found and named, wrong names, the error of the measured field and the time a layout takes.
Every field is drawn anew (`benchmarks.photos.layout_papers`). `--typefaces` examines others than those that
the simulator ships: atlases that `tools/render_glyphs.py --atlas FONT` wrote. `--kimariji` prints each card's
kimariji across it, in inks that a gray camera sees as paler or darker.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options, write_json
from benchmarks.photos.layout_papers import KIMARIJI, PAPERS, Paper, draw
from calibration.field.geometry import FieldGeometry
from referee.layout import HALF_DEPTH_M, HALF_WIDTH_M, Layout
from vision.field.layout_reader import LayoutReading, read_layout
from vision.simulator.drawing.camera import Camera

Floats = NDArray[np.float64]

FIRST_SEED = 60_000
TOLERANCE_M = 0.020
"""A card is found where its name and side are right and it lies this close after a rigid fit."""


@dataclass(slots=True)
class Marks:
    """What came out of one paper."""

    paper: str
    fields: int = 0
    unread: int = 0
    cards: int = 0
    found: int = 0
    wrong: int = 0
    rms_mm: float = 0.0
    worst_rms_mm: float = 0.0
    ms: float = 0.0


def field_rms_mm(geometry: FieldGeometry, camera: Camera) -> float:
    """Return how far points all over the field are off, scale included, where its axes lie being free."""
    x, y = np.meshgrid(
        np.linspace(-HALF_WIDTH_M, HALF_WIDTH_M, 12), np.linspace(-HALF_DEPTH_M, HALF_DEPTH_M, 8)
    )
    true_m = np.stack([x.ravel(), y.ravel()], axis=-1)
    seen = geometry.to_field(camera.to_image(np.column_stack([true_m, np.zeros(len(true_m))])))
    return float(1e3 * np.sqrt(np.square(rigidly_fitted(seen, true_m) - true_m).sum(axis=1).mean()))


def rigidly_fitted(points: Floats, target: Floats) -> Floats:
    """Turn and shift points, shape (N, 2), onto `target` as well as it goes."""
    seen, real = points - points.mean(axis=0), target - target.mean(axis=0)
    left, _, right = np.linalg.svd(seen.T @ real)
    turn = left @ np.diag([1.0, np.sign(np.linalg.det(left @ right))]) @ right
    return np.asarray(seen @ turn + target.mean(axis=0))


def compare(reading: LayoutReading, truth: Layout) -> tuple[int, int]:
    """Return how many cards were found and how many names are wrong (or lie elsewhere)."""
    both = [(placed, truth.find(placed.card)) for placed in reading.layout if placed.card is not None]
    wrong = sum(real is None for _, real in both)
    pairs = [(placed, real) for placed, real in both if real is not None]
    if len(pairs) < 2:
        return 0, wrong
    seen = np.array([[placed.x_m, placed.y_m] for placed, _ in pairs])
    true = np.array([[real.x_m, real.y_m] for _, real in pairs])
    off = np.linalg.norm(rigidly_fitted(seen, true) - true, axis=1) > TOLERANCE_M
    right = [placed.side is real.side for placed, real in pairs]
    return int((~off & np.array(right)).sum()), wrong + int(off.sum())


def examine(paper: Paper, fields: int) -> Marks:
    """Read `fields` fields of a paper."""
    marks, errors, spent_ms = Marks(paper.name), [], []
    for seed in range(FIRST_SEED, FIRST_SEED + fields):
        gray, truth, camera = draw(paper, seed)
        began = time.process_time()
        reading = read_layout([gray])
        spent_ms.append(1e3 * (time.process_time() - began))
        marks.fields += 1
        marks.cards += len(truth)
        if not isinstance(reading, LayoutReading):
            marks.unread += 1
            continue
        found, wrong = compare(reading, truth)
        marks.found += found
        marks.wrong += wrong
        errors.append(field_rms_mm(reading.geometry, camera))
    marks.rms_mm, marks.worst_rms_mm = (float(np.median(errors)), max(errors)) if errors else (np.nan, np.nan)
    marks.ms = float(np.median(spent_ms))
    return marks


def table_rows(papers: Iterator[Marks]) -> Iterator[Marks]:
    """Print each row as soon as it is known."""
    print(f"{'fields':34s} {'found and named':>22s} {'wrong':>5s}  {'RMS over the field':>20s}  CPU ms")
    for marks in papers:
        share = marks.found / marks.cards
        print(
            f"{marks.paper:34s} {marks.found:5d} of {marks.cards:5d} {share:8.2%} {marks.wrong:5d}"
            f"  {marks.rms_mm:6.2f} (worst {marks.worst_rms_mm:5.2f})  {marks.ms:5.0f}",
            flush=True,
        )
        yield marks


def main() -> None:
    """Run the papers, print the table, and write JSON where asked."""
    options = read_options(__doc__, fields=8, only="", typefaces=[Path], kimariji=False)
    read_layout([draw(PAPERS[0], 1)[0]])  # warm up
    papers = KIMARIJI if options.kimariji else PAPERS
    if options.typefaces:
        papers = tuple(
            replace(paper, name=f"{path.stem}, {paper.name}", typeface=str(path.resolve().with_suffix("")))
            for path in options.typefaces
            for paper in papers
        )
    chosen = (paper for paper in papers if options.only in paper.name)
    rows = [asdict(marks) for marks in table_rows(examine(paper, options.fields) for paper in chosen)]
    write_json(options.json, rows)


if __name__ == "__main__":
    main()
