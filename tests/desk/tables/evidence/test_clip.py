"""A replay as a film: every picture at its own instant, slowed, with the contacts marked."""

import json
import zipfile
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from desk.errors import DeskError
from desk.panel.match.bundle import NoSuchMemberError, read_member
from desk.panel.match.port import Caption
from desk.tables.evidence.clip import SLOWER, film
from desk.tables.evidence.sound import kept_sound
from recitation.imports.decoding import load_tracks
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.recent_sound import TimedSound
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


def with_click(folder: Path, slower: int | None = None) -> Path:
    """Return a bundle of two seconds whose sound clicks at its contact, at 1200 ms."""
    ring = EvidenceRing()
    for index in range(121):
        ring.append(Frame(np.full((120, 160), 90, np.uint8), index * 16_666_667, 1, index))
    wave = np.zeros(2 * SAMPLE_RATE, np.float32)
    wave[round(1.1 * SAMPLE_RATE) : round(1.12 * SAMPLE_RATE)] = 0.5 * np.sign(np.sin(np.arange(960)))
    ring.sound = kept_sound(TimedSound(wave, 100 * MS, MS))
    marks: dict[str, Any] = {"poem": 17, "t_poem_ns": 50 * MS, "t_kimariji_ns": None, "touches": []}
    return cut(ring, 0, 10**12, marks if slower is None else {**marks, "slower": slower}).write(folder)


@pytest.mark.parametrize(("slower", "length_s"), [(None, 2.0 + 0.5 + 8 * 2.0 + 0.8), (1, 2.0 + 0.8)])
def test_the_sound_is_heard_at_real_pace_before_the_slow_motion(
    tmp_path: Path, slower: int | None, length_s: float
) -> None:
    made = film(with_click(tmp_path, slower))
    (track,) = load_tracks(made)
    loud = np.flatnonzero(np.abs(track.wave) > 0.1)
    assert track.start_s + loud[0] / SAMPLE_RATE == pytest.approx(1.2, abs=0.03)
    assert (loud[-1] - loud[0]) / SAMPLE_RATE < 0.1
    assert len(track.wave) / SAMPLE_RATE == pytest.approx(2.0, abs=0.1)
    times_s = [t_s for t_s, _ in frames(made)]
    assert times_s == sorted(times_s)
    assert times_s[-1] == pytest.approx(length_s, abs=0.05)
    if slower is None:
        assert sum(t_s <= 2.01 for t_s in times_s) in range(58, 64), "thirty pictures a second at real pace"
        assert sum(t_s >= 2.5 for t_s in times_s) == 122


def test_a_small_film_has_no_words_and_its_marks_at_their_places(tmp_path: Path) -> None:
    ring, dice = EvidenceRing(), np.random.default_rng(2)
    for index in range(12):
        ring.append(Frame(dice.integers(60, 120, (720, 1280), np.uint8), index * 16 * MS, 1, index))
    touch = {**TOUCH, "at_px": [960.0, 360.0], "t_ns": 50 * MS}
    marks = {"poem": 17, "t_poem_ns": 0, "t_kimariji_ns": None, "touches": [touch]}
    bundle = cut(ring, 0, 10**12, marks).write(tmp_path)
    small = film(bundle, Caption(["近くの人が取りました。"], is_small=True))
    assert small == film(bundle, Caption([], is_small=True)), "one for all languages"
    assert small.stat().st_size < film(bundle).stat().st_size / 5
    shown = frames(small)[-1][1]
    assert shown.shape == (360, 640, 3)
    colour = shown.max(axis=2).astype(int) - shown.min(axis=2)
    rows, columns = np.nonzero(colour > 60)
    assert (columns.mean(), rows.mean()) == pytest.approx((480, 180), abs=3)


def test_damaged_evidence_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    with pytest.raises(DeskError, match="cannot be read"):
        film(broken)


def test_a_caption_stands_under_the_pictures_and_tells_a_contact_once_it_has_begun(bundle: Path) -> None:
    caption = Caption(
        ["近くの人が取りました。送り札はありません。"], {(100 * MS, None, "far"): "遠くの人：50.0 ± 2.0 ms"}
    )
    path = film(bundle, caption)
    assert path != film(bundle)
    shown = [picture for _, picture in frames(path)]
    band = [picture[240:] for picture in shown]  # what is small is shown twice as large
    assert shown[0].shape[1] == 320
    assert all(len(one) > 40 for one in band)
    words = [int((one.max(axis=2) > 140).sum()) for one in band]
    assert words[0] > 200
    assert words[-1] > 1.2 * words[0]  # the contact is told now
    assert len({len(one) for one in band}) == 1


def test_phones_can_play_it_while_it_still_arrives(bundle: Path) -> None:
    path = film(bundle, Caption(["Near takes."]))
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert float(container.duration or 0) / 1e6 > 3  # who reads a caption needs a moment at the end
    assert not list(path.parent.glob(".shinpan-*"))


def test_a_bundle_that_unpacks_to_more_than_memory_is_refused(tmp_path: Path) -> None:
    bundle, much = tmp_path / "bomb.zip", bytes(1 << 20)
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("huge.jpg", "w") as member:
            for _ in range(70):
                member.write(much)
        archive.writestr("manifest.json", json.dumps({"frames": [{"file": "huge.jpg"}] * 8}))
    assert bundle.stat().st_size < 1 << 20
    with pytest.raises(DeskError, match="at most 512 MiB"):
        film(bundle)
    with pytest.raises(NoSuchMemberError, match="larger than 64 MiB"):
        read_member(bundle, "huge.jpg")
