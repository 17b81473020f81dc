"""Contacts in recordings that this program did not render, with the true layout given."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.facts import Contact, Gap, Touch
from referee.sides import Side
from vision.field.slots import Slot
from vision.poem.watcher import PoemWatcher
from vision.recordings.recording import load_recording
from vision.sources.video_file import VideoSource

PRACTICE = Path(__file__).resolve().parents[4] / "shared" / "practice"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.slow,
    pytest.mark.skipif(not PRACTICE.is_dir(), reason=f"the practice recordings are not at {PRACTICE}"),
]


def watched(name: str, every: int = 1, kept: float = 0.0) -> tuple[PoemWatcher, dict[str, Any]]:
    """Watch each n-th picture by a camera that keeps a share of the last one; return also what is true."""
    truth = json.loads((PRACTICE / name / "truth.json").read_text())
    corners = truth["meta"]["corners_px"]
    slots = [
        Slot(placed["card"], Side(placed["side"]), np.array(corners[str(placed["card"])], np.float64))
        for placed in truth["layout"]
    ]
    frames = list(VideoSource(load_recording(PRACTICE / name).video))[::every]
    watcher, seen = PoemWatcher(slots, [frame.gray for frame in frames[:8]]), frames[0].gray
    for frame in frames:
        seen = np.asarray(cv2.addWeighted(seen, kept, frame.gray, 1 - kept, 0), np.uint8)
        watcher.feed(replace(frame, picture=seen))
    return watcher, truth["poems"][0]


def test_a_camera_that_keeps_half_of_the_last_picture_leaves_a_poem_open() -> None:
    gaps = [
        {fact.reason for fact in watched("clip-009", 4, kept)[0].finish() if isinstance(fact, Gap)}
        for kept in (0.0, 0.5)
    ]
    assert gaps == [set(), {"smeared_pictures"}]


@pytest.mark.parametrize(
    ("name", "within_ms"),
    [("clip-006", 0.0), ("clip-008", 0.0), ("clip-009", 6.0), ("clip-007", 9.0), ("clip-011", 4.0)],
    ids=["dead_none", "hover", "opp", "both_fault", "two_hands"],
)
def test_contacts_are_found_with_player_and_time_and_no_other_is_told(name: str, within_ms: float) -> None:
    watcher, poem = watched(name)
    touches = [fact for fact in watcher.finish() if isinstance(fact, Touch)]
    true_ms = {(t["card"], t["player"]): t["t_ms"] for t in poem["touches"]}
    told = {(touch.card, touch.player) for touch in touches}
    assert told <= set(true_ms)
    # of a row that is swept, a card behind the first may as well have been pushed: then it is not told
    for player in {player for _, player in true_ms}:
        own = {key for key in true_ms if key[1] == player}
        assert min(true_ms[key] for key in own) in {true_ms[key] for key in own & told}
    assert len(told) >= 0.7 * len(true_ms)
    for touch in touches:
        assert touch.player is not None
        off_ms = abs(touch.t_ns / 1e6 - true_ms[touch.card or 0, touch.player])
        # one that another may have pushed is timed when it was out; its interval reaches back to the contact
        assert off_ms <= (within_ms if touch.contact is Contact.TOUCH else touch.t_unc_ns / 1e6)
