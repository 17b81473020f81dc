"""A phone's slow motion that was written stretched is timed as it was filmed."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest

from desk.commands import cli
from desk.karuta.eye.film_hints import hint_of
from desk.karuta.eye.second_film import SecondFilm
from desk.tables.table_opening import recorded_table
from vision.frames.frame import Frame
from vision.recordings.recording import SecondVideo, load_recording
from vision.simulator.hall.match import single_poem
from vision.simulator.hall.recorder import write_recording
from vision.sources.source_address import open_source
from vision.sources.video_file import VideoSource

TIMES = 8  # 240 pictures a second, played as 30


def stretch(video: Path, times: int, later_ms: int = 0) -> None:
    """Rewrite a video so that it plays slower than it was filmed, or its clock begins later."""
    slow = video.with_name(f"slow-{video.name}")
    with av.open(str(video)) as source, av.open(str(slow), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.dts is not None and packet.pts is not None:
                packet.pts, packet.dts = packet.pts * times + later_ms, packet.dts * times + later_ms
                packet.stream = stream
                target.mux(packet)
    slow.replace(video)


def test_a_film_slower_than_its_camera_is_asked_about_by_both_causes_or_the_one_that_is_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_recording(single_poem("own", 2, 30, (640, 360), cards_per_side=6), tmp_path / "clip")
    head = 'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = 240\n'
    (folder / "recording.toml").write_text(head, encoding="utf-8")
    cli.main(["judge", str(folder)])
    said = capsys.readouterr().err
    # an eighth of its times would put its touch before the poem, and nobody knows what will be read
    assert "video.mkv plays 30 pictures a second, [camera] fps says 240: the camera gave fewer" in said
    assert "write fps = 30 there" in said
    assert "filmed_fps" not in said
    stretch(folder / "video.mkv", TIMES)
    (folder / "recording.toml").write_text(head.replace("240", "30"), encoding="utf-8")
    cli.main(["judge", str(folder)])
    out, said = capsys.readouterr()
    assert [poem["ruling"]["status"] for poem in json.loads(out)["poems"]] == ["review"]
    assert "video.mkv plays 4 pictures a second, [camera] fps says 30: if the camera gave fewer" in said
    assert "write fps = 4 there; if this is slow motion" in said
    assert "write filmed_fps = 30 there" in said


def test_a_film_of_real_time_that_is_taken_for_slow_motion_is_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_recording(single_poem("own", 2, 30, (640, 360), cards_per_side=6), tmp_path / "clip")
    told_as_filmed(folder, 60)
    cli.main(["judge", str(folder)])
    out, said = capsys.readouterr()
    assert [poem["ruling"]["status"] for poem in json.loads(out)["poems"]] == ["review"]
    assert "leave filmed_fps out" in said


def test_a_poem_before_the_film_is_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody may have played while nobody filmed; or the times are those of a player that counts from 0."""
    folder = write_recording(single_poem("own", 2, 30, (640, 360), cards_per_side=6), tmp_path / "clip")
    stretch(folder / "video.mkv", 1, later_ms=1500)
    cli.main(["judge", str(folder)])
    out, said = capsys.readouterr()
    assert [poem["ruling"]["doubts"] for poem in json.loads(out)["poems"]] == [["gap"]]
    assert "is read before the film begins; if the times were taken in a player" in said
    assert "add 1517 ms" in said


def test_a_film_that_weaves_its_pictures_is_told_as_interlaced(tmp_path: Path) -> None:
    folder = write_recording(single_poem("own", 2, 30, (320, 180), cards_per_side=6), tmp_path / "clip")
    recording = load_recording(folder)
    woven = tmp_path / "woven.mkv"
    with av.open(str(recording.video)) as source, av.open(str(woven), "w") as target:
        stream = target.add_stream("libx264", rate=30, options={"x264-params": "interlaced=1:tff=1"})
        assert isinstance(stream, av.VideoStream)
        stream.height, stream.width, stream.pix_fmt = 180, 320, "yuv420p"
        for number, frame in enumerate(source.decode(video=0)):
            if number < 10:
                frame.pts, frame.time_base = number, Fraction(1, 30)
                target.mux(stream.encode(frame.reformat(format="yuv420p")))
        target.mux(stream.encode())
    for video, is_woven in ((recording.video, False), (woven, True)):
        film = VideoSource(video)
        assert len(list(film)) >= 10
        assert film.is_interlaced == is_woven
        hint = hint_of(replace(recording, fps_nominal=60.0), film, {}).get("hint", "")
        assert ("is interlaced" in hint) == is_woven
        assert ("slow motion" in hint) != is_woven


def told_as_filmed(folder: Path, fps: int) -> None:
    head = (folder / "recording.toml").read_text("utf-8")
    (folder / "recording.toml").write_text(
        head.replace("[camera]\n", f"[camera]\nfilmed_fps = {fps}\n"), "utf-8"
    )


def test_recordings_are_timed_as_they_were_filmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_recording(single_poem("own", 2, 30, (320, 180), cards_per_side=6), tmp_path / "clip")
    end_ns = pytest.approx(list(VideoSource(folder / "video.mkv"))[-1].t_ns, rel=0.002)
    stretch(folder / "video.mkv", TIMES)
    told_as_filmed(folder, 30)
    assert [item.t_ns for item in open_source(str(folder)) if isinstance(item, Frame)][-1] == end_ns
    table = recorded_table(folder)
    assert table.nominal_fps == 30
    frames = [item for item in table.happenings() if isinstance(item, Frame)]
    assert frames[-1].t_ns == end_ns
    video = folder / "video.mkv"
    second = SecondFilm(SecondVideo(video, offset_ns=0, filmed_fps=30.0), VideoSource(video, 30.0))
    shown: list[int] = []
    assert second.witness is not None
    monkeypatch.setattr(second.witness, "feed", lambda frame: shown.append(frame.t_ns))
    second.show_until(frames[-1].t_ns)
    assert shown == [frame.t_ns for frame in frames]
