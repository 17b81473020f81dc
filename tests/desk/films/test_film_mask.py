"""Films to give away: only the field is seen in them, only the reader is heard."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import soundfile

from desk.errors import DeskError
from desk.films.film import Film, open_film
from desk.films.film_mask import pack_film
from desk.films.trials import Called, read_trials
from tests.vision.conftest import UnseenField, load_unseen
from vision.field.layout_reader import FIELD_CORNERS_M, LayoutReading, read_layout
from vision.frames.frame import Gray
from vision.match.trials import Trial
from vision.recordings.recording import Audio, RecordedReading, load_recording
from vision.sources.video_file import VideoSource
from vision.torifuda.prior_knowledge import NOTHING_KNOWN

RIM_M = 0.03
RATE_HZ = 48_000


@pytest.fixture(scope="module")
def field() -> UnseenField:
    return load_unseen("new-tegomin-720")


@pytest.fixture(scope="module")
def inside(field: UnseenField) -> Gray:
    """Where the field and its rim lie in the picture."""
    reading = read_layout([field.gray])
    assert isinstance(reading, LayoutReading)
    corners_m = FIELD_CORNERS_M + np.sign(FIELD_CORNERS_M) * RIM_M
    mask = np.zeros(field.gray.shape, np.uint8)
    cv2.fillPoly(mask, [np.rint(reading.geometry.to_image(corners_m)).astype(np.int32)], 1)
    return mask


def filmed(path: Path, grays: Sequence[Gray], *, wave: np.ndarray | None = None) -> Film:
    """Write a film with a place, a date and a name in it, each picture at its own instant."""
    with av.open(str(path), "w", format="matroska") as container:
        container.metadata.update(title="Hana Sato", location="+35.0+135.7/", creation_time="2026-11-29")
        stream = container.add_stream("ffv1", rate=30)
        assert isinstance(stream, av.VideoStream)
        stream.pix_fmt = "gray"
        stream.codec_context.time_base = Fraction(1, 1000)
        stream.height, stream.width = grays[0].shape
        sound = None if wave is None else container.add_stream("pcm_s16le", rate=RATE_HZ, layout="mono")
        for index, gray in enumerate(grays):
            frame = av.VideoFrame.from_ndarray(gray, format="gray")
            frame.pts, frame.time_base = 33 * index + index % 2, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if sound is not None and wave is not None:
            heard = av.AudioFrame.from_ndarray(
                (wave * 32767).astype(np.int16)[None], format="s16", layout="mono"
            )
            heard.sample_rate, heard.pts, heard.time_base = RATE_HZ, 0, Fraction(1, RATE_HZ)
            container.mux(sound.encode(heard))
            container.mux(sound.encode(None))
    return open_film(path)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    (tmp_path / "packed").mkdir()
    return tmp_path / "packed"


def with_faces(field: UnseenField, inside: Gray, count: int = 24) -> list[Gray]:
    """Return the resting field with bright, moving people all around it."""
    dice, pictures = np.random.default_rng(2), []
    for _ in range(count):
        people = np.where(dice.uniform(0, 1, (45, 80)) > 0.5, 255, 160).astype(np.uint8)
        around = cv2.resize(people, (1280, 720), interpolation=cv2.INTER_NEAREST)
        near = cv2.dilate(inside, np.ones((25, 25), np.uint8))  # the mat goes on for a little
        pictures.append(np.where(near > 0, field.gray, around))
    return pictures


def test_nothing_outside_the_field_is_left_in_any_picture_and_nothing_else_of_the_film(
    tmp_path: Path, packed: Path, field: UnseenField, inside: Gray
) -> None:
    grays, wave = with_faces(field, inside), np.full(RATE_HZ, 0.5, np.float32)
    film = filmed(tmp_path / "hana.mkv", grays, wave=wave)
    pack_film(film, packed, RIM_M, NOTHING_KNOWN, lambda _: None, calls=[Called(10**8, Trial.QUIET)])
    assert {path.name for path in packed.iterdir()} == {"video.mp4", "trials.csv"}
    assert read_trials(packed / "trials.csv") == [Called(10**8, Trial.QUIET)]
    with av.open(str(packed / "video.mp4")) as container:
        assert not container.streams.audio
    for path in packed.iterdir():
        data = path.read_bytes()
        assert not any(word in data for word in (b"Hana", b"hana", b"35.0", b"2026")), path.name
    x, y, across, down = cv2.boundingRect(inside)
    seen = inside[y : y + down, x : x + across]
    hidden = cv2.dilate(seen, np.ones((9, 9), np.uint8)) == 0  # blocks of the compression bleed a little
    hidden[:, -8:] = hidden[-8:] = False
    assert hidden.any()
    shown = cv2.erode(seen, np.ones((9, 9), np.uint8)) > 0
    frames = list(VideoSource(packed / "video.mp4"))
    assert len(frames) == len(grays)
    for frame in frames:
        gray = frame.gray
        assert abs(gray.shape[0] - down) < 2 > abs(gray.shape[1] - across)
        height, width = gray.shape
        assert gray[hidden[:height, :width]].max() <= 4
        assert gray[~seen[:height, :width].astype(bool)].max() < 130, "faces are 160 and brighter"
        was = field.gray[y : y + height, x : x + width]
        off = np.abs(gray.astype(int) - was)[shown[:height, :width]]
        assert off.mean() < 2.5
    times_ms = [round(frame.t_ns / 1e6, 1) for frame in frames[:4]]
    assert times_ms == pytest.approx([0, 34, 66, 100], abs=0.1), "every picture keeps its instant"


def test_a_recording_is_packed_with_its_readings_and_the_readers_sound_alone(
    tmp_path: Path, packed: Path, field: UnseenField, inside: Gray
) -> None:
    film = filmed(tmp_path / "film.mkv", with_faces(field, inside))
    dice = np.random.default_rng(1)
    soundfile.write(tmp_path / "sound.flac", dice.uniform(-0.5, 0.5, 12 * RATE_HZ), RATE_HZ)
    audio = Audio(tmp_path / "sound.flac", start_ns=-500_000_000, distance_m=0.4)
    read = [RecordedReading(400.0, 17)]
    pack_film(film, packed, RIM_M, NOTHING_KNOWN, lambda _: None, readings=read, audio=audio)
    recording = load_recording(packed)
    assert [(one.t_ms, one.poem) for one in recording.readings] == [(400.0, 17)]
    assert recording.audio is not None
    assert (recording.audio.distance_m, recording.audio.start_ns) == (0.4, 0)
    wave, _ = soundfile.read(recording.audio.path)
    loud = np.flatnonzero(wave)
    assert loud.min() / RATE_HZ == pytest.approx(0.3, abs=0.01)
    assert loud.max() / RATE_HZ == pytest.approx(6.4, abs=0.01)
    was, _ = soundfile.read(tmp_path / "sound.flac")
    middle = slice(round(1.0 * RATE_HZ), round(6.0 * RATE_HZ))
    assert wave[middle] == pytest.approx(
        was[middle.start + RATE_HZ // 2 : middle.stop + RATE_HZ // 2], abs=1e-4
    )


def test_a_film_without_a_field_is_not_packed(tmp_path: Path, packed: Path) -> None:
    dice = np.random.default_rng(0)
    bare = [np.asarray(90 + dice.normal(0, 2, (720, 1280)), np.uint8) for _ in range(20)]
    film = filmed(tmp_path / "film.mkv", bare)
    with pytest.raises(DeskError, match=r"no field was found in .*film\.mkv, so nothing says what to hide"):
        pack_film(film, packed, RIM_M, NOTHING_KNOWN, lambda _: None)
