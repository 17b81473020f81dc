"""What a served film leaves in doubt is told as each poem begins; `test_odd_films` judges such films."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desk.karuta.eye.film_hints import doubt_of, hint_of, in_doubt
from desk.tables.recorded_table import RecordedPoem, recorded_table
from referee.facts import Gap, PoemStarted
from referee.layout import Layout
from tests.vision.sources.written_video import write_video
from vision.frames.quantiser import POOR_PICTURES
from vision.poem.events import PoemSeen
from vision.recordings.recording import load_recording
from vision.sources.video_file import VideoSource


@pytest.mark.parametrize(
    ("fps", "begins_ms", "reason"),
    [(30, 0, None), (60, 0, "times_unknown"), (30, 1500, "not_filmed")],
    ids=["as said", "half the rate", "read before the film"],
)
def test_a_served_film_says_what_it_leaves_in_doubt(
    tmp_path: Path, fps: int, begins_ms: int, reason: str | None
) -> None:
    dice = np.random.default_rng(1)
    pictures = [dice.integers(0, 255, (48, 64), dtype=np.uint8) for _ in range(20)]
    stamped = [(begins_ms + number * 100 // 3, picture) for number, picture in enumerate(pictures)]
    write_video(tmp_path / "video.mkv", stamped, "mjpeg", pixels="yuvj420p")
    head = f'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = {fps}\n'
    (tmp_path / "recording.toml").write_text(head)
    (tmp_path / "reading.jsonl").write_text('{"t_ms": 200.0, "poem": 17}\n')
    happenings = list(recorded_table(tmp_path, 1000, doubt_of).happenings())
    at = next(place for place, item in enumerate(happenings) if isinstance(item, RecordedPoem))
    gaps = [item for item in happenings if isinstance(item, Gap)]
    assert [gap.reason for gap in gaps] == ([] if reason is None else [reason])
    assert all(happenings[at + 1] is gap for gap in gaps)


@pytest.mark.parametrize(("quantiser", "reason"), [(30, None), (45, POOR_PICTURES)])
def test_pictures_that_are_compressed_too_coarsely_leave_the_poem_in_doubt(
    tmp_path: Path, quantiser: int, reason: str | None
) -> None:
    dice = np.random.default_rng(1)
    stamped = [(33 * number, dice.integers(0, 255, (48, 64), dtype=np.uint8)) for number in range(20)]
    write_video(tmp_path / "video.mkv", stamped, "libx264", encoder={"qp": str(quantiser), "bf": "0"})
    head = 'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = 30\n'
    (tmp_path / "recording.toml").write_text(head)
    (tmp_path / "reading.jsonl").write_text('{"t_ms": 200.0, "poem": 17}\n')
    happenings = recorded_table(tmp_path, 1000, doubt_of).happenings()
    assert [item.reason for item in happenings if isinstance(item, Gap)] == ([reason] if reason else [])

    source = VideoSource(tmp_path / "video.mkv")
    ends_ns = [frame.t_ns for frame in source][-1]
    start = PoemStarted(17, 200_000_000, 1)
    unread: Any = SimpleNamespace(layout=Layout(()))
    seen = {start.t_ns: PoemSeen(start, unread, (), ends_ns)}
    recording = load_recording(tmp_path)
    doubted = in_doubt(recording, source, seen)[start.t_ns].facts
    assert [fact.reason for fact in doubted if isinstance(fact, Gap)] == ([reason] if reason else [])
    assert ("coarsely" in hint_of(recording, source, seen).get("hint", "")) is bool(reason)
    if reason is None:
        hole = Gap(210_000_000, 291_000_000, "dropped_frames")
        holed = {start.t_ns: PoemSeen(start, unread, (hole,), ends_ns)}
        hint = hint_of(recording, source, holed)["hint"]
        assert "missing in 1 of 1 poems of video.mkv (holes of up to 81 ms)" in hint
        single = Gap(210_000_000, 227_000_000, "dropped_frames")
        holed = {start.t_ns: PoemSeen(start, unread, (single,), ends_ns)}
        assert hint_of(recording, source, holed) == {}
