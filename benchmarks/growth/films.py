"""What `shinpan judge` costs by pictures a second, by their size and by the cards of the field."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import av

from benchmarks.cost import STYLE, judged_beside_decoding
from vision.simulator import single_poem, write_recording

Point = dict[str, float]
SIZES = ((640, 360), (960, 540), (1280, 720), (1920, 1080))
FASTEST_FPS = 240
USUAL_FPS = 30
"""Of the films by size and by cards: they cost the least to render."""


def by_fps() -> list[Point]:
    """Return seconds of the processor per second of film in 720p, whole and for decoding alone.

    All are the same film, of which only every so many pictures are kept.
    """
    points = []
    with tempfile.TemporaryDirectory() as name:
        film = _film(Path(name, "film"), fps=FASTEST_FPS)
        for every in (8, 4, 2, 1):
            fps = FASTEST_FPS // every
            judged_ms, decoded_ms = judged_beside_decoding(_thinned(film, Path(name, str(fps)), every))
            points.append({"fps": fps, "judged": judged_ms * fps / 1e3, "decoded": decoded_ms * fps / 1e3})
    return [_with_ratio(point) for point in points]


def by_resolution() -> list[Point]:
    """Return milliseconds of the processor a picture, at 30 pictures a second."""
    points = []
    for width, height in SIZES:
        judged_ms, decoded_ms = _cost(size=(width, height))
        points.append({"megapixels": width * height / 1e6, "judged": judged_ms, "decoded": decoded_ms})
    return [_with_ratio(point) for point in points]


def by_cards() -> list[Point]:
    """Return milliseconds of the processor a picture, at 30 pictures a second in 720p."""
    points = []
    for per_side in (4, 8, 12, 18, 25):
        judged_ms, decoded_ms = _cost(cards_per_side=per_side)
        points.append({"cards": 2 * per_side, "judged": judged_ms, "decoded": decoded_ms})
    return [_with_ratio(point) for point in points]


def _cost(size: tuple[int, int] = (1280, 720), cards_per_side: int = 18) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as name:
        return judged_beside_decoding(_film(Path(name, "film"), USUAL_FPS, size, cards_per_side))


def _film(folder: Path, fps: float, size: tuple[int, int] = (1280, 720), cards_per_side: int = 18) -> Path:
    return write_recording(single_poem("harai", 5, fps, size, STYLE, cards_per_side=cards_per_side), folder)


def _thinned(film: Path, folder: Path, every: int) -> Path:
    """Copy a film with every so many of its pictures, which are coded one by one."""
    shutil.copytree(film, folder, ignore=shutil.ignore_patterns("video.mkv"))
    settings = (film / "recording.toml").read_text("utf-8")
    assert f"\nfps = {FASTEST_FPS}" in settings
    settings = settings.replace(f"\nfps = {FASTEST_FPS}", f"\nfps = {FASTEST_FPS // every}")
    (folder / "recording.toml").write_text(settings, "utf-8")
    with av.open(film / "video.mkv") as source, av.open(folder / "video.mkv", "w") as target:
        copy = target.add_stream_from_template(source.streams.video[0])
        packets = (packet for packet in source.demux(source.streams.video[0]) if packet.pts is not None)
        for number, packet in enumerate(packets):
            if number % every == 0:
                packet.stream = copy
                target.mux(packet)
    return folder


def _with_ratio(point: Point) -> Point:
    return {**point, "ratio": point["judged"] / point["decoded"]}
