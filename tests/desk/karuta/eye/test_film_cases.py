"""Films from the world that were ruled wrongly: mirrored by a flag, out of order, at half the rate."""

from pathlib import Path
from typing import Any

import pytest

from desk.errors import DeskError
from desk.karuta.eye.recorded_match import judge_recording

pytestmark = pytest.mark.shared


def test_a_film_that_is_flagged_as_mirrored_is_refused_as_that(shared: Path) -> None:
    """Its pixels are as filmed: shown as it asks, no card is legible; near and far never change places."""
    with pytest.raises(DeskError, match=r"are mirrored: .* the film itself asks for it \(display matrix\)"):
        judge_recording(shared / "cases" / "02-mirror-flag")


def test_an_avi_with_b_frames_loses_no_picture(shared: Path) -> None:
    judged = judge_recording(shared / "cases" / "04-b-frames-in-avi")
    assert (judged["stats"]["frames"], judged["stats"]["untimed_frames"]) == (137, 0)
    (touch,) = [touch for touch in _only(judged)["touches"] if touch["card"] == 83]
    assert abs(touch["t_ms"] - 1471.2) <= touch["t_unc_ms"]


def test_a_film_of_half_the_rate_is_told_by_both_causes(shared: Path) -> None:
    """Its card is dead: that one is touched early proves nothing about the film's times."""
    judged = judge_recording(shared / "cases" / "13-half-rate-film")
    hint = judged["stats"]["hint"]
    assert "write fps = 30" in hint
    assert "filmed_fps = 60" in hint
    assert _only(judged)["ruling"]["status"] == "review"


def _only(judged: dict[str, Any]) -> dict[str, Any]:
    (poem,) = judged["poems"]
    found: dict[str, Any] = poem
    return found
