"""A replay as a film: every picture at its own instant, slowed, with the contacts marked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from desk.errors import DeskError
from desk.karuta.evidence.clip import SLOWER, film
from vision.frames.frame import Frame
from vision.match.evidence_ring import EvidenceRing, cut

MS = 1_000_000
TOUCH: dict[str, Any] = {
    "player": "far",
    "t_ns": 100 * MS,
    "t_unc_ns": 2 * MS,
    "at_px": [80.0, 60.0],
    "unprovable": None,
}
INSTANTS_MS = (0, 20, 41, 60, 97, 105, 140)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    ring = EvidenceRing()
    for index, t_ms in enumerate(INSTANTS_MS):
        ring.append(Frame(np.full((121, 161), 90, np.uint8), t_ms * MS + 1, 1, index))
    marks = {"poem": 17, "t_poem_ns": 50 * MS, "t_kimariji_ns": None, "touches": [TOUCH]}
    return cut(ring, 0, 10**12, marks).write(tmp_path)


def frames(path: Path) -> list[tuple[float, np.ndarray[Any, Any]]]:
    with av.open(str(path)) as container:
        return [
            (float(frame.time or 0.0), frame.to_ndarray(format="bgr24"))
            for frame in container.decode(video=0)
        ]


def test_every_picture_stands_at_its_own_instant(bundle: Path) -> None:
    shown = frames(film(bundle))
    times_ms = [1e3 * t_s / SLOWER for t_s, _ in shown]
    assert times_ms[:-1] == pytest.approx(INSTANTS_MS, abs=0.1)
    assert times_ms[-1] == pytest.approx(INSTANTS_MS[-1] + 100, abs=0.1)
    assert shown[0][1].shape == (120, 160, 3)  # H.264 needs even sides


def test_a_contact_is_marked_from_its_instant_on(bundle: Path) -> None:
    shown = [picture for _, picture in frames(film(bundle))]

    def colour(picture: np.ndarray[Any, Any]) -> float:
        around = picture[48:72, 68:92].astype(float)
        return float((around.max(axis=2) - around.min(axis=2)).max())

    assert colour(shown[3]) < 40
    assert colour(shown[5]) > 80


def test_a_film_is_made_once(bundle: Path) -> None:
    path = film(bundle)
    made_ns = path.stat().st_mtime_ns
    assert film(bundle).stat().st_mtime_ns == made_ns


def test_damaged_evidence_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    with pytest.raises(DeskError, match="cannot be read"):
        film(broken)
