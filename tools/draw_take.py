"""Draw the README's moving picture: a simulated take in slow motion, with the marks of its ruling.

    uv run python tools/draw_take.py [--seed 21] [--scenario race] [--gap 30] [--to FILE]

The simulator films a poem, the eye watches its pictures, the rules judge what it saw, and the desk's own clip
exporter writes the film; here it only becomes an animated WebP.
"""

import argparse
import tempfile
from pathlib import Path

import av
import cv2
import numpy as np
from PIL import Image

from desk.films.reading import FilmReading, Look
from desk.karuta.evidence.replay import bundle_of, frames_of
from desk.panel.match.poem_view import caption_of
from desk.panel.match.sentence import side_names
from desk.panel.words import words
from desk.shelf.verdicts import FilmPoem, Verdicts
from desk.tables.evidence.clip import film
from referee.facts import PoemStarted
from vision.frames.frame import Frame
from vision.match.evidence_ring import EvidenceRing
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.simulator import single_poem

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "take.webp"
FPS = 120
SIZE_PX = (960, 540)
WIDTH_PX = 720
QUALITY = 55
MOST_BYTES = 3_000_000  # what a reader on a phone waits for
EVERY = 2  # of the pictures each second one is shown: 60 of the 120 a second, an eighth as fast


def watched(scenario: str, seed: int, gap_ms: float) -> tuple[PoemSeen, EvidenceRing]:
    """Film a poem and let the eye watch it; return what it saw, and the pictures.

    Raises ValueError where the eye saw no poem.
    """
    match = single_poem(scenario, seed, FPS, SIZE_PX, cards_per_side=12, gap_ms=gap_ms, in_colour=True)
    (start,) = match.readings
    poem = PoemStarted(start.poem, round(start.t_ms * 1e6), 1_000_000)
    eye, ring, seen, is_told = MatchWatcher(), EvidenceRing(), list[PoemSeen](), False
    for index, (t_ns, picture) in enumerate(match.pictures()):
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        frame = Frame(gray, t_ns, 1_000, index, jpeg)
        ring.append(frame)
        if not is_told and t_ns >= poem.t_ns:
            is_told = True
            eye.poem_started(poem)
        seen += [event for event in eye.feed(frame) if isinstance(event, PoemSeen)]
    seen += [event for event in eye.close() if isinstance(event, PoemSeen)]
    if not seen:
        raise ValueError(f"the eye saw no poem in {scenario} of seed {seed}: take another one")
    return seen[0], ring


def annotated(seen: PoemSeen, ring: EvidenceRing, folder: Path) -> Path:
    """Write the desk's annotated clip of a poem into a folder and return its path."""
    frames = frames_of(ring, seen)
    if frames is None:
        raise ValueError("nobody touched a card: take another seed")
    reading = FilmReading(seen.start.t_ns, seen.start.t_unc_ns, seen.start.poem)
    shown = Verdicts("karuta", poems=(FilmPoem(reading, Look(seen.before.layout, seen.facts)),)).shown(None)
    english = words("en")
    caption = caption_of(shown[0]["ruled"], side_names(english, {"near": None, "far": None}), english)
    return film(bundle_of(frames, seen, None).write(folder), caption)


def animated(clip: Path, out: Path) -> None:
    """Write a film as an animated WebP that plays for ever."""
    pictures, instants_ms = [], []
    with av.open(str(clip)) as container:
        for picture in container.decode(video=0):
            image = Image.fromarray(picture.to_ndarray(format="rgb24"))
            size = WIDTH_PX, round(image.height * WIDTH_PX / image.width)
            pictures.append(image.resize(size, Image.Resampling.LANCZOS))
            instants_ms.append(1000 * float(picture.time or 0))
    last = len(pictures) - 1
    chosen = sorted({*range(0, last, EVERY), last})
    ends_ms = [instants_ms[index] for index in chosen[1:]] + [instants_ms[-1] + 2000]
    lengths_ms = [round(end - instants_ms[index]) for index, end in zip(chosen, ends_ms, strict=True)]
    first, *others = (pictures[index] for index in chosen)
    for_ever = {"save_all": True, "append_images": others, "duration": lengths_ms, "loop": 0}
    first.save(out, **for_ever, quality=QUALITY, method=6)


def main() -> int:
    """Draw the picture."""
    parser = argparse.ArgumentParser(description="draw the moving picture of the README")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--scenario", default="race")
    parser.add_argument("--gap", type=float, default=30.0, help="by how much the second hand is later, ms")
    parser.add_argument("--to", type=Path, default=PICTURE)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        animated(annotated(*watched(asked.scenario, asked.seed, asked.gap), Path(folder)), asked.to)
    size = asked.to.stat().st_size
    print(f"{asked.to}: {size / 1e6:.2f} MB")
    return 0 if size < MOST_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
