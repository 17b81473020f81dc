"""A film that was cut while a card was played gives a doubt, not a ruling on the rest."""

import json
from fractions import Fraction
from pathlib import Path

import av
import pytest

from desk.karuta.eye.recorded_match import judge_recording
from desk.tables.recorded_table import recorded_table
from referee.facts import Gap
from tests.vision.sources.edited_film import edited
from vision.simulator import single_poem, write_recording
from vision.sources.video_file import VideoSource

MEDIA_HZ = 15360


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A recording of one poem as a QuickTime film."""
    folder = write_recording(single_poem("opp", 3, fps=60, size=(640, 360), cards_per_side=8), tmp_path / "a")
    with av.open(str(folder / "video.mkv")) as stored, av.open(str(folder / "video.mov"), "w") as film:
        pictures = stored.streams.video[0]
        stream = film.add_stream_from_template(pictures)
        for packet in stored.demux(pictures):
            if packet.size:
                packet.stream = stream
                film.mux(packet)
    head = folder / "recording.toml"
    head.write_text(head.read_text("utf-8").replace("video.mkv", "video.mov"), "utf-8")
    return folder


@pytest.mark.slow
def test_a_poem_that_was_cut_goes_to_the_officials(folder: Path) -> None:
    (whole,) = judge_recording(folder)["poems"]
    assert whole["ruling"]["status"] == "decided"
    touched_s = whole["touches"][0]["t_ms"] / 1e3
    with av.open(str(folder / "video.mov")) as film:
        pictures = film.streams.video[0]
        media_hz, end_s = Fraction(pictures.time_base or 1).denominator, (film.duration or 0) / 1e6
    since_s = touched_s - next(iter(VideoSource(folder / "video.mov"))).t_ns / 1e9
    edited(folder / "video.mov", [(0.0, since_s - 0.1), (since_s + 0.3, end_s)], media_hz)
    (cut,) = judge_recording(folder)["poems"]
    assert cut["ruling"]["status"] == "review"
    assert "gap" in cut["ruling"]["doubts"], json.dumps(cut)
    gaps = [item for item in recorded_table(folder, 1000).happenings() if isinstance(item, Gap)]
    assert [gap.reason for gap in gaps] == ["film_cut"]
