"""`shinpan watch`: a live camera over HTTP, refereed in real time without a panel."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np
import pytest

from desk.commands import cli
from desk.commands.watch import LiveJudge
from referee.karuta.ruleset import KYOGI
from tests.desk.filmed import filmed
from tests.desk.karuta.eye.test_watcher import taken
from tests.vision.sources.http_camera import Part, Script, http_camera
from vision.frames.frame import Frame
from vision.match.live_watcher import LiveWatch
from vision.simulator.hall.match import single_poem
from vision.sources.source import Counters

pytestmark = pytest.mark.live

LATE_S = 2.5  # largest delay of a film on a busy machine


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def skip_where_it_fell_behind(lines: list[dict[str, Any]], film: Sequence[Part]) -> None:
    """Say nothing about an eye that had no processor: it left pictures out, or never saw the film's end."""
    stats = lines[-1]
    most_left_out = 0.1 * len(film)
    if stats["overflowed"] > most_left_out or stats["delivered"] < len(film) - most_left_out:
        pytest.skip("this machine is too busy to watch a camera in real time")


@pytest.fixture(scope="module")
def match() -> Any:
    return single_poem("own", 2, 30, (960, 540), "tatami", cards_per_side=6)


def test_a_camera_is_refereed_live(match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    episode = next(match.episodes())
    frames = list(match)
    parts = [
        Part((frame.t_ns - frames[0].t_ns) / 1e9, cv2.imencode(".jpg", frame.gray)[1].tobytes())
        for frame in frames
    ]
    reading = tmp_path / "reading.jsonl"
    start_ms = episode.t_s * 1e3 - frames[0].t_ns / 1e6
    reading.write_text(json.dumps({"t_ms": start_ms, "poem": episode.poem}))
    with http_camera(Script([parts, []])) as url:
        left = cli.main(["watch", url, "--reading", str(reading), "--seconds", str(parts[-1].t_s + LATE_S)])
    lines = lines_of(capsys)
    assert left == 0
    skip_where_it_fell_behind(lines, parts)
    by_kind = {line["event"]: line for line in lines}
    assert len(by_kind["layout"]["layout"]) > 0
    poem = by_kind["poem"]
    assert poem["poem"] == episode.poem
    assert any(touch["card"] == episode.poem for touch in poem["touches"])
    # whoever is slow leaves pictures out, and most are looked at
    assert by_kind["stats"]["delivered"] >= len(parts) / 2
    assert all(line["late_ms"] >= 0 for line in lines if line["event"] != "stats")


def test_a_camera_that_is_unplugged_in_the_middle_of_a_poem_loses_no_event(
    match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cable is out while the card is touched: told at once, and nothing is decided across the gap."""
    episode = next(match.episodes())
    touched_ns = min(touch["t_ms"] for touch in episode.truth["touches"]) * 1e6
    frames = list(match)
    jpegs = [cv2.imencode(".jpg", frame.gray)[1].tobytes() for frame in frames]
    begin_ns = frames[0].t_ns
    out = next(number for number, frame in enumerate(frames) if frame.t_ns > touched_ns - 60e6)
    back = next(number for number, frame in enumerate(frames) if frame.t_ns > touched_ns + 60e6)
    first = [Part((frames[number].t_ns - begin_ns) / 1e9, jpegs[number]) for number in range(out)]
    first.append(Part(first[-1].t_s + 0.01, None))
    later = [
        Part((frames[number].t_ns - frames[back].t_ns) / 1e9, jpegs[number])
        for number in range(back, len(frames))
    ]
    reading = tmp_path / "reading.jsonl"
    start_ms = episode.t_s * 1e3 - begin_ns / 1e6
    reading.write_text(json.dumps({"t_ms": start_ms, "poem": episode.poem}))
    seconds = str((frames[-1].t_ns - begin_ns) / 1e9 + LATE_S)
    with http_camera(Script([first, later])) as url:
        assert cli.main(["watch", url, "--reading", str(reading), "--seconds", seconds]) == 0
    lines = lines_of(capsys)
    gaps = [line for line in lines if line["event"] == "gap"]
    poem = next(line for line in lines if line["event"] == "poem")
    assert "camera_lost" in {gap["reason"] for gap in gaps}
    assert lines.index(gaps[0]) < lines.index(poem)
    told = [*poem["touches"], *poem["not_provable"]]
    assert any(contact["card"] == episode.poem for contact in told), poem
    assert poem["ruling"]["status"] == "review"
    assert "gap" in poem["ruling"]["doubts"]


@pytest.mark.parametrize(
    ("is_live", "size", "status"),
    [(True, (960, 540), "decided"), (True, (640, 360), "review"), (False, (640, 360), "decided")],
)
def test_cards_that_a_camera_shows_too_small_decide_nothing(
    is_live: bool, size: tuple[int, int], status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveWatch, "feed", lambda _watch, _frame: [taken(size)])
    source = MagicMock(is_live=is_live, counters=Counters())
    source.__iter__.return_value = iter([Frame(np.zeros((90, 160), np.uint8), 1, 1, 0)])
    poem, _stats = LiveJudge(source, KYOGI, []).lines()
    assert poem["ruling"]["status"] == status


def test_a_mirrored_picture_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = single_poem("dead_none", 3, 30, (1280, 720), "tatami", cards_per_side=8)
    at_rest = islice(match, 45)
    folder = filmed(tmp_path, (np.ascontiguousarray(frame.gray[:, ::-1]) for frame in at_rest))
    assert cli.main(["watch", str(folder / "video.avi"), "--reading", str(folder / "reading.jsonl")]) == 2
    told = capsys.readouterr()
    assert told.err.count("the pictures are mirrored") == 1
    assert "show the field the wrong way" in told.err
    assert '"layout"' not in told.out
