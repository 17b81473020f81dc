"""Look for Japanese cards on pictures that show none: how many crash, how many names are given.

`uv run python -m benchmarks.photos.foreign_pictures [--pictures FOLDER] [--decks FOLDER ...] [--every N]`:
every N-th picture of the folder (photos, wallpapers, playing cards: whatever is at hand, as of Debian's
`opencv-doc`, `mate-backgrounds`, `gnome-cards-data`), and drawn chessboards, keyboards, windows and pages.
Each is searched for hanafuda of one of the decks, for torifuda, and for cards to enrol.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from benchmarks.command import read_options, write_json
from benchmarks.photos.laid_photos import DECKS, enrolled
from calibration.decks.games import DECK_GAMES
from vision.hanafuda.identity import HanafudaReader
from vision.photo.deck_photo import cut_cards
from vision.photo.hanafuda_photo import find_hanafuda
from vision.photo.torifuda_photo import identify

_LONGEST_PX: Final = 1280
_DRAWN: Final = ("chessboard", "keyboard", "window", "page")
_OF_A_KIND: Final = 6


def drawn(kind: str, seed: int) -> Any:
    """Return a drawn picture of one of `_DRAWN`, seen at a slant."""
    dice = np.random.default_rng(seed)
    width, height = 1200, 900
    picture = np.full((height, width, 3), dice.integers(20, 235, 3), np.uint8)
    rows, columns, gap = {
        "chessboard": (8, int(dice.integers(8, 14)), 0.0),
        "keyboard": (5, 14, 0.1),
        "window": (2, 3, 0.06),
        "page": (30, 6, 0.25),
    }[kind]
    tones = dice.integers(0, 110, 3), dice.integers(140, 256, 3)
    for row in range(rows):
        for column in range(columns):
            low = np.array([column + gap, row + gap]) / [columns, rows] * 0.8 + 0.1
            high = np.array([column + 1 - gap, row + 1 - gap]) / [columns, rows] * 0.8 + 0.1
            tone = tones[(row + column) % 2 if kind == "chessboard" else kind == "window"]
            start, end = ((at * [width, height]).astype(int).tolist() for at in (low, high))
            cv2.rectangle(picture, start, end, tone.tolist(), cv2.FILLED)
            if kind == "keyboard":
                place = (start[0] + 8, start[1] + 40)
                cv2.putText(picture, chr(65 + (row * 14 + column) % 26), place, 0, 1.2, tones[1].tolist(), 2)
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    slanted = (square + dice.uniform(-0.08, 0.08, (4, 2)) * [width, height]).astype(np.float32)
    seen = cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(square, slanted),
        (width, height),
        borderMode=cv2.BORDER_REPLICATE,
    )
    soft = cv2.GaussianBlur(seen, (0, 0), float(dice.uniform(0.4, 1.5))) + dice.normal(0, 3, seen.shape)
    return np.clip(soft, 0, 255).astype(np.uint8)


def pictures(folder: Path | None, every: int) -> Iterator[tuple[str, Any]]:
    """Yield the pictures with their names, those of the folder no larger than is looked at."""
    for kind in _DRAWN:
        for number in range(_OF_A_KIND):
            yield f"{kind} {number}", drawn(kind, number)
    for path in sorted(folder.iterdir())[::every] if folder is not None else ():
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            continue
        scale = _LONGEST_PX / max(picture.shape[:2])
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        yield path.name, picture


def main() -> int:
    """Search all pictures, print what was named where, and the sums; 1 where anything was."""
    options = read_options(__doc__, pictures=Path, decks=[Path], every=1)
    cv2.setNumThreads(1)
    folders = options.decks or sorted(path for path in DECKS.glob("*") if path.is_dir())
    readers = [HanafudaReader(enrolled(folder)) for folder in folders]
    rows: list[dict[str, Any]] = []
    for number, (name, picture) in enumerate(pictures(options.pictures, options.every)):
        reader = readers[number % len(readers)]
        started_s = time.process_time()
        row: dict[str, Any] = {"picture": name, "deck": reader.deck.name, "named": [], "crash": None}
        try:
            row["named"] = [
                (str(seen.card_id), seen.confidence)
                for seen in find_hanafuda(picture, reader)
                if seen.card_id is not None
            ]
            gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
            row["named"] += [(str(seen.card), seen.confidence) for seen in identify(gray) if seen.card]
            for game in DECK_GAMES.values():
                cut_cards(picture, game.card_size_mm, len(game.card_ids))
        except Exception as error:  # noqa: BLE001 what a person would see as a traceback is what is counted
            row["crash"] = repr(error)
        row["cpu_s"] = time.process_time() - started_s
        rows.append(row)
        if row["named"] or row["crash"]:
            sys.stdout.write(f"{name}, deck {row['deck']}: {row['crash'] or row['named']}\n")
            sys.stdout.flush()
    figures = {
        "pictures": len(rows),
        "crashes": sum(row["crash"] is not None for row in rows),
        "with names": sum(bool(row["named"]) for row in rows),
        "names": sum(len(row["named"]) for row in rows),
        "cpu_p50_s": round(float(np.median([row["cpu_s"] for row in rows])), 2),
    }
    sys.stdout.write(", ".join(f"{key} {value}" for key, value in figures.items()) + "\n")
    write_json(options.json, {"figures": figures, "rows": rows})
    return int(bool(figures["crashes"] or figures["names"]))


if __name__ == "__main__":
    sys.exit(main())
